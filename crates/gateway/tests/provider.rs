//! Forwarding, recording and replaying, with a scripted gateway in the provider's place.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::{
    path::Path,
    pin::Pin,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use client::{Client, REQUESTS, gateway, player};
use serde_json::json;
use slopbench_gateway::{
    api::Api,
    backoff::{Clock, RetryPolicy},
    cassette::{Cassette, Replay},
    provider::{Provider, Secret},
    request_key::SessionPaths,
    script::{Action, Script},
    server::{Faults, Forwarder, Gateway, InjectedFault, Mode, Recorder, RequestOutcome},
};

/// A clock on which any wait is over at once; it keeps how long each would have been.
#[derive(Debug, Default)]
struct MockClock(Mutex<Vec<Duration>>);

impl Clock for MockClock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0.lock().unwrap().push(time);
        Box::pin(std::future::ready(()))
    }
}

impl MockClock {
    fn seconds(&self) -> Vec<u64> {
        self.0.lock().unwrap().iter().map(Duration::as_secs).collect()
    }
}

const KEY: &str = "canary-key";

async fn provider(faults: Faults) -> Gateway {
    let script = Script::of_actions([Action::Run("ls".into()), Action::Write("a.txt".into(), "one\n".into())]);
    gateway(Mode::Scripted(player(script)), faults).await
}

fn forwarder(provider: &Gateway, clock: &Arc<MockClock>) -> Forwarder {
    let apis = [Api::AnthropicMessages, Api::OpenaiResponses, Api::OpenaiChat, Api::Gemini];
    let open = |api| Provider::keyed(api, provider.url(), "x-api-key", &Secret::new(KEY));
    let clock = Arc::clone(clock) as Arc<dyn Clock>;
    let idle = Duration::from_millis(400);
    Forwarder::new(apis.map(open).to_vec(), RetryPolicy::default(), clock, idle).unwrap()
}

fn places() -> SessionPaths {
    SessionPaths { workspace: "/workspace".into(), home: "/agent".into() }
}

/// Sends one turn through a forwarding gateway before a provider with this fault; what the agent got, what the gateway
/// logged, and how long it waited.
async fn meet(fault: InjectedFault) -> (Result<u16, String>, Vec<RequestOutcome>, Vec<u64>) {
    let provider = provider(Faults::from([(0, fault)])).await;
    let clock = Arc::new(MockClock::default());
    let gateway = gateway(Mode::Forward(forwarder(&provider, &clock)), Faults::new()).await;
    let answer = Client::new(&gateway).try_post("/v1/messages", &REQUESTS[0].body(true)).await;
    let outcomes = gateway.log().entries().into_iter().map(|entry| entry.outcome).collect();
    (answer.map(|answer| answer.status), outcomes, clock.seconds())
}

#[tokio::test]
async fn minutes_are_waited_when_the_provider_says_minutes() {
    let (answer, log, waited) = meet(InjectedFault::Status { status: 429, retry_after: Some(240) }).await;
    assert_eq!((answer, log, waited), (Ok(200), vec![RequestOutcome::Forwarded { attempts: 2 }], vec![240]));
}

#[tokio::test]
async fn a_failing_provider_is_asked_again_and_so_is_one_that_resets() {
    for fault in [InjectedFault::Status { status: 500, retry_after: None }, InjectedFault::Reset] {
        let (answer, log, waited) = meet(fault).await;
        assert_eq!((answer, log, waited.len()), (Ok(200), vec![RequestOutcome::Forwarded { attempts: 2 }], 1));
    }
}

#[tokio::test]
async fn an_hour_is_not_waited_for_but_passed_on() {
    let (answer, log, waited) = meet(InjectedFault::Status { status: 429, retry_after: Some(3600) }).await;
    assert_eq!((answer, log, waited), (Ok(429), vec![RequestOutcome::Forwarded { attempts: 1 }], vec![]));
}

#[tokio::test]
async fn an_answer_that_breaks_off_or_stalls_is_broken_for_the_agent_and_in_the_log() {
    for (fault, reason) in
        [(InjectedFault::Cut { after: 1 }, "broke off"), (InjectedFault::Stall { after: 1 }, "fell silent")]
    {
        let (answer, log, _) = meet(fault).await;
        let got = answer.unwrap_err();
        assert!(got.starts_with("event: message_start") && got.ends_with("broken off"), "{got}");
        assert_eq!(log, [RequestOutcome::Broken { attempts: 1, reason: format!("the provider's answer {reason}") }]);
    }
}

#[tokio::test]
async fn no_provider_means_no_way_out() {
    let clock = Arc::new(MockClock::default()) as Arc<dyn Clock>;
    let forwarder = Forwarder::new(vec![], RetryPolicy::default(), clock, Duration::from_secs(1)).unwrap();
    let gateway = gateway(Mode::Forward(forwarder), Faults::new()).await;
    assert_eq!(Client::new(&gateway).post("/v1/messages", &REQUESTS[0].body(true)).await.status, 403);
}

/// Records one turn of every API in both ways; gives the cassette and what was answered.
async fn record(cassette: &Path) -> Vec<String> {
    let provider = provider(Faults::new()).await;
    let recorder = Recorder::new("test 1", places());
    let mode = Mode::Record(forwarder(&provider, &Arc::default()), recorder.clone());
    let gateway = gateway(mode, Faults::new()).await;
    let answers = ask_all(&gateway).await;
    recorder.save(cassette).await.unwrap();
    answers
}

async fn ask_all(gateway: &Gateway) -> Vec<String> {
    let client = Client::new(gateway);
    let mut answers = Vec::new();
    for (request, stream) in REQUESTS.iter().flat_map(|request| [(request, false), (request, true)]) {
        answers.push(client.post(&request.path(stream), &request.body(stream)).await.text);
    }
    answers
}

#[tokio::test]
async fn what_is_recorded_is_replayed_word_for_word_and_holds_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette");
    let recorded = record(&path).await;
    assert!(!std::fs::read_to_string(&path).unwrap().contains(KEY));
    let replay = Replay::new(Cassette::load(&path).unwrap(), &places()).unwrap();
    let gateway = gateway(Mode::Replay(replay), Faults::new()).await;
    assert_eq!(ask_all(&gateway).await, recorded);
    assert!(gateway.log().entries().iter().all(|entry| entry.outcome == RequestOutcome::Replayed { drifted: false }));
}

#[tokio::test]
async fn two_recordings_of_one_session_are_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    record(&one).await;
    record(&two).await;
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
}

#[tokio::test]
async fn a_miss_is_an_error_at_once_and_says_what_is_different() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette");
    record(&path).await;
    let replay = Replay::new(Cassette::load(&path).unwrap(), &places()).unwrap();
    let gateway = gateway(Mode::Replay(replay), Faults::new()).await;
    let mut body = REQUESTS[0].body(false);
    body["messages"] = json!([{"role": "user", "content": "Stop."}]);
    let answer = Client::new(&gateway).post("/v1/messages", &body).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.contains("differs first in messages[0]"), "{}", answer.text);
    assert!(matches!(&gateway.log().entries()[0].outcome, RequestOutcome::Missed { .. }));
}

#[tokio::test]
async fn a_broken_answer_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette");
    let provider = provider(Faults::from([(0, InjectedFault::Cut { after: 2 })])).await;
    let recorder = Recorder::new("test 1", places());
    let mode = Mode::Record(forwarder(&provider, &Arc::default()), recorder.clone());
    let gateway = gateway(mode, Faults::new()).await;
    let client = Client::new(&gateway);
    client.try_post("/v1/messages", &REQUESTS[0].body(true)).await.unwrap_err();
    client.post("/v1/messages", &REQUESTS[0].body(true)).await;
    recorder.save(&path).await.unwrap();
    assert_eq!(Cassette::load(&path).unwrap().exchanges.len(), 1);
}

/// Each request keeps a few hundred bytes per message: an agent may ask a model that costs nothing without end.
#[tokio::test]
async fn a_recording_is_bounded_and_what_is_beyond_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette");
    let provider = provider(Faults::new()).await;
    let recorder = Recorder::new("test 1", places());
    let mode = Mode::Record(forwarder(&provider, &Arc::default()), recorder.clone());
    let gateway = gateway(mode, Faults::new()).await;
    let messages: Vec<_> = (0..10_000).map(|number| json!({"role": "user", "content": number.to_string()})).collect();
    let body = json!({"model": "m", "max_tokens": 9, "messages": messages});
    let mut recorded = 0;
    while Client::new(&gateway).post("/v1/messages", &body).await.status == 200 {
        recorded += 1;
        assert!(recorded < 100, "there is no end");
    }
    assert_eq!(gateway.log().entries().last().unwrap().status, Some(413));
    recorder.save(&path).await.unwrap();
    assert!(recorded > 10);
    assert_eq!(Cassette::load(&path).unwrap().exchanges.len(), recorded);
}
