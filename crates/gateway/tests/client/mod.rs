//! A provider's client, with one small request for each API.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use slopbench_gateway::{
    player::{Player, ToolUse},
    script::Script,
    server::{Faults, Gateway, Mode},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Mutex,
};

pub(crate) fn player(script: Script) -> Player {
    Player { script, workspace: "/workspace".into(), tools: tools(), finish_command: None }
}

/// Tools of agents that speak each API, as their definitions have them.
fn tools() -> Vec<ToolUse> {
    let description = ["description", "Run a command"];
    let tool = |name, does, arguments: &[[&str; 2]]| json!({"name": name, "does": does, "arguments": arguments});
    let tools = [
        tool("Bash", "run", &[["command", "{command}"], description]),
        tool("Read", "read", &[["file_path", "{path}"]]),
        tool("Write", "write", &[["file_path", "{path}"], ["content", "{text}"]]),
        tool("exec_command", "run", &[["cmd", "{command}"]]),
        tool("shell_command", "run", &[["command", "{command}"]]),
        json!({"name": "shell", "does": "run", "arguments": [["command", ["bash", "-lc", "{command}"]]]}),
        tool("apply_patch", "patch", &[]),
        tool("bash", "run", &[["command", "{command}"], description]),
        tool("read", "read", &[["filePath", "{path}"]]),
        tool("write", "write", &[["filePath", "{path}"], ["content", "{text}"]]),
        tool("run_shell_command", "run", &[["command", "{command}"]]),
        tool("read_file", "read", &[["file_path", "{path}"]]),
        tool("write_file", "write", &[["file_path", "{path}"], ["content", "{text}"]]),
    ];
    serde_json::from_value(tools.as_slice().into()).unwrap()
}

pub(crate) async fn gateway(mode: Mode, faults: Faults) -> Gateway {
    Gateway::start(([127, 0, 0, 1], 0).into(), mode, faults).await.unwrap()
}

/// The smallest request of an API that offers tools.
pub(crate) struct SmallRequest {
    pub(crate) name: &'static str,
    whole: &'static str,
    stream: &'static str,
    body: fn() -> Value,
}

pub(crate) const REQUESTS: &[SmallRequest] = &[
    SmallRequest {
        name: "anthropic-messages",
        whole: "/v1/messages",
        stream: "/v1/messages",
        body: || {
            let tools = json!([{"name": "Bash"}, {"name": "Read"}, {"name": "Write"}]);
            json!({"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": tools})
        },
    },
    SmallRequest {
        name: "openai-responses",
        whole: "/v1/responses",
        stream: "/v1/responses",
        body: || {
            let tools =
                json!([{"type": "function", "name": "shell_command"}, {"type": "custom", "name": "apply_patch"}]);
            json!({"model": "m", "input": [{"type": "message", "role": "user", "content": []}], "tools": tools})
        },
    },
    SmallRequest {
        name: "openai-chat",
        whole: "/v1/chat/completions",
        stream: "/v1/chat/completions",
        body: || {
            let tools = json!([{"type": "function", "function": {"name": "bash"}}]);
            json!({"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": tools})
        },
    },
    SmallRequest {
        name: "gemini",
        whole: "/v1beta/models/m:generateContent",
        stream: "/v1beta/models/m:streamGenerateContent?alt=sse",
        body: || {
            let tools = json!([{"functionDeclarations": [{"name": "write_file"}, {"name": "run_shell_command"}]}]);
            json!({"contents": [{"role": "user", "parts": [{"text": "Go."}]}], "tools": tools})
        },
    },
];

impl SmallRequest {
    pub(crate) fn path(&self, stream: bool) -> String {
        if stream { self.stream } else { self.whole }.to_owned()
    }

    pub(crate) fn body(&self, stream: bool) -> Value {
        let mut body = (self.body)();
        if self.name != "gemini" {
            body["stream"] = stream.into();
        }
        body
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn pretty(&self) -> String {
        serde_json::to_string_pretty(&self.json()).unwrap()
    }
}

pub(crate) struct Client {
    url: String,
    http: reqwest::Client,
}

impl Client {
    pub(crate) fn new(gateway: &Gateway) -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder().no_proxy().read_timeout(Duration::from_secs(5)).build().unwrap();
        Self { url: gateway.url(), http }
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.try_post(path, body).await.unwrap()
    }

    /// The answer, or as far as it came and how it failed.
    pub(crate) async fn try_post(&self, path: &str, body: &Value) -> Result<Answer, String> {
        let request = self.http.post(format!("{}{path}", self.url)).body(body.to_string());
        let mut response = request.send().await.map_err(|_| "no answer".to_owned())?;
        let retry_after = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        let (status, mut text) = (response.status().as_u16(), String::new());
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => text.push_str(std::str::from_utf8(&chunk).unwrap()),
                Ok(None) => return Ok(Answer { status, retry_after, text }),
                Err(error) if error.is_timeout() => return Err(text + "timed out"),
                Err(_) => return Err(text + "broken off"),
            }
        }
    }

    /// The status of a request that takes the gateway for a proxy.
    pub(crate) async fn through_proxy(&self, url: &str) -> u16 {
        let proxy = reqwest::Proxy::all(&self.url).unwrap();
        let http = reqwest::Client::builder().proxy(proxy).build().unwrap();
        http.post(url).body("{}").send().await.unwrap().status().as_u16()
    }
}

/// What a gateway says to `request`, as it is on the wire.
pub(crate) async fn say(gateway: &Gateway, request: &str) -> String {
    let mut stream = TcpStream::connect(gateway.address()).await.unwrap();
    // One that is refused may be reset while it is still speaking.
    drop(stream.write_all(request.as_bytes()).await);
    let mut said = Vec::new();
    drop(stream.read_to_end(&mut said).await);
    String::from_utf8_lossy(&said).into_owned()
}

/// A request as [`say`] takes it.
pub(crate) fn wire(target: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("POST {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}")
}

/// A provider that says the same to everybody, in these pieces, and keeps what it was asked.
pub(crate) struct Wire {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Wire {
    pub(crate) async fn new(pieces: &[&str]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (url, asked) = (format!("http://{}", listener.local_addr().unwrap()), Arc::new(Mutex::new(Vec::new())));
        let (kept, pieces) = (Arc::clone(&asked), pieces.iter().map(|piece| (*piece).to_owned()).collect::<Vec<_>>());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                kept.lock().await.push(request(&mut stream).await);
                for piece in &pieces {
                    stream.write_all(piece.as_bytes()).await.unwrap();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        });
        Self { url, asked }
    }

    pub(crate) async fn asked(&self) -> Vec<String> {
        self.asked.lock().await.clone()
    }
}

/// A whole request with a body of a length that it tells.
async fn request(stream: &mut TcpStream) -> String {
    let mut request = String::new();
    loop {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.unwrap();
        request.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        if read == 0 || body.len() >= length.parse().unwrap() {
            return request;
        }
    }
}
