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
use slopbench_guard::{FinishedTurn, GuardModel, ModelFailureKind, SemanticOutcome};

use crate::support::{Project, extracted, merged, model};

const TURN: FinishedTurn<'_> = FinishedTurn { request: "Please use a cosine schedule.", answer: "" };

/// A provider that gives these answers, one a connection, and ends.
fn provider(answers: Vec<Value>) -> String {
    provider_while(answers, || ())
}

/// The same; `meanwhile` is done once the last question has come.
fn provider_while(answers: Vec<Value>, meanwhile: impl FnOnce() + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (last, mut meanwhile) = (answers.len() - 1, Some(meanwhile));
        for (number, answer) in answers.into_iter().enumerate() {
            let mut stream = listener.accept().unwrap().0;
            read_request(&mut stream);
            if let Some(meanwhile) = meanwhile.take_if(|_| number == last) {
                meanwhile();
            }
            let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
            let body = json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}],
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

/// A model at this address, asked once.
fn forwarded(url: &str) -> GuardModel {
    let provider = Provider::keyed(Api::AnthropicMessages, url, "x-api-key", &Secret::new("key"));
    let policy = RetryPolicy { attempts: 1, longest_wait: Duration::ZERO, total_wait: Duration::ZERO };
    let forwarder = Forwarder::new(vec![provider], policy, Arc::new(SystemClock), Duration::from_secs(5)).unwrap();
    model(Mode::Forward(forwarder))
}

#[test]
fn an_answer_that_is_no_json_is_paid_for_and_one_that_never_came_is_not() {
    let project = Project::new();
    let after = |url: &str| project.guard(Some(forwarded(url))).after(&TURN, &project.now()).unwrap();
    let report = after(&provider(vec![json!("Sorry, no.")]));
    assert_eq!((report.used.calls, report.used.tokens.input, report.used.tokens.output), (1, 800, 50), "{report:?}");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let report = after(&format!("http://{closed}"));
    let SemanticOutcome::Failed { failure, .. } = &report.records else { panic!("{report:?}") };
    assert_eq!((failure.kind, report.used.calls), (ModelFailureKind::Provider, 0));
}

/// An update during which a person does something, once the merger is asked.
fn while_asked(project: &Project, operation: Value, person: impl FnOnce() + Send + 'static) -> SemanticOutcome {
    let commitment = ["Cosine", "A cosine schedule.", "use a cosine schedule"];
    let url = provider_while(vec![extracted(&[commitment], 1), merged(&[operation])], person);
    project.guard(Some(forwarded(&url))).after(&TURN, &project.now()).unwrap().records
}

const GOAL: &str = "---\ntitle: Goal\nstatus: committed\n---\n\nOld.\n";

#[test]
fn a_person_who_writes_while_the_model_is_asked_is_not_written_over() {
    let project = Project::new();
    project.person_writes("design/goal.md", GOAL);
    let (file, theirs) = (project.state().join("design/goal.md"), GOAL.replace("Old", "Old, and mine"));
    let edit = json!({"operation": "edit", "commitment": 1, "record": "goal", "find": "Old", "text": "New"});
    let (path, content) = (file.clone(), theirs.clone());
    let outcome = while_asked(&project, edit, move || std::fs::write(path, content).unwrap());
    let SemanticOutcome::Failed { failure, .. } = &outcome else { panic!("{outcome:?}") };
    assert_eq!(failure.kind, ModelFailureKind::ChangedMeanwhile);
    assert_eq!(std::fs::read_to_string(file).unwrap(), theirs);
    let guard = project.guard(None);
    assert_eq!((guard.turns().len(), guard.unread_turns().len()), (1, 1), "the turn is in the log, and unread");
    assert_eq!(guard.turns()[0].outcome, outcome);
}

#[test]
fn a_record_that_a_person_removes_or_writes_while_the_model_is_asked_is_not_built_upon() {
    let add = json!({
        "operation": "add", "commitment": 1, "record": "schedule", "kind": "decision", "title": "Cosine", "text": "x",
    });
    let relate = json!({"operation": "relate", "record": "kept", "relation": "depends-on", "to": "goal"});
    let project = Project::new();
    project.person_writes("design/goal.md", GOAL);
    project.person_writes("design/kept.md", GOAL);
    let (goal, theirs) = (project.state().join("design/goal.md"), project.state().join("design/schedule.md"));
    let removed = while_asked(&project, relate, move || std::fs::remove_file(goal).unwrap());
    let written = while_asked(&project, add, move || std::fs::write(theirs, GOAL).unwrap());
    for (outcome, expected) in [(removed, "a person removed `goal`"), (written, "a person wrote a record `schedule`")] {
        let SemanticOutcome::Failed { failure, .. } = outcome else { panic!("{expected}: {outcome:?}") };
        assert_eq!(failure.kind, ModelFailureKind::ChangedMeanwhile);
        assert!(failure.message.starts_with(expected), "{failure}");
    }
    let guard = project.guard(None);
    assert_eq!((guard.turns().len(), guard.semantic().records().len()), (2, 2));
}
