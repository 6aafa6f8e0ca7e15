//! `slopbench guard` beside an agent in one's own repository.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// A project with a little code and no state.
struct Project(TempDir);

const EXTRACTED: &str = r#"{"commitments": [{"kind": "design", "title": "The loss is symmetric", "statement": "Both terms weigh 1/2.",
 "turn": 1, "source": "request", "quote": "the loss symmetric"}]}"#;
const MERGED: &str = r#"{"operations": [{"operation": "add", "commitment": 1, "record": "loss", "kind": "design",
 "title": "The loss is symmetric", "find": "", "text": "Both terms weigh 1/2.", "relation": "", "to": ""}]}"#;
const FORECAST: &str = r#"{"purpose": "Training is to stop early.", "approach": "revise", "reason": "There is a loop.",
 "records": ["loss"], "modules": [{"path": "train.py", "advice": "revise", "why": "it is the loop"}], "constraints": [],
 "context_tokens": 0}"#;

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("train.py", "from loss import loss\n\ndef train(rate: float):\n    return loss(rate, 1)\n");
        project.write("loss.py", "def loss(a, b):\n    return a + b\n");
        let answer = |asked: &str, text: &str| format!("[[answers]]\nasked = \"{asked}\"\ntext = '''{text}'''\n");
        let answers = [("# Extractor", EXTRACTED), ("# Merger", MERGED), ("# Forecaster", FORECAST)];
        let answers: String = answers.map(|(asked, text)| answer(asked, text)).concat();
        project.write("answers.toml", &format!("format = \"slopbench.script/1\"\nfinish = \"\"\n{answers}"));
        project
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.path().join(path), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
        command.args(args).current_dir(self.0.path()).env("XDG_CONFIG_HOME", self.0.path());
        command.output().unwrap()
    }

    /// What `args` print, and say beside it, with this exit code.
    fn said(&self, args: &[&str], code: i32) -> (String, String) {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.said(&[&["--json"], args].concat(), 0).0).unwrap()
    }
}

const REQUEST: [&str; 2] = ["--request", "Make the loss symmetric."];
const SCRIPTED: [&str; 4] = ["--model", "anthropic:m", "--script", "answers.toml"];

#[test]
fn a_turn_of_ones_own_agent_is_kept_and_told_to_the_next_session() {
    let project = Project::new();
    let (said, _) = project.said(&["guard", "init"], 0);
    assert!(said.starts_with("./.projectguard: 2 source files, 2 signatures, 2 of them for others\n"), "{said}");
    project.write("loss.py", "def loss(a, b, weight):\n    return a + b\n");
    let update = [&["guard", "update"], &REQUEST[..], &SCRIPTED].concat();
    let (said, _) = project.said(&update, 0);
    for part in [
        "turn 1: 0 files added, 1 modified, 0 removed, 0 renamed\n",
        "loss.py: def loss(a, b) -> def loss(a, b, weight) (imported by train.py)\n",
        "records: added loss; edited none; retired none; 0 relations\n",
        "2 calls, ",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let record = fs::read_to_string(project.0.path().join(".projectguard/design/loss.md")).unwrap();
    let expected = "---\ntitle: The loss is symmetric\nstatus: committed\nturns: 1\n---\n\nBoth terms weigh 1/2.\n";
    assert_eq!(record, expected);
    let status = project.json(&["guard", "status"]);
    assert_eq!((&status["designs"], &status["turns"], &status["unread_turns"]), (&1.into(), &1.into(), &0.into()));
    fs::copy(
        project.0.path().join(".projectguard/design/loss.md"),
        project.0.path().join(".projectguard/design/other.md"),
    )
    .unwrap();
    project.write(".projectguard/edges.csv", "from,relation,to\nloss,conflicts-with,other\n");
    let (_, beside) = project.said(&["guard", "status"], 0);
    assert!(beside.contains("`loss` and `other` hold and conflict: edit or retire one of the two"), "{beside}");
    fs::remove_file(project.0.path().join(".projectguard/design/other.md")).unwrap();
    project.write(".projectguard/edges.csv", "from,relation,to\nloss,refines,goal\n");
    let (brief, beside) = project.said(&["guard", "brief"], 0);
    assert!(beside.contains("edges.csv:2: there is no record `goal`, and the relation does not count"), "{beside}");
    assert!(brief.contains("- **loss** The loss is symmetric\n  Both terms weigh 1/2.\n"), "{brief}");
    let (told, _) = project.said(&[&["guard", "forecast", "--request", "Stop early."], &SCRIPTED[..]].concat(), 0);
    assert!(told.contains("Training is to stop early.") && told.ends_with("# Request\n\nStop early.\n"), "{told}");
    // Two calls after the turn, and the forecast's.
    assert_eq!(project.json(&["guard", "status"])["spent"]["calls"], 3);
    let (status, _) = project.said(&["guard", "status"], 0);
    assert!(status.contains("models      3 calls, "), "{status}");
}

#[test]
fn what_may_cost_more_than_the_budget_is_not_asked() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    let priced = ["--model", "sonnet-4.5", "--script", "answers.toml", "--budget-usd", "0.01"];
    let (said, beside) = project.said(&[&["guard", "update"], &REQUEST[..], &priced].concat(), 1);
    assert!(beside.contains("extractor: the next call may cost $0.2"), "{beside}");
    assert!(said.contains("turn 1: ") && !said.contains("calls"), "{said}");
    assert_eq!(project.json(&["guard", "status"])["unread_turns"], 1);
}

#[test]
fn without_a_model_the_code_is_kept_and_what_is_not_done_is_said() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    let (said, beside) = project.said(&[&["guard", "update", "--no-model"], &REQUEST[..]].concat(), 0);
    assert!(said.contains("turn 1: 0 files added"), "{said}");
    assert!(beside.contains("no model was asked: what this turn commits the project to is not recorded"), "{beside}");
    let (told, beside) = project.said(&[&["guard", "forecast", "--no-model"], &REQUEST[..]].concat(), 0);
    assert!(told.contains("`def train(rate: float)`") && beside.contains("no forecast"), "{told}{beside}");
    assert_eq!(project.json(&["guard", "status"])["unread_turns"], 1);
}

#[test]
fn an_answer_that_comes_to_nothing_is_a_failed_check() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    project.write(
        "answers.toml",
        "format = \"slopbench.script/1\"\nfinish = \"\"\n[[answers]]\nasked = \"#\"\ntext = \"no\"\n",
    );
    let (_, beside) = project.said(&[&["guard", "update"], &REQUEST[..], &SCRIPTED].concat(), 1);
    assert!(beside.contains("failed: extractor: the answer is malformed: it is not JSON"), "{beside}");
    assert!(beside.contains("the records do not have this turn"), "{beside}");
    // Nor is anything made up in the place of what a script does not say.
    project.write("answers.toml", "format = \"slopbench.script/1\"\nfinish = \"\"\n");
    let (_, beside) = project.said(&[&["guard", "update"], &REQUEST[..], &SCRIPTED].concat(), 1);
    assert!(beside.contains("the records do not have this turn"), "{beside}");
    assert_eq!(project.json(&["guard", "status"])["unread_turns"], 2);
}

#[test]
fn what_is_wrong_is_named() {
    let project = Project::new();
    let (_, beside) = project.said(&["guard", "status"], 2);
    assert!(beside.contains("no state of a project is there; begin one with `slopbench guard init`"), "{beside}");
    project.said(&["guard", "init"], 0);
    let (_, beside) = project.said(&["guard", "init"], 2);
    assert!(beside.contains("there is a state of a project already"), "{beside}");
    let (_, beside) = project.said(&[&["guard", "update"], &REQUEST[..]].concat(), 2);
    assert!(beside.contains("--model <NAME>"), "{beside}");
    let (_, beside) = project.said(&[&["guard", "update", "--model", "nobody:m"], &REQUEST[..]].concat(), 2);
    assert!(beside.contains("nobody"), "{beside}");
    fs::create_dir_all(project.0.path().join(".projectguard/design")).unwrap();
    project.write(".projectguard/design/goal.md", "---\ntitel: x\n---\n");
    let (_, beside) = project.said(&["guard", "brief"], 2);
    assert!(beside.contains("goal.md:2: `titel` is no key; the keys are title, status, turns and pinned"), "{beside}");
}

#[test]
fn a_forecast_that_needs_more_than_is_left_of_the_window_begins_a_fresh_session() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    let settings = fs::read_to_string(project.0.path().join(".projectguard/guard.toml")).unwrap();
    project.write(".projectguard/guard.toml", &settings.replace("[restart]", "[restart]\nwindow_tokens = 1000"));
    let script = fs::read_to_string(project.0.path().join("answers.toml")).unwrap();
    project.write("answers.toml", &script.replace("\"context_tokens\": 0", "\"context_tokens\": 101"));
    let session = ["--session-turns", "3", "--context-tokens"];
    let forecast = [&["guard", "forecast"], &REQUEST[..], &SCRIPTED, &session].concat();
    let (told, beside) = project.said(&[&forecast[..], &["900"]].concat(), 0);
    assert!(
        told.contains("You continue a project that is under way") && told.contains("Make the loss symmetric."),
        "{told}"
    );
    assert!(told.contains("Training is to stop early."), "{told}");
    assert!(beside.contains("begin a fresh session, with what is printed: 100 tokens of context are left"), "{beside}");
    let brief = project.json(&[&forecast[..], &["900"]].concat());
    assert_eq!((&brief["restart"]["reason"], &brief["restart"]["needed"]), (&"forecast".into(), &101.into()));
    let (told, beside) = project.said(&[&forecast[..], &["800"]].concat(), 0);
    assert!(!told.contains("You continue a project") && !beside.contains("fresh session"), "{told}{beside}");
}

#[test]
fn what_is_told_has_the_code_as_it_is_and_the_request_to_the_letter() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    project.write("loss.py", "def loss(a, b, weight):\n    return a + b\n");
    project.write("request.md", "\u{feff}Make it\r\n\tsymmetric.\r\n");
    let (told, _) = project.said(&["guard", "forecast", "--no-model", "--request-file", "request.md"], 0);
    assert!(told.contains("`def loss(a, b, weight)`"), "people have worked on it since: {told}");
    assert!(told.ends_with("\u{feff}Make it\r\n\tsymmetric.\n"), "{told:?}");
    let (brief, _) = project.said(&["guard", "brief"], 0);
    assert!(brief.contains("`def loss(a, b, weight)`"), "{brief}");
    // A turn's report is of what changed since the turn before.
    let (said, _) = project.said(&[&["guard", "update", "--no-model"], &REQUEST[..]].concat(), 0);
    assert!(said.contains("1 modified"), "{said}");
    let (_, beside) = project.said(&["guard", "status", "--revision", "HEAD"], 2);
    assert!(beside.contains("--revision"), "{beside}");
}

#[test]
fn a_forecast_that_comes_to_nothing_is_a_failed_check_and_the_brief_is_printed() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    project.write(
        "answers.toml",
        "format = \"slopbench.script/1\"\nfinish = \"\"\n[[answers]]\nasked = \"#\"\ntext = \"no\"\n",
    );
    let (told, beside) = project.said(&[&["guard", "forecast"], &REQUEST[..], &SCRIPTED].concat(), 1);
    assert!(beside.contains("failed: forecaster: the answer is malformed") && told.contains("def train"), "{beside}");
}

#[test]
fn what_is_recorded_already_is_not_written_over() {
    let project = Project::new();
    project.said(&["guard", "init"], 0);
    project.write("cassette.jsonl", "paid for\n");
    let record = ["--model", "anthropic:m", "--record", "cassette.jsonl"];
    let (_, beside) = project.said(&[&["guard", "update"], &REQUEST[..], &record].concat(), 2);
    assert!(beside.contains("cassette.jsonl: it is there already"), "{beside}");
}
