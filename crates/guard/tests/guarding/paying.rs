//! What models' calls cost, and what is not asked.

use serde_json::json;
use slopbench_guard::{FinishedTurn, GuardModel, ModelFailureKind, SemanticOutcome, SessionLoad};

use crate::support::{Project, extracted, merged, scripted, scripted_as};

const REQUEST: &str = "Please use a cosine schedule with 500 warm-up steps.";
const COMMITMENT: [&str; 3] = ["Cosine schedule", "Cosine decay after 500 warm-up steps.", "cosine schedule with 500"];

fn forecast() -> serde_json::Value {
    json!({
        "purpose": "x", "approach": "add", "reason": "x", "records": [], "modules": [], "constraints": [],
        "context_tokens": 0,
    })
}

#[test]
fn what_forecasts_take_is_noted_with_what_turns_take() {
    let project = Project::new();
    let before = |answer| {
        let mut guard = project.guard(Some(scripted(&[("# Forecaster", answer)])));
        guard.before(REQUEST, SessionLoad::default()).unwrap().used
    };
    let (good, bad) = (before(forecast()), before(json!("I would rather not.")));
    let turn = project.turn("Go on.", &[("# Extractor", json!({"commitments": []}))]).used;
    assert_eq!((good.calls, bad.calls, turn.calls), (1, 1, 1));
    let spent = project.guard(None).spent().unwrap();
    assert_eq!((spent.calls, spent.unpriced), (3, 3));
    assert_eq!(spent.tokens.input, good.tokens.input + bad.tokens.input + turn.tokens.input);
    // Who asks nobody notes nothing.
    project.guard(None).before(REQUEST, SessionLoad::default()).unwrap();
    let log = std::fs::read_to_string(project.state().join("forecasts.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["turn"], &lines[1]["failure"]["kind"]), (2, &json!(1), &json!("malformed")));
    project.person_writes("forecasts.jsonl", "{}\n");
    let error = project.guard(None).spent().unwrap_err().to_string();
    assert!(error.contains("forecasts.jsonl:1: missing field `format`"), "{error}");
}

fn sonnet(answers: &[(&str, serde_json::Value)]) -> GuardModel {
    scripted_as("anthropic", "claude-sonnet-4-5", answers)
}

/// At $15 a million tokens, the 16,000 that an answer may have cost $0.24; what is read costs a little beside them.
#[test]
fn a_call_that_may_cost_more_than_is_left_is_not_made_and_the_turn_is_read_later() {
    let add = json!({
        "operation": "add", "record": "schedule", "kind": "decision", "title": "Cosine schedule", "text": "Cosine.",
    });
    let answers = [("# Extractor", extracted(&[COMMITMENT], 1)), ("# Merger", merged(&[add]))];
    let after = |project: &Project, model: GuardModel| {
        let turn = FinishedTurn { request: REQUEST, answer: "" };
        project.guard(Some(model)).after(&turn, &project.now()).unwrap()
    };
    let project = Project::new();
    let report = after(&project, sonnet(&answers).with_budget(Some(0.2)));
    let SemanticOutcome::Failed { failure, .. } = &report.records else { panic!("{report:?}") };
    assert_eq!((failure.kind, report.used.calls, report.unread_turns), (ModelFailureKind::Budget, 0, 1));
    let most = failure.message.strip_prefix("the next call may cost $").unwrap();
    let most = most.strip_suffix(", and $0.0000 of $0.2000 are spent").unwrap().parse::<f64>().unwrap();
    assert!((0.24..0.28).contains(&most), "{failure}");
    // The first call leaves less than the second may cost.
    let report = after(&project, sonnet(&answers).with_budget(Some(most + 0.001)));
    let SemanticOutcome::Failed { failure, .. } = &report.records else { panic!("{report:?}") };
    assert_eq!((failure.kind, report.used.calls), (ModelFailureKind::Budget, 1), "{failure}");
    let report = after(&project, sonnet(&answers).with_budget(Some(1.0)));
    assert!(matches!(report.records, SemanticOutcome::Merged { .. }), "{report:?}");
    assert_eq!((report.used.calls, report.unread_turns), (2, 0));
    // No budget can be kept to where nobody knows a price.
    let report = after(&project, scripted(&answers).with_budget(Some(1.0)));
    let SemanticOutcome::Failed { failure, .. } = &report.records else { panic!("{report:?}") };
    assert_eq!(failure.message, "m has no price, so no budget can be kept to");
}

#[tokio::test]
async fn a_model_can_be_dropped_where_somebodys_runtime_is_at_work() {
    let project = Project::new();
    let report = project.turn(REQUEST, &[("# Extractor", json!({"commitments": []}))]);
    assert_eq!(report.used.calls, 1);
}
