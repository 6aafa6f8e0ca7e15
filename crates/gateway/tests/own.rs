//! Calls of our own, against local servers that speak as the providers do.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::{sync::Arc, time::Duration};

use client::{Wire, player};
use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    backoff::{RetryPolicy, SystemClock},
    catalogue::{Catalogue, Origin},
    client::{ChatMessage, Client, ClientError, Request, ToolDefinition},
    player::Player,
    prices::Prices,
    provider::{Provider, Secret},
    script::{Script, ScriptedAnswer},
    server::{Forwarder, Mode},
    turn::{Arguments, TokenUsage, ToolCall},
};

const DAY: &str = "2026-11-22";

/// An answer of each API that says `text`, ended for `end`: 900 tokens read, of them 100 from the cache, and 50 written.
fn answer(api: Api, text: &str, end: &str) -> Value {
    match api {
        Api::AnthropicMessages => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": end,
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 800, "cache_read_input_tokens": 100, "output_tokens": 50},
        }),
        Api::OpenaiResponses => json!({
            "id": "resp_1", "object": "response", "model": "m",
            "status": if end == "completed" { end } else { "incomplete" },
            "incomplete_details": if end == "completed" { Value::Null } else { json!({"reason": end}) },
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]},
            ],
            "usage": {"input_tokens": 900, "input_tokens_details": {"cached_tokens": 100}, "output_tokens": 50},
        }),
        Api::OpenaiChat => json!({
            "id": "c", "object": "chat.completion", "model": "m",
            "choices": [{"index": 0, "finish_reason": end, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 100}, "completion_tokens": 50},
        }),
        Api::Gemini => json!({
            "candidates": [{"finishReason": end, "content": {"role": "model", "parts": [
                {"text": "I think.", "thought": true}, {"text": text},
            ]}}],
            "usageMetadata": {"promptTokenCount": 900, "cachedContentTokenCount": 100, "candidatesTokenCount": 50},
        }),
    }
}

/// Each API, and how it says that a turn is over and that it is cut off.
const APIS: [(Api, &str, &str); 4] = [
    (Api::AnthropicMessages, "end_turn", "max_tokens"),
    (Api::OpenaiResponses, "completed", "max_output_tokens"),
    (Api::OpenaiChat, "stop", "length"),
    (Api::Gemini, "STOP", "MAX_TOKENS"),
];

async fn server(status: &str, body: &str) -> Wire {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n");
    Wire::new(&[&format!("{head}connection: close\r\n\r\n{body}")]).await
}

fn forwarder(api: Api, url: &str) -> Forwarder {
    let provider = Provider::keyed(api, url, "x-api-key", &Secret::new("canary"));
    let wait = Duration::from_millis(1);
    let policy = RetryPolicy { attempts: 2, longest_wait: wait, total_wait: Duration::from_secs(1) };
    Forwarder::new(vec![provider], policy, Arc::new(SystemClock), Duration::from_secs(5)).unwrap()
}

/// Two dollars for a million tokens read, half of that from the cache, and ten for a million written.
fn prices() -> Prices {
    let text = "format = \"slopbench.catalogue/1\"\n[[price]]\nmodels = [\"m\"]\nfrom = \"2026-01-01\"\ninput = 2.0\n\
                cached_input = 1.0\noutput = 10.0\n";
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let mut catalogue = Catalogue::built_in().unwrap();
    let layer = slopbench_gateway::catalogue::CatalogueLayer::load(file.path()).unwrap();
    catalogue.add(file.path(), layer, &Origin::User).unwrap();
    catalogue.prices
}

fn asking(api: Api, mode: Mode) -> Client {
    Client::new(api, mode, "acme", prices(), DAY)
}

fn question() -> Request {
    Request {
        model: "m".to_owned(),
        system: "You are a judge.".to_owned(),
        messages: vec![ChatMessage::User("Is it good? It is of 2026-11-22.".to_owned())],
        schema: Some(json!({
            "type": "object", "required": ["good"], "additionalProperties": false,
            "properties": {"good": {"type": "boolean"}},
        })),
        temperature: Some(0.0),
        seed: Some(7),
        max_tokens: 100,
        ..Request::default()
    }
}

fn body(asked: &str) -> Value {
    serde_json::from_str(asked.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Verdict {
    good: bool,
}

#[tokio::test]
async fn one_question_is_asked_and_answered_in_the_words_of_every_api() {
    for (api, end, _) in APIS {
        let server = server("200 OK", &answer(api, "{\"good\": true}", end).to_string()).await;
        let reply = asking(api, Mode::Forward(forwarder(api, &server.url))).ask(&question()).await.unwrap();
        assert_eq!(reply.parse::<Verdict>().unwrap(), Verdict { good: true });
        assert_eq!(reply.usage, TokenUsage { input: 900, cached_input: 100, output: 50, ..TokenUsage::default() });
        assert!((reply.cost_usd.unwrap() - (800.0 * 2.0 + 100.0 + 50.0 * 10.0) / 1e6).abs() < 1e-12);
        let asked = server.asked().await;
        assert!(asked[0].contains("x-api-key: canary"), "{}", asked[0]);
        let name = format!("{api:?}");
        insta::assert_json_snapshot!(name, body(&asked[0]));
    }
}

#[tokio::test]
async fn a_conversation_with_tools_goes_on_where_it_was() {
    let arguments = json!({"path": "a.py"}).as_object().unwrap().clone();
    let calls = ["1", "2"].map(|id| ToolCall {
        id: id.to_owned(),
        name: "read".to_owned(),
        arguments: Arguments::Json(arguments.clone()),
        signature: (id == "1").then(|| "c2lnbmVk".to_owned()),
    });
    let result = |id: &str| {
        let content = format!("content {id}");
        ChatMessage::ToolResult { id: id.to_owned(), name: "read".to_owned(), content }
    };
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let request = Request {
        messages: vec![
            ChatMessage::User("Read.".to_owned()),
            ChatMessage::Assistant { text: "I read.".to_owned(), calls: calls.to_vec() },
            result("1"),
            result("2"),
        ],
        tools: vec![ToolDefinition { name: "read".into(), description: "Reads.".into(), parameters: schema }],
        ..Request { schema: None, ..question() }
    };
    let text = arguments_text();
    let answers = [
        json!({"stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": "3", "name": "read", "input": {"path": "b.py"}},
        ]}),
        json!({"status": "completed", "output": [
            {"type": "function_call", "call_id": "3", "name": "read", "arguments": text},
        ]}),
        json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
            {"id": "3", "type": "function", "function": {"name": "read", "arguments": text}},
        ]}}]}),
        json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
            {"functionCall": {"id": "3", "name": "read", "args": {"path": "b.py"}}, "thoughtSignature": "bmV4dA=="},
        ]}}]}),
    ];
    for ((api, ..), answer) in APIS.into_iter().zip(answers) {
        let server = server("200 OK", &answer.to_string()).await;
        let reply = asking(api, Mode::Forward(forwarder(api, &server.url))).ask(&request).await.unwrap();
        let call = &reply.calls[0];
        let path = json!({"path": "b.py"}).as_object().unwrap().clone();
        assert_eq!((call.id.as_str(), &call.arguments), ("3", &Arguments::Json(path)));
        assert_eq!(call.signature.as_deref(), (api == Api::Gemini).then_some("bmV4dA=="));
        let name = format!("{api:?}-tools");
        insta::assert_json_snapshot!(name, body(&server.asked().await[0]));
    }
}

/// Tools that may not be called any more are told of where the API wants that, and an answer's schema goes with them.
#[tokio::test]
async fn a_verdict_is_asked_for_without_calls_in_every_api() {
    let tool =
        ToolDefinition { name: "read".into(), description: "Reads.".into(), parameters: json!({"type": "object"}) };
    for (api, end, _) in APIS {
        for forbid_calls in [false, true] {
            let server = server("200 OK", &answer(api, "{\"good\": true}", end).to_string()).await;
            let request = Request { tools: vec![tool.clone()], forbid_calls, ..question() };
            asking(api, Mode::Forward(forwarder(api, &server.url))).ask(&request).await.unwrap();
            let body = body(&server.asked().await[0]);
            let (has_tools, has_schema) = match api {
                Api::Gemini => {
                    (body.get("tools").is_some(), body["generationConfig"].get("responseJsonSchema").is_some())
                }
                Api::AnthropicMessages => (body["tool_choice"]["type"] != "none", body.get("output_config").is_some()),
                Api::OpenaiResponses => (body["tool_choice"] != "none", body.get("text").is_some()),
                Api::OpenaiChat => (body["tool_choice"] != "none", body.get("response_format").is_some()),
            };
            // Gemini takes tools or a schema, not both.
            assert_eq!((has_tools, has_schema), (!forbid_calls, forbid_calls || api != Api::Gemini), "{api:?}");
            assert!(api == Api::Gemini || body.get("tools").is_some(), "{api:?}");
        }
    }
}

fn arguments_text() -> String {
    json!({"path": "b.py"}).to_string()
}

#[tokio::test]
async fn what_is_recorded_is_replayed_without_a_provider_and_another_request_is_a_miss() {
    let dir = tempfile::tempdir().unwrap();
    for (api, end, _) in APIS {
        let path = dir.path().join("judge.jsonl");
        let server = server("200 OK", &answer(api, "{\"good\": true}", end).to_string()).await;
        let recorder = Client::recorder("judge 1");
        let client = asking(api, Mode::Record(forwarder(api, &server.url), recorder.clone()));
        let recorded = client.ask(&question()).await.unwrap();
        recorder.save(&path).await.unwrap();
        assert!(!std::fs::read_to_string(&path).unwrap().contains("canary"));

        let client = asking(api, Mode::Replay(Client::replay(&path).unwrap()));
        assert_eq!(client.ask(&question()).await.unwrap(), recorded);
        // What agents' keys leave out as passing counts here: it may be what is judged.
        let said = |text: &str| Request { messages: vec![ChatMessage::User(text.to_owned())], ..question() };
        for changed in [
            said("Is it good? It is of 2026-11-23."),
            Request { temperature: Some(0.1), ..question() },
            Request { system: String::new(), ..question() },
            Request { max_tokens: 101, ..question() },
        ] {
            let error = client.ask(&changed).await.unwrap_err();
            assert!(matches!(error, ClientError::NotRecorded(_)), "{error}");
            let message = error.to_string();
            assert!(message.contains("the most similar one differs first in"), "{message}");
        }
        assert_eq!(server.asked().await.len(), 1);
    }
}

#[tokio::test]
async fn every_end_that_is_no_answer_has_its_own_error() {
    for (api, end, cut) in APIS {
        let ask = async |status: &str, body: &str| {
            let server = server(status, body).await;
            asking(api, Mode::Forward(forwarder(api, &server.url))).ask(&question()).await.unwrap_err()
        };
        let error = ask("200 OK", &answer(api, "{\"go", cut).to_string()).await;
        assert!(
            matches!(&error, ClientError::CutOff { text, usage } if text == "{\"go" && usage.output == 50),
            "{error:?}"
        );
        let error = ask("200 OK", &answer(api, "It is good.", end).to_string()).await;
        assert!(
            matches!(&error, ClientError::NotJson { text, usage, .. } if text == "It is good." && usage.output == 50),
            "{error:?}"
        );
        for body in ["{}", "[]", "nothing"] {
            let error = ask("200 OK", body).await;
            let is_so = matches!(error, ClientError::Malformed(_) | ClientError::Unreached { .. });
            assert!(is_so, "{body}: {error:?}");
        }
        let error = ask("429 Too Many Requests", "{}").await;
        assert!(matches!(error, ClientError::RateLimited { attempts: 2 }), "{error:?}");
        let error = ask("503 Service Unavailable", "{}").await;
        assert!(matches!(error, ClientError::Unavailable { status: 503, attempts: 2 }), "{error:?}");
        let error = ask("400 Bad Request", "{\"error\": {\"message\": \"no such model\"}}").await;
        assert_eq!(error.to_string(), "the provider rejects the request with status 400: no such model");
    }
}

/// What one provider would refuse is refused for all, before anything is sent: also by a script, so that tests see it.
#[tokio::test]
async fn a_schema_that_bounds_a_number_is_not_sent() {
    let schema = json!({"type": "object", "properties": {"score": {"type": "integer", "maximum": 4}}});
    for (api, ..) in APIS {
        let client = asking(api, Mode::Scripted(player(Script::of_actions([]))));
        let error = client.ask(&Request { schema: Some(schema.clone()), ..question() }).await.unwrap_err();
        assert!(matches!(&error, ClientError::Request(message) if message.contains("\"maximum\"")), "{error:?}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_from_an_answer_in_every_api() {
    let refusals = [
        answer(Api::AnthropicMessages, "", "refusal"),
        json!({"status": "completed", "output": [
            {"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]},
        ]}),
        json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": "I will not."}}]}),
        json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    ];
    for ((api, ..), refusal) in APIS.into_iter().zip(refusals) {
        let server = server("200 OK", &refusal.to_string()).await;
        let error = asking(api, Mode::Forward(forwarder(api, &server.url))).ask(&question()).await.unwrap_err();
        assert!(matches!(error, ClientError::Refused { .. }), "{error:?}");
    }
    let filtered = answer(Api::OpenaiResponses, "", "content_filter").to_string();
    let server = server("200 OK", &filtered).await;
    let client = asking(Api::OpenaiResponses, Mode::Forward(forwarder(Api::OpenaiResponses, &server.url)));
    assert!(matches!(client.ask(&question()).await.unwrap_err(), ClientError::Refused { .. }));
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_told_so() {
    // A port that was free a moment ago.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mode = Mode::Forward(forwarder(Api::OpenaiChat, &format!("http://{nobody}")));
    let error = asking(Api::OpenaiChat, mode).ask(&question()).await.unwrap_err();
    assert!(matches!(&error, ClientError::Unreached { reason } if reason.contains("(attempt 2)")), "{error:?}");
}

#[tokio::test]
async fn a_scripted_model_answers_by_what_is_asked_and_otherwise_as_little_as_the_schema_allows() {
    let answers =
        vec![ScriptedAnswer { asked: "2026-11-22".to_owned(), text: "{\"good\": true}".to_owned(), calls: vec![] }];
    for (api, ..) in APIS {
        let script = Script { answers: answers.clone(), ..Script::of_actions([]) };
        let client = asking(api, Mode::Scripted(Player { script, ..player(Script::of_actions([])) }));
        assert_eq!(client.ask(&question()).await.unwrap().parse::<Verdict>().unwrap(), Verdict { good: true });
        let other = Request { messages: vec![ChatMessage::User("And this?".to_owned())], ..question() };
        let reply = client.ask(&other).await.unwrap();
        assert_eq!(reply.parse::<Verdict>().unwrap(), Verdict { good: false });
        assert_eq!(client.log().entries().len(), 2);
        assert_eq!(client.log().usage()["m"].output, 4 + 4);
    }
}

#[tokio::test]
async fn a_request_that_may_not_be_sent_is_refused() {
    let mode = Mode::Scripted(player(Script::of_actions([])));
    let error = asking(Api::Gemini, mode).ask(&Request { model: "a/b".to_owned(), ..question() }).await.unwrap_err();
    assert_eq!(error.to_string(), "the request cannot be sent: a/b is no name of a model of Gemini");
}
