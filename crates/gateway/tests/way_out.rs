//! What an agent could have its model's provider do for it, and does not get.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::{sync::Arc, time::Duration};

use client::{Client, REQUESTS, Wire, gateway, player, say, wire};
use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    backoff::{RetryPolicy, SystemClock},
    provider::ProviderDefinition,
    script::{Action, Script},
    server::{Allowed, Faults, Forwarder, Gateway, InjectedFault, Mode, Models, RequestOutcome},
    turn::TokenUsage,
};

const KEY: &str = "sk-canary-key";
const PATHS: [(&str, Api); 4] = [
    ("/v1/messages", Api::AnthropicMessages),
    ("/v1/responses", Api::OpenaiResponses),
    ("/v1/chat/completions", Api::OpenaiChat),
    ("/v1beta/models/m:generateContent", Api::Gemini),
];

fn forward(base: &str) -> Mode {
    let apis = PATHS.map(|(_, api)| api);
    let text = json!({"name": "wire", "apis": apis, "base": base, "key_variable": "KEY"});
    let definition: ProviderDefinition = serde_json::from_value(text).unwrap();
    let provider = definition.open(|_| Some(KEY.to_owned())).unwrap();
    let once = RetryPolicy { attempts: 1, ..RetryPolicy::default() };
    let idle = Duration::from_secs(5);
    Mode::Forward(Forwarder::new(vec![provider], once, Arc::new(SystemClock), idle).unwrap())
}

async fn forwarding(base: &str, models: Models) -> Gateway {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    Gateway::serve(listener, forward(base), Faults::new(), Allowed { models, ..Allowed::default() }).unwrap()
}

async fn scripted(faults: Faults) -> Gateway {
    gateway(Mode::Scripted(player(Script::of_actions([Action::Run("ls".into())]))), faults).await
}

fn refusals(gateway: &Gateway) -> Vec<String> {
    let refused = |outcome| match outcome {
        RequestOutcome::Refused { reason } => reason,
        other => panic!("{other:?}"),
    };
    gateway.log().entries().into_iter().map(|entry| refused(entry.outcome)).collect()
}

#[tokio::test]
async fn what_leads_out_is_refused_and_logged_and_never_reaches_a_provider() {
    let provider = scripted(Faults::new()).await;
    let gateway = forwarding(&provider.url(), Models::Only(["m".to_owned()].into())).await;
    let client = Client::new(&gateway);
    let address = "https://elsewhere.example/";
    let rows = [
        (
            "/v1/messages",
            json!({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
            "the tool `web_search",
        ),
        ("/v1/messages", json!({"mcp_servers": [{"type": "url", "url": address}]}), "the member `mcp_servers`"),
        ("/v1/responses", json!({"tools": [{"type": "web_search"}]}), "the tool `web_search`"),
        ("/v1/responses", json!({"input": [{"type": "input_image", "image_url": address}]}), "the address of an image"),
        ("/v1/chat/completions", json!({"web_search_options": {}}), "the member `web_search_options`"),
        ("/v1beta/models/m:generateContent", json!({"tools": [{"googleSearch": {}}]}), "a tool with `googleSearch`"),
        ("/v1/messages", json!({"model": "another"}), "the model another is not"),
        ("/v1/messages/count_tokens", json!({"model": "another"}), "the model another is not"),
        ("/v1beta/models/another:generateContent", json!({}), "the model another is not"),
    ];
    let mut expected = Vec::new();
    for (path, change, reason) in rows {
        let same = |(known, _): &&(&str, Api)| path.starts_with(&known[..10]);
        let position = PATHS.iter().position(|row| same(&row)).unwrap();
        let mut body = REQUESTS[position].body(false);
        change.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
        let answer = client.post(path, &body).await;
        assert_eq!(answer.status, 400, "{path} {change}: {}", answer.text);
        expected.push(reason);
    }
    for (told, expected) in refusals(&gateway).iter().zip(expected) {
        assert!(told.contains(expected), "{told}, not {expected}");
    }
    assert_eq!(provider.log().entries(), []);
}

#[tokio::test]
async fn only_the_paths_of_the_apis_are_paths() {
    let gateway = forwarding("http://127.0.0.1:9/base", Models::Any).await;
    for path in [
        "/v1/../v1/messages",
        "/../v1/messages",
        "/x/v1/messages",
        "/v1/messages/",
        "//v1/messages",
        "/v1/%6dessages",
        "/%2e%2e/v1/messages",
        "/..\\v1/messages",
        "/v1/files/../responses",
        "/v1beta/models/../files/m:generateContent",
        "/v1beta/models/m%2f..:generateContent",
        "/v1beta/models/:generateContent",
        "/v1beta/models/m:generateContent/x:generateContent",
        "/v1beta/tunedModels/m:generateContent",
        "/v1/chat/completions;x",
    ] {
        let said = say(&gateway, &wire(path, "", "{}")).await;
        let is_refused = said.starts_with("HTTP/1.1 404") || said.starts_with("HTTP/1.1 400");
        assert!(is_refused, "{path}: {said}");
    }
}

#[tokio::test]
async fn a_provider_gets_what_was_checked_and_no_more() {
    let provider = Wire::new(&["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"]).await;
    let gateway = forwarding(&provider.url, Models::Any).await;
    let body = r#"{"model": "m", "tools": [{"type": "web_search_20250305"}], "messages": [], "tools": []}"#;
    let headers = "x-api-key: agents\r\nauthorization: agents\r\nopenai-organization: another\r\nanthropic-beta: b\r\n";
    say(&gateway, &wire("/v1/messages?beta=true&key=agents&x=1", headers, body)).await;
    let asked = provider.asked().await.remove(0);
    assert!(asked.starts_with("POST /v1/messages?beta=true HTTP/1.1\r\n"), "{asked}");
    assert!(asked.ends_with("\r\n\r\n{\"model\":\"m\",\"tools\":[],\"messages\":[]}"), "{asked}");
    assert!(asked.contains("anthropic-beta: b\r\n") && asked.contains(KEY), "{asked}");
    assert!(!asked.contains("agents") && !asked.contains("another"), "{asked}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in [301, 302, 307, 308] {
        let elsewhere = Wire::new(&["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"]).await;
        let answer = format!("HTTP/1.1 {status} R\r\nlocation: {}/x\r\ncontent-length: 0\r\n\r\n", elsewhere.url);
        let provider = Wire::new(&[&answer]).await;
        let gateway = forwarding(&provider.url, Models::Any).await;
        let answer = Client::new(&gateway).post("/v1/messages", &REQUESTS[0].body(false)).await;
        assert_eq!(answer.status, 502);
        assert!(!answer.text.contains(&elsewhere.url));
        assert!(matches!(&gateway.log().entries()[0].outcome, RequestOutcome::Unreached { .. }));
        assert_eq!(elsewhere.asked().await.len(), 0, "the key would have gone there");
    }
}

#[tokio::test]
async fn a_key_that_a_provider_echoes_is_replaced() {
    let (begin, end) = KEY.split_at(5);
    for status in ["200 OK", "401 Unauthorized", "500 Failed"] {
        let head =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\nx-echo: <{KEY}>\r\n\r\n{{\"a\": \"{KEY}, {begin}");
        let provider = Wire::new(&[&head, end, "\"}"]).await;
        let gateway = forwarding(&provider.url, Models::Any).await;
        let body = REQUESTS[0].body(false).to_string();
        // The provider's connection is to end.
        let said = tokio::time::timeout(Duration::from_secs(3), say(&gateway, &wire("/v1/messages", "", &body))).await;
        let said = said.unwrap();
        assert!(said.contains("x-echo: <{key}>"), "{said}");
        assert!(said.contains(r#"{"a": "{key}, {key}"}"#) || said.contains("{key}, "), "{said}");
        assert!(!said.contains(KEY), "{said}");
    }
}

#[tokio::test]
async fn tokens_are_counted_answer_by_answer() {
    let provider = scripted(Faults::new()).await;
    let gateway = forwarding(&provider.url(), Models::Any).await;
    let client = Client::new(&gateway);
    for request in REQUESTS {
        for stream in [false, true] {
            client.post(&request.path(stream), &request.body(stream)).await;
        }
    }
    let told: Vec<_> = provider.log().entries().iter().map(|entry| entry.usage.unwrap()).collect();
    let counted: Vec<_> = gateway.log().entries().iter().map(|entry| entry.usage.unwrap()).collect();
    assert_eq!(told.len(), 8);
    for (told, counted) in told.iter().zip(&counted) {
        // Anthropic tells of no reasoning.
        assert_eq!(TokenUsage { reasoning: 0, ..*counted }, TokenUsage { reasoning: 0, ..*told });
    }
    let mut sum = TokenUsage::default();
    counted.into_iter().for_each(|usage| sum += usage);
    assert_eq!(gateway.log().usage(), [("m".to_owned(), sum)].into());
}

#[tokio::test]
async fn what_the_provider_breaks_off_is_not_the_agents_expense() {
    let provider = scripted(Faults::from([(0, InjectedFault::Cut { after: 1 })])).await;
    let gateway = forwarding(&provider.url(), Models::Any).await;
    Client::new(&gateway).try_post("/v1/messages", &REQUESTS[0].body(true)).await.unwrap_err();
    assert!(gateway.log().entries()[0].usage.unwrap().input > 0, "what it told is in the log");
    assert_eq!(gateway.log().usage(), [].into());
}

#[tokio::test]
async fn what_the_agent_does_not_wait_for_counts_as_far_as_it_came() {
    let begin = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let start = r#"data: {"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}"#;
    let pieces = [[begin, start, "\n\n"].as_slice(), &[": ping\n\n"; 500]].concat();
    let provider = Wire::new(&pieces).await;
    let gateway = forwarding(&provider.url, Models::Any).await;
    let request = wire("/v1/messages", "", &REQUESTS[0].body(true).to_string());
    let impatient = tokio::time::timeout(Duration::from_millis(700), say(&gateway, &request)).await;
    assert!(impatient.is_err(), "it hung up");
    assert_eq!(gateway.log().usage()["m"], TokenUsage { input: 7, output: 1, ..TokenUsage::default() });
}

#[tokio::test]
async fn what_a_request_is_of_is_in_the_log() {
    let gateway = scripted(Faults::new()).await;
    Client::new(&gateway).post("/v1/messages", &REQUESTS[0].body(false)).await;
    let line: Value = serde_json::from_str(gateway.log().to_json_lines().trim()).unwrap();
    assert_eq!((&line["model"], &line["turn"]), (&json!("m"), &json!(true)));
    assert!(line["usage"]["input"].as_u64() > Some(0), "{line}");
}
