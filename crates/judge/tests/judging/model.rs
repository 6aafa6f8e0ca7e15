//! A provider's model that answers by what it was shown, in the words of any API.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    backoff::{RetryPolicy, SystemClock},
    catalogue::{Catalogue, CatalogueLayer, Origin},
    client::Client,
    prices::Prices,
    provider::{Provider, Secret},
    server::{Forwarder, Mode},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

pub(crate) const APIS: [Api; 4] = [Api::AnthropicMessages, Api::OpenaiResponses, Api::OpenaiChat, Api::Gemini];

/// What a model knows when it is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The results of its calls, in order.
    pub(crate) results: Vec<String>,
    /// Whether it was asked for the verdict alone.
    pub(crate) alone: bool,
    /// All that it was sent, as text.
    pub(crate) body: String,
}

/// What a model does.
pub(crate) enum Says {
    Text(String),
    Calls(Vec<(&'static str, Value)>),
    Both(String, &'static str, Value),
    CutOff(String),
    Refusal,
    /// A call whose arguments are this text.
    Garbled(&'static str),
}

pub(crate) fn call(tool: &'static str, arguments: Value) -> Says {
    Says::Calls(vec![(tool, arguments)])
}

pub(crate) fn text(text: impl ToString) -> Says {
    Says::Text(text.to_string())
}

/// A server, and every request that it had.
pub(crate) struct Model {
    api: Api,
    url: String,
    asked: Arc<Mutex<Vec<Seen>>>,
}

impl Model {
    pub(crate) async fn new(api: Api, says: impl Fn(&Seen) -> Says + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, says) = (Arc::new(Mutex::new(Vec::new())), Arc::new(says));
        let kept = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let seen = seen(api, &request(&mut stream).await);
                let answer = answer(api, says(&seen), seen.results.len()).to_string();
                kept.lock().unwrap().push(seen);
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n",
                    answer.len()
                );
                stream.write_all(format!("{head}connection: close\r\n\r\n{answer}").as_bytes()).await.unwrap();
            }
        });
        Self { api, url, asked }
    }

    pub(crate) fn forwarder(&self) -> Forwarder {
        let provider = Provider::keyed(self.api, &self.url, "x-api-key", &Secret::new("canary"));
        let wait = Duration::from_millis(1);
        let policy = RetryPolicy { attempts: 1, longest_wait: wait, total_wait: Duration::from_secs(1) };
        Forwarder::new(vec![provider], policy, Arc::new(SystemClock), Duration::from_secs(10)).unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        client(self.api, Mode::Forward(self.forwarder()))
    }

    pub(crate) fn asked(&self) -> Vec<Seen> {
        self.asked.lock().unwrap().clone()
    }
}

pub(crate) fn client(api: Api, mode: Mode) -> Client {
    Client::new(api, mode, "acme", prices(), "2026-11-22")
}

/// One dollar for a million tokens read, ten for a million written.
fn prices() -> Prices {
    let text = "format = \"slopbench.catalogue/1\"\n[[price]]\nmodels = [\"m\"]\nfrom = \"2026-01-01\"\ninput = 1.0\noutput = 10.0\n";
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let mut catalogue = Catalogue::built_in().unwrap();
    catalogue.add(file.path(), CatalogueLayer::load(file.path()).unwrap(), &Origin::User).unwrap();
    catalogue.prices
}

/// What each API's request says of earlier calls.
fn seen(api: Api, body: &str) -> Seen {
    let value: Value = serde_json::from_str(body).unwrap();
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut results = Vec::new();
    match api {
        Api::AnthropicMessages => {
            for part in list(&value, "messages").iter().flat_map(|message| list(message, "content")) {
                results.extend((part["type"] == "tool_result").then(|| part["content"].as_str().unwrap().to_owned()));
            }
        }
        Api::OpenaiResponses => {
            for item in list(&value, "input") {
                results.extend(
                    (item["type"] == "function_call_output").then(|| item["output"].as_str().unwrap().to_owned()),
                );
            }
        }
        Api::OpenaiChat => {
            for message in list(&value, "messages") {
                results.extend((message["role"] == "tool").then(|| message["content"].as_str().unwrap().to_owned()));
            }
        }
        Api::Gemini => {
            for part in list(&value, "contents").iter().flat_map(|content| list(content, "parts")) {
                assert!(part.get("functionCall").is_none() || part["thoughtSignature"] == "c2lnbmVk", "{part}");
                results.extend(
                    part.pointer("/functionResponse/response/output").map(|text| text.as_str().unwrap().to_owned()),
                );
            }
        }
    }
    Seen { results, alone: body.contains("Give the verdict now, alone"), body: body.to_owned() }
}

/// An answer in the words of each API: 1000 tokens read, 10 written.
fn answer(api: Api, says: Says, number: usize) -> Value {
    let (text, calls, end) = match says {
        Says::Text(text) => (text, vec![], 0),
        Says::Calls(calls) => (String::new(), calls, 1),
        Says::Both(text, tool, arguments) => (text, vec![(tool, arguments)], 1),
        Says::CutOff(text) => (text, vec![], 2),
        Says::Refusal => (String::new(), vec![], 3),
        Says::Garbled(arguments) => return garbled(api, arguments),
    };
    let id = |index: usize| format!("call-{number}-{index}");
    match api {
        Api::AnthropicMessages => {
            let mut content: Vec<_> =
                (!text.is_empty()).then(|| json!({"type": "text", "text": text})).into_iter().collect();
            let calls = calls.iter().enumerate();
            content.extend(calls.map(
                |(index, (name, input))| json!({"type": "tool_use", "id": id(index), "name": name, "input": input}),
            ));
            let end = ["end_turn", "tool_use", "max_tokens", "refusal"][end];
            json!({"stop_reason": end, "content": content, "usage": {"input_tokens": 1000, "output_tokens": 10}})
        }
        Api::OpenaiResponses => {
            let part = if end == 3 {
                json!({"type": "refusal", "refusal": "No."})
            } else {
                json!({"type": "output_text", "text": text})
            };
            let mut output = vec![json!({"type": "message", "content": [part]})];
            let calls = calls.iter().enumerate();
            output.extend(calls.map(|(index, (name, arguments))| {
                json!({"type": "function_call", "call_id": id(index), "name": name, "arguments": arguments.to_string()})
            }));
            let status = if end == 2 { "incomplete" } else { "completed" };
            let details = if end == 2 { json!({"reason": "max_output_tokens"}) } else { Value::Null };
            json!({"status": status, "incomplete_details": details, "output": output,
                "usage": {"input_tokens": 1000, "output_tokens": 10}})
        }
        Api::OpenaiChat => {
            let calls = calls.iter().enumerate().map(|(index, (name, arguments))| {
                json!({"id": id(index), "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
            });
            let mut message = json!({"content": text, "tool_calls": calls.collect::<Vec<_>>()});
            if end == 3 {
                message["refusal"] = "No.".into();
            }
            let end = ["stop", "tool_calls", "length", "stop"][end];
            json!({"choices": [{"finish_reason": end, "message": message}],
                "usage": {"prompt_tokens": 1000, "completion_tokens": 10}})
        }
        Api::Gemini => {
            let mut parts = vec![json!({"text": text})];
            parts.extend(calls.iter().map(
                |(name, args)| json!({"functionCall": {"name": name, "args": args}, "thoughtSignature": "c2lnbmVk"}),
            ));
            let end = ["STOP", "STOP", "MAX_TOKENS", "SAFETY"][end];
            json!({"candidates": [{"finishReason": end, "content": {"parts": parts}}],
                "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 10}})
        }
    }
}

/// A call that is none, in the words of each API. Anthropic and Gemini do not hand over such arguments: the turn ends otherwise.
fn garbled(api: Api, arguments: &str) -> Value {
    match api {
        Api::AnthropicMessages => json!({"stop_reason": "pause_turn", "content": [],
            "usage": {"input_tokens": 1000, "output_tokens": 10}}),
        Api::OpenaiResponses => json!({"status": "completed",
            "output": [{"type": "function_call", "call_id": "g", "name": "read", "arguments": arguments}],
            "usage": {"input_tokens": 1000, "output_tokens": 10}}),
        Api::OpenaiChat => {
            json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
                {"id": "g", "type": "function", "function": {"name": "read", "arguments": arguments}}]}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 10}})
        }
        Api::Gemini => json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}],
            "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 10}}),
    }
}

/// The body of a request of a length that it tells.
async fn request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    loop {
        let mut buffer = [0; 65536];
        let read = stream.read(&mut buffer).await.unwrap();
        request.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        if read == 0 || body.len() >= length.parse().unwrap() {
            return body.to_owned();
        }
    }
}
