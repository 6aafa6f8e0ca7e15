//! Bad days: whole runs of an agent in its sandbox, with a provider or an agent that fails in one way each. What a provider
//! owes is never the agent's zero; what an agent does wrong is, and has its name.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::{fs, thread, time::Duration};

use serde_json::{Value, json};
use slopbench_gateway::server::{Faults, InjectedFault};
use support::{Bench, Waiting};

/// How often the gateway asks a provider before it passes the failure on, see `RetryPolicy`.
const ATTEMPTS: usize = 8;
/// How often the agent asks the gateway.
const TRIES: usize = 2;

/// The same fault at so many turns, from `first` on.
fn times(first: usize, count: usize, fault: InjectedFault) -> Faults {
    (first..first + count).map(|turn| (turn, fault)).collect()
}

const BUSY: InjectedFault = InjectedFault::Status { status: 429, retry_after: Some(240) };
const BUSY_FOR_LONG: InjectedFault = InjectedFault::Status { status: 429, retry_after: Some(3600) };
const FAILURE: InjectedFault = InjectedFault::Status { status: 500, retry_after: None };
const CUT: InjectedFault = InjectedFault::Cut { after: 1 };
const STALL: InjectedFault = InjectedFault::Stall { after: 1 };

#[test]
fn what_passes_leaves_no_trace_in_the_summary() {
    let bench = Bench::new();
    let undisturbed = bench.run("undisturbed", &Faults::new(), "well");
    assert_eq!(undisturbed.states, ["done 2", "done 2"]);
    assert_eq!(undisturbed.asked(1), ["forwarded 200 after 1", "forwarded 200 after 1"]);

    let rows: [(&str, Faults, &[&str], &[u64]); 8] = [
        ("busy for minutes", times(0, 1, BUSY), &["forwarded 200 after 2"], &[240]),
        ("busy for minutes, twice", times(0, 2, BUSY), &["forwarded 200 after 3"], &[240, 240]),
        ("busy for an hour", times(0, 1, BUSY_FOR_LONG), &["forwarded 429 after 1", "forwarded 200 after 1"], &[]),
        ("failing once", times(0, 1, FAILURE), &["forwarded 200 after 2"], &[1]),
        ("reset once", times(0, 1, InjectedFault::Reset), &["forwarded 200 after 2"], &[1]),
        ("cut once", times(0, 1, CUT), &["broken 200 after 1", "forwarded 200 after 1"], &[]),
        ("stalled once", times(0, 1, STALL), &["broken 200 after 1", "forwarded 200 after 1"], &[]),
        (
            "no JSON once",
            times(0, 1, InjectedFault::InvalidJson),
            &["broken 200 after 1", "forwarded 200 after 1"],
            &[],
        ),
    ];
    for (name, faults, first_turn, waited) in rows {
        let run = bench.run(name, &faults, "well");
        assert_eq!(run.broken, None, "{name}");
        assert_eq!(run.asked(1), [first_turn, &["forwarded 200 after 1"]].concat(), "{name}");
        assert_eq!(run.waited, waited, "{name}");
        assert_eq!(run.summary, undisturbed.summary, "{name}: the summary's bytes");
    }
}

#[test]
fn an_outage_is_nobodys_zero_and_what_is_resumed_ends_like_an_undisturbed_run() {
    let bench = Bench::new();
    let undisturbed = bench.run("undisturbed", &Faults::new(), "well");
    let unreached = "the provider gave no answer: the connection failed (attempt 8)";
    let rows: [(&str, Faults, &str, &[&str], &str); 7] = [
        (
            "failing for long",
            times(0, ATTEMPTS * TRIES, FAILURE),
            "well",
            &["forwarded 500 after 8"; 2],
            "the provider answered with status 500 (attempt 8)",
        ),
        (
            "busy for an hour",
            times(0, TRIES, BUSY_FOR_LONG),
            "well",
            &["forwarded 429 after 1"; 2],
            "the provider answered with status 429 (attempt 1)",
        ),
        ("gone", times(0, ATTEMPTS * TRIES, InjectedFault::Reset), "well", &["unreached 502 after 8"; 2], unreached),
        (
            "cutting",
            times(0, TRIES, CUT),
            "well",
            &["broken 200 after 1"; 2],
            "the provider's answer broke off (attempt 1)",
        ),
        (
            "stalling",
            times(0, TRIES, STALL),
            "well",
            &["broken 200 after 1"; 2],
            "the provider's answer fell silent (attempt 1)",
        ),
        (
            "no JSON",
            times(0, TRIES, InjectedFault::InvalidJson),
            "well",
            &["broken 200 after 1"; 2],
            "the provider's answer is not JSON (attempt 1)",
        ),
        // The agent says that it is done, and has changed nothing.
        (
            "cut unnoticed",
            times(0, 1, CUT),
            "trusting",
            &["broken 200 after 1"],
            "the provider's answer broke off (attempt 1)",
        ),
    ];
    for (name, faults, mood, asked, reason) in rows {
        let run = bench.run(name, &faults, mood);
        assert_eq!(run.states, ["unanswered", "pending"], "{name}");
        assert_eq!(run.outcomes, [format!("unanswered: {reason}")], "{name}");
        let told = format!("{}, checkpoint_1/session: {reason}; `slopbench resume` tries again", bench.trajectory());
        assert_eq!(run.broken.as_deref(), Some(&*told), "{name}");
        assert_eq!(run.asked(1), asked, "{name}");
        assert_eq!(run.summary, None, "{name}: no summary while something is missing");

        let resumed = run.resumed(&bench, "well");
        assert_eq!(resumed.broken, None, "{name}");
        assert_eq!(resumed.summary, undisturbed.summary, "{name}: the summary's bytes");
    }
}

#[test]
fn a_checkpoint_without_answers_is_given_up_and_says_so() {
    let bench = Bench::new();
    let long = times(0, 100 * ATTEMPTS * TRIES, FAILURE);
    let mut run = bench.run("given up", &long, "well");
    for _ in 1..5 {
        assert!(run.broken.as_deref().unwrap().ends_with("`slopbench resume` tries again"));
        run = run.resumed(&bench, "well");
    }
    let before = run.asked(1).len();
    run = run.resumed(&bench, "well");
    let told = run.broken.as_deref().unwrap();
    assert!(told.contains("given up after 5 sessions without answers from its model"), "{told}");
    assert_eq!((run.outcomes.len(), run.asked(1).len()), (0, before), "no further session");
    assert_eq!(run.summary, None);
}

#[test]
fn what_an_agent_asks_of_others_does_not_put_its_session_aside() {
    let bench = Bench::new();
    let run = bench.run("asks another", &Faults::new(), "asks another model at its end");
    assert_eq!(run.states, ["done 2", "done 2"]);
    assert_eq!(run.asked(1).last().unwrap(), "refused 400 after null");
}

#[test]
fn a_killed_sessions_tokens_are_those_that_the_gateway_counted() {
    let bench = Bench::new();
    let run = bench.run("killed", &Faults::new(), "is killed after a turn");
    assert_eq!(run.outcomes[0], "killed by signal 9");
    let record = run.record(1);
    let used = &record["usage"]["claude-sonnet-4-5-20250929"];
    assert!(used["input"].as_u64() > Some(0) && used["output"].as_u64() > Some(0), "{record}");
    assert_eq!(record["counted_by"], "gateway");
    assert!(record["cost_usd"].as_f64() > Some(0.0), "{record}");
}

#[test]
fn what_was_done_before_an_outage_is_not_done_again() {
    let bench = Bench::new();
    let undisturbed = bench.run("undisturbed", &Faults::new(), "well");
    let run = bench.run("later", &times(2, ATTEMPTS * TRIES, FAILURE), "well");
    assert_eq!(run.states, ["done 2", "unanswered"]);
    let began = run.record(1)["began"].clone();
    let resumed = run.resumed(&bench, "well");
    assert_eq!(resumed.record(1)["began"], began);
    assert_eq!(resumed.summary, undisturbed.summary);
}

/// As a kill leaves it after the agent's end and before anything is made of its workspace. The agent would fail now, were it
/// asked again.
#[test]
fn a_session_that_has_ended_is_settled_and_not_done_again() {
    let bench = Bench::new();
    let run = bench.run("killed", &Faults::new(), "well");
    let (session, undisturbed) = (run.session(2), run.summary.clone());
    let tree = run.record(2)["workspace"].as_str().unwrap().to_owned();
    let run_folder = session.ancestors().nth(4).unwrap();
    let ended = run_folder.join("ended").join(bench.trajectory()).join("checkpoint_2/session");
    fs::create_dir_all(&ended).unwrap();
    let seal: Value = serde_json::from_slice(&fs::read(session.join("seal.json")).unwrap()).unwrap();
    let (instrument, spent) = (&seal["instrument"], &seal["spent"]);
    let json = json!({"format": "slopbench.ended/1", "instrument": instrument, "spent": spent, "attempt": 1});
    fs::write(ended.join("ended.json"), json.to_string()).unwrap();
    fs::remove_file(session.join("seal.json")).unwrap();
    fs::rename(&session, ended.join("session")).unwrap();
    fs::rename(run_folder.join("trees").join(tree), ended.join("workspace")).unwrap();
    fs::remove_dir_all(session.with_file_name("grade")).unwrap();
    let resumed = run.resumed(&bench, "exits with 1");
    assert_eq!(resumed.states, ["done 2", "done 2"]);
    assert_eq!(resumed.summary, undisturbed);
    assert!(!run_folder.join("ended").exists());
}

#[test]
fn an_agent_that_does_not_wait_as_long_as_the_provider_says_was_let_down() {
    let bench = Bench::new().waiting(Waiting::Forever);
    let run = bench.run("impatient", &times(0, 9, BUSY), "impatient");
    assert_eq!(run.states, ["unanswered", "pending"]);
    assert_eq!(run.asked(1), ["unfinished after 1"; TRIES]);
    assert_eq!(run.outcomes, ["unanswered: the provider had not answered yet (attempt 1)"]);
}

#[test]
fn what_an_agent_does_wrong_has_its_own_name() {
    let bench = Bench::new();
    let rows = [
        ("exits with 1", "crashed with exit code 1", ["crashed 0", "not-reached 0"]),
        ("does nothing", "unchanged", ["unchanged 0", "unchanged 0"]),
        ("says nothing", "silent", ["silent 0", "not-reached 0"]),
        ("is killed", "killed by signal 9", ["killed 0", "not-reached 0"]),
        ("calls a failure a success", "failed: I cannot go on.", ["failed 0", "not-reached 0"]),
    ];
    for (mood, outcome, states) in rows {
        let run = bench.run(mood, &Faults::new(), mood);
        assert_eq!(run.outcomes[0], outcome, "{mood}");
        assert_eq!(run.states, states, "{mood}");
        assert_eq!(run.broken, None, "{mood}: it is the agent's fault, and the run is complete");
        // Trying again would be a second chance that the paper's protocol does not give.
        assert_eq!(run.resumed(&bench, "well").summary, run.summary, "{mood}");
    }
}

#[test]
fn an_agent_that_hangs_is_stopped_when_its_time_is_up() {
    let run = Bench::new().limited(1).run("hangs", &Faults::new(), "hangs");
    assert_eq!(run.outcomes, ["timed-out"]);
    assert_eq!(run.states, ["timed-out 0", "not-reached 0"]);
}

#[test]
fn a_cassette_holds_whole_answers_alone_and_no_key() {
    let bench = Bench::new().recording();
    let run = bench.run("recorded", &times(0, 1, CUT), "well");
    assert_eq!(run.states, ["done 2", "done 2"]);
    assert_eq!(run.asked(1), ["broken 200 after 1", "recorded 200 after 1", "recorded 200 after 1"]);
    // The first line says what it is.
    let cassette = std::fs::read_to_string(run.session(1).join("cassette.jsonl")).unwrap();
    assert_eq!(cassette.lines().count(), 3, "{cassette}");
}

/// An agent would take processors from the solution that is judged alone.
#[test]
fn no_session_begins_while_a_case_has_to_be_alone() {
    let bench = Bench::new();
    thread::scope(|scope| {
        let alone = bench.gate.enter_alone();
        let running = scope.spawn(|| bench.run("beside", &Faults::new(), "well"));
        // Long enough for one to begin; if the machine is slower than that, the test passes all the same.
        thread::sleep(Duration::from_secs(1));
        assert!(!bench.has_begun("beside"));
        drop(alone);
        assert_eq!(running.join().unwrap().states, ["done 2", "done 2"]);
    });
}
