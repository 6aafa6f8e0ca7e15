//! Recorded models: what was answered once is answered again without a provider.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    provider::{Provider, Secret},
    server::{Forwarder, Mode},
};
use slopbench_guard::{FinishedTurn, ModelFailureKind, SemanticOutcome};

use crate::support::{Project, extracted, merged, model};

const TURN: FinishedTurn<'_> = FinishedTurn { request: "Please use a cosine schedule.", answer: "" };

/// A provider that gives these answers, one a connection, and ends.
fn provider(answers: Vec<Value>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for answer in answers {
            let mut stream = listener.accept().unwrap().0;
            read_request(&mut stream);
            let body = json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": answer.to_string()}],
                "usage": {"input_tokens": 800, "output_tokens": 50},
            });
            let (body, kind) = (body.to_string(), "content-type: application/json");
            let head = format!("HTTP/1.1 200 OK\r\n{kind}\r\ncontent-length: {}\r\nconnection: close", body.len());
            stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        }
    });
    url
}

fn read_request(stream: &mut impl Read) {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut buffer).unwrap();
        request.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            return;
        }
    }
}

#[test]
fn a_recorded_turn_is_replayed_without_a_provider() {
    let add = json!({
        "operation": "add", "commitment": 1, "record": "schedule", "kind": "decision", "title": "Cosine", "text": "x",
    });
    let commitment = ["Cosine", "A cosine schedule.", "use a cosine schedule"];
    let url = provider(vec![extracted(&[commitment], 1), merged(&[add])]);
    let provider = Provider::keyed(Api::AnthropicMessages, &url, "x-api-key", &Secret::new("key"));
    let wait = Duration::from_millis(1);
    let policy = RetryPolicy { attempts: 1, longest_wait: wait, total_wait: wait };
    let forwarder = Forwarder::new(vec![provider], policy, Arc::new(SystemClock), Duration::from_secs(5)).unwrap();
    let recorder = Client::recorder("guard");
    let recorded = Project::new();
    let mut guard = recorded.guard(Some(model(Mode::Record(forwarder, recorder.clone()))));
    let first = guard.after(&TURN, &recorded.now()).unwrap();
    assert!(matches!(first.records, SemanticOutcome::Merged { .. }), "{first:?}");
    assert_eq!((first.used.calls, first.used.tokens.input, first.used.unpriced), (2, 1600, 2));
    let cassette = recorded.state().join("cassette.jsonl");
    guard.model().unwrap().save(&recorder, &cassette).unwrap();

    let replayed = Project::new();
    let again = |turn| {
        let replay = model(Mode::Replay(Client::replay(&cassette).unwrap()));
        replayed.guard(Some(replay)).after(&turn, &replayed.now()).unwrap()
    };
    assert_eq!(again(TURN), first);
    assert_eq!(replayed.records(), recorded.records());
    let SemanticOutcome::Failed { failure, .. } = again(TURN).records else { panic!("another request") };
    assert_eq!(failure.kind, ModelFailureKind::NotRecorded);
}

#[test]
fn a_person_who_writes_while_the_model_is_asked_is_not_written_over() {
    let project = Project::new();
    project.person_writes("design/goal.md", "---\ntitle: Goal\nstatus: committed\n---\n\nOld.\n");
    let theirs = "---\ntitle: Goal\nstatus: committed\n---\n\nOld, and mine.\n";
    let edit = json!({"operation": "edit", "commitment": 1, "record": "goal", "find": "Old", "text": "New"});
    let commitment = ["Cosine", "A cosine schedule.", "use a cosine schedule"];
    let (url, state) = (provider(vec![extracted(&[commitment], 1), merged(&[edit])]), project.state());
    // The person is as quick as the provider: the file changes between what the state was read from and the answer.
    let provider = Provider::keyed(Api::AnthropicMessages, &url, "x-api-key", &Secret::new("key"));
    let clock = Arc::new(SystemClock);
    let policy = RetryPolicy { attempts: 1, longest_wait: Duration::ZERO, total_wait: Duration::ZERO };
    let forwarder = Forwarder::new(vec![provider], policy, clock, Duration::from_secs(5)).unwrap();
    let mut guard = project.guard(Some(model(Mode::Forward(forwarder))));
    let tree = project.now();
    let report = thread::scope(|scope| {
        let update = scope.spawn(move || guard.after(&TURN, &tree).unwrap());
        // At once, as editors do.
        std::fs::write(state.join("goal.md~"), theirs).unwrap();
        std::fs::rename(state.join("goal.md~"), state.join("design/goal.md")).unwrap();
        update.join().unwrap()
    });
    let content = std::fs::read_to_string(state.join("design/goal.md")).unwrap();
    // Which of the two came first is chance; nothing of the person's is lost either way.
    assert!(content.contains("and mine"), "{content}");
    let outcome = serde_json::to_string(&report.records).unwrap();
    assert!(outcome.contains("changed-meanwhile") || content.contains("New, and mine"), "{outcome}");
}
