//! The gateway as a client of a provider sees it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use client::{Client, REQUESTS, gateway, player};
use serde_json::{Value, json};
use slopbench_gateway::{
    script::{Action, Script},
    server::{Faults, InjectedFault, Mode, RequestOutcome},
};

fn scripted(actions: impl IntoIterator<Item = Action>) -> Mode {
    Mode::Scripted(player(Script::of_actions(actions)))
}

#[tokio::test]
async fn one_script_is_played_in_every_api_with_the_tools_on_offer() {
    let gateway = gateway(scripted([Action::Write("a.txt".into(), "one\n".into())]), Faults::new()).await;
    let client = Client::new(&gateway);
    for request in REQUESTS {
        let whole = client.post(&request.path(false), &request.body(false)).await;
        insta::assert_snapshot!(format!("{}-whole", request.name), whole.pretty());
        let stream = client.post(&request.path(true), &request.body(true)).await;
        insta::assert_snapshot!(format!("{}-stream", request.name), stream.text);
    }
}

#[tokio::test]
async fn the_conversation_alone_says_which_step_is_next() {
    let steps = [Action::Run("ls".into()), Action::Read("a.txt".into())];
    let gateway = gateway(scripted(steps), Faults::new()).await;
    let client = Client::new(&gateway);
    let call = |name: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": name, "name": "Bash"}]});
    let mut body = REQUESTS[0].body(false);
    let mut turn = async |calls: Vec<Value>| {
        body["messages"] = calls.into();
        client.post("/v1/messages", &body).await.json()["content"][0].clone()
    };
    let first = turn(vec![]).await;
    assert_eq!(first["input"]["command"], "ls");
    assert_eq!(turn(vec![]).await, first, "a retry gets the same turn");
    assert_eq!(turn(vec![call("a")]).await["input"]["file_path"], "/workspace/a.txt");
    assert_eq!(turn(vec![call("a"), call("b")]).await, json!({"type": "text", "text": "All of it is done."}));
}

#[tokio::test]
async fn what_no_provider_has_is_refused_and_logged() {
    let gateway = gateway(scripted([]), Faults::new()).await;
    let client = Client::new(&gateway);
    assert_eq!(client.post("/v1/telemetry?key=secret", &json!({})).await.status, 404);
    assert_eq!(client.post("/v1/messages", &json!({"messages": 1})).await.status, 400);
    let through = client.through_proxy("http://elsewhere.example/v1/messages").await;
    assert_eq!(through, 403);
    let log = gateway.log().to_json_lines();
    assert!(!log.contains("secret"), "a query may hold a key: {log}");
    insta::assert_snapshot!(log);
}

#[tokio::test]
async fn a_tool_that_nobody_knows_is_an_error_that_names_what_is_offered() {
    let gateway = gateway(scripted([Action::Run("ls".into())]), Faults::new()).await;
    let mut body = REQUESTS[0].body(false);
    body["tools"] = json!([{"name": "Telepathy"}]);
    let answer = Client::new(&gateway).post("/v1/messages", &body).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.contains("the agent offers Telepathy"), "{}", answer.text);
}

/// What a client sees of each fault: a status and a body, or how the connection failed.
#[tokio::test]
async fn every_fault_is_what_it_is_called_and_the_next_turn_is_well() {
    let faults = [
        InjectedFault::Status { status: 429, retry_after: Some(120) },
        InjectedFault::Status { status: 500, retry_after: None },
        InjectedFault::Cut { after: 1 },
        InjectedFault::Stall { after: 1 },
        InjectedFault::InvalidJson,
        InjectedFault::Reset,
    ];
    let gateway = gateway(scripted([]), faults.into_iter().enumerate().collect()).await;
    let client = Client::new(&gateway);
    let (path, body) = (REQUESTS[0].path(true), REQUESTS[0].body(true));
    let limited = client.post(&path, &body).await;
    assert_eq!((limited.status, limited.retry_after.as_deref()), (429, Some("120")));
    assert_eq!(client.post(&path, &body).await.status, 500);
    let cut = client.try_post(&path, &body).await.unwrap_err();
    assert!(cut.starts_with("event: message_start"), "{cut}");
    assert!(cut.ends_with("broken off"), "{cut}");
    let stalled = client.try_post(&path, &body).await.unwrap_err();
    assert!(stalled.starts_with("event: message_start") && stalled.ends_with("timed out"), "{stalled}");
    assert_eq!(client.post(&path, &body).await.text, "data: {\"half\": \n\n");
    assert_eq!(client.try_post(&path, &body).await.unwrap_err(), "no answer");
    assert_eq!(client.post(&path, &body).await.status, 200);
    let told: Vec<_> = gateway.log().entries().into_iter().map(|entry| entry.outcome).collect();
    let expected = faults.map(|fault| RequestOutcome::Faulted { fault }).into_iter().chain([RequestOutcome::Scripted]);
    assert_eq!(told, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_reset_is_a_reset_and_no_orderly_end() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let gateway = gateway(scripted([]), Faults::from([(0, InjectedFault::Reset)])).await;
    let mut stream = tokio::net::TcpStream::connect(gateway.address()).await.unwrap();
    let body = REQUESTS[0].body(false).to_string();
    let head = format!("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    let error = stream.read(&mut [0; 64]).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}
