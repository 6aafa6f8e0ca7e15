//! What models answer, and what becomes of it.

use serde_json::{Value, json};
use slopbench_guard::{FinishedTurn, GuardStage, ModelFailureKind, SemanticOutcome, SessionLoad};

use crate::support::{Project, extracted, merged, scripted};

const REQUEST: &str = "Please use a cosine schedule with 500 warm-up steps.";
const COMMITMENT: [&str; 3] = ["Cosine schedule", "Cosine decay after 500 warm-up steps.", "cosine schedule with 500"];

fn add() -> Value {
    json!({
        "operation": "add", "commitment": 1, "record": "schedule", "kind": "decision", "title": "Cosine schedule",
        "text": "Cosine decay after 500 warm-up steps.",
    })
}

/// The answers to the extractor and the merger of turn `turn`.
fn answers(turn: u32, operations: &[Value]) -> [(String, Value); 2] {
    let extracted = extracted(&[COMMITMENT], turn);
    [(format!("# Extractor, turn {turn}\n"), extracted), (format!("# Merger, turn {turn}\n"), merged(operations))]
}

fn turn(project: &Project, number: u32, operations: &[Value]) -> SemanticOutcome {
    let answers = answers(number, operations);
    let answers: Vec<_> = answers.iter().map(|(asked, answer)| (asked.as_str(), answer.clone())).collect();
    project.turn(REQUEST, &answers).records
}

#[test]
fn a_commitment_becomes_a_record_and_the_next_one_an_edit_of_it() {
    let project = Project::new();
    let SemanticOutcome::Merged { changes, .. } = turn(&project, 1, &[add()]) else { panic!("merged") };
    assert_eq!((changes.added.len(), changes.edited.len()), (1, 0));
    let edit = json!({"operation": "edit", "commitment": 1, "record": "schedule", "find": "500", "text": "1000"});
    let SemanticOutcome::Merged { changes, .. } = turn(&project, 2, &[edit]) else { panic!("merged") };
    assert_eq!((changes.added.len(), changes.edited.len()), (0, 1));
    let guard = project.guard(None);
    let record = guard.semantic().get("schedule").unwrap();
    assert_eq!((record.turns.clone(), record.text.as_str()), (vec![1, 2], "Cosine decay after 1000 warm-up steps."));
    let retire = json!({"operation": "retire", "record": "schedule", "text": "The rate is constant."});
    let SemanticOutcome::Merged { changes, .. } = turn(&project, 3, &[retire]) else { panic!("merged") };
    assert_eq!(changes.retired.len(), 1);
    assert!(project.guard(None).semantic().committed().is_empty());
    assert!(project.records().iter().any(|(name, _)| name == "decision/schedule.md"), "it is kept");
}

#[test]
fn what_nobody_said_is_left_out_and_named() {
    let cases = [
        (REQUEST, "a linear schedule", "request", "x"),
        // Too little to show anything.
        (REQUEST, "use a", "request", "x"),
        // An answer that carried nothing out is a proposal.
        (REQUEST, "Done as asked.", "answer", "x"),
    ];
    for (request, quote, source, title) in cases {
        let project = Project::new();
        let commitment = json!({
            "kind": "design", "title": title, "statement": "y", "turn": 1, "source": source, "quote": quote,
        });
        let report = project.turn(request, &[("# Extractor", json!({"commitments": [commitment]}))]);
        let expected = SemanticOutcome::NothingCommitted { ungrounded: vec!["x".to_owned()] };
        assert_eq!(report.records, expected, "{quote}");
        assert_eq!(report.used.calls, 1, "the merger is not asked");
    }
    // The same words count once files changed.
    let project = Project::new();
    project.write("a.py", "A = 1\n");
    let commitment = json!({
        "kind": "design", "title": "x", "statement": "y", "turn": 1, "source": "answer", "quote": "Done as asked.",
    });
    let answers = [("# Extractor", json!({"commitments": [commitment]})), ("# Merger", merged(&[add()]))];
    assert!(matches!(project.turn(REQUEST, &answers).records, SemanticOutcome::Merged { .. }));
}

#[test]
fn a_failure_has_a_name_and_leaves_the_records_as_they_are() {
    let add_with = |member: &str, value: Value| {
        let mut operation = add();
        operation[member] = value;
        merged(&[operation])
    };
    let add_with_no_commitment = || add_with("commitment", 0.into());
    let operation = |value: Value| merged(&[value]);
    let long = "x".repeat(5_000);
    let good = extracted(&[COMMITMENT], 1);
    let of_merger = [
        (json!("I would rather not."), ModelFailureKind::Malformed, "it is not JSON"),
        (json!({"operations": [{"operation": "add"}]}), ModelFailureKind::Malformed, "missing field"),
        (json!({"operations": [], "more": 1}), ModelFailureKind::Malformed, "unknown field `more`"),
        (add_with("kind", "idea".into()), ModelFailureKind::Unsound, "operation 1: `idea` is no kind of record"),
        (add_with("record", "The schedule".into()), ModelFailureKind::Unsound, "`The schedule` is no id"),
        (add_with("record", "goal".into()), ModelFailureKind::Unsound, "there is a record `goal` already: edit it"),
        (
            add_with("title", "the loss IS symmetric".into()),
            ModelFailureKind::Unsound,
            "`goal` has this title already: edit it",
        ),
        (add_with("title", "".into()), ModelFailureKind::Unsound, "a title is one line"),
        (add_with("text", long.clone().into()), ModelFailureKind::Unsound, "a text of 5000 bytes, of at most 4000"),
        (
            merged(&[
                add(),
                json!({"operation": "edit", "record": "goal", "find": "Both", "text": "x", "commitment": 2}),
            ]),
            ModelFailureKind::Unsound,
            "operation 2: there is no commitment 2",
        ),
        (
            operation(json!({"operation": "edit", "record": "goal", "find": "e", "text": "x"})),
            ModelFailureKind::Unsound,
            "`goal` has what is to be edited 4 times, not once",
        ),
        (
            operation(json!({"operation": "edit", "record": "gaol", "find": "e", "text": "x"})),
            ModelFailureKind::Unsound,
            "no record `gaol` holds",
        ),
        (
            operation(json!({"operation": "retire", "record": "kept"})),
            ModelFailureKind::Unsound,
            "`kept` is pinned: only people may change it",
        ),
        (
            operation(json!({"operation": "retire", "record": "goal", "commitment": 0})),
            ModelFailureKind::Unsound,
            "operation 1: it carries out no commitment",
        ),
        (add_with_no_commitment(), ModelFailureKind::Unsound, "operation 1: it carries out no commitment"),
        (
            merged(&[add(), json!({"operation": "retitle", "record": "schedule", "title": "The loss is SYMMETRIC"})]),
            ModelFailureKind::Unsound,
            "operation 2: `goal` has this title already: edit it",
        ),
        (
            operation(json!({"operation": "relate", "record": "goal", "relation": "motivates", "to": "kept"})),
            ModelFailureKind::Unsound,
            "`goal` motivates `kept`",
        ),
        (
            operation(json!({"operation": "relate", "record": "goal", "relation": "likes", "to": "kept"})),
            ModelFailureKind::Unsound,
            "`likes` is no relation",
        ),
    ];
    let of_merger = of_merger.map(|(answer, kind, message)| (good.clone(), answer, GuardStage::Merger, kind, message));
    let of_extractor = [
        (json!("{\"commitments\": ["), ModelFailureKind::Malformed, "it is not JSON"),
        (json!({"commitments": [{"kind": "wish"}]}), ModelFailureKind::Malformed, "unknown variant `wish`"),
        (extracted(&[COMMITMENT; 21], 1), ModelFailureKind::Unsound, "21 commitments, of at most 20"),
    ];
    let of_extractor =
        of_extractor.map(|(answer, kind, message)| (answer, merged(&[]), GuardStage::Extractor, kind, message));
    for (extractor, merger, stage, kind, message) in of_merger.into_iter().chain(of_extractor) {
        let project = Project::new();
        let text = "\nBoth terms weigh the same.\n";
        project.person_writes(
            "design/goal.md",
            &format!("---\ntitle: The loss is symmetric\nstatus: committed\n---\n{text}"),
        );
        project.person_writes("design/kept.md", "---\ntitle: Kept\nstatus: committed\npinned: yes\n---\n");
        let before = project.records();
        let report = project.turn(REQUEST, &[("# Extractor", extractor), ("# Merger", merger)]);
        let SemanticOutcome::Failed { stage: at, failure, .. } = &report.records else {
            panic!("{message}: {report:?}")
        };
        assert_eq!((*at, failure.kind), (stage, kind), "{failure}");
        assert!(failure.message.contains(message), "{failure}\n{message}");
        assert_eq!(project.records(), before);
        assert_eq!(project.guard(None).turns().len(), 1, "the turn is in the log");
    }
}

#[test]
fn a_turn_that_was_not_read_is_read_with_the_next_one() {
    let project = Project::new();
    let first = FinishedTurn { request: REQUEST, answer: "" };
    let report = project.guard(None).after(&first, &project.now()).unwrap();
    assert_eq!(report.records, SemanticOutcome::NotAsked);
    let failed = project.turn("And a batch size of 64.", &[("# Extractor", json!("no JSON"))]);
    assert!(matches!(failed.records, SemanticOutcome::Failed { .. }));
    // What it quotes was said two turns ago.
    let answers = [("## Request of turn 1", extracted(&[COMMITMENT], 1)), ("# Merger, turn 3", merged(&[add()]))];
    assert!(matches!(project.turn("Go on.", &answers).records, SemanticOutcome::Merged { .. }));
    assert_eq!(project.guard(None).semantic().get("schedule").unwrap().turns, [1]);
    // Now that all is read, only the latest is asked about.
    let report = project.turn("Go on.", &[("## Request of turn 1", json!("asked again"))]);
    assert_eq!(report.records, SemanticOutcome::NothingCommitted { ungrounded: Vec::new() });
}

#[test]
fn many_turns_that_were_not_read_are_read_some_at_a_time_and_what_is_read_stays_read() {
    let project = Project::new();
    for _ in 1..25 {
        project.guard(None).after(&FinishedTurn { request: REQUEST, answer: "" }, &project.now()).unwrap();
    }
    assert_eq!(project.guard(None).unread_turns().len(), 24);
    let first =
        [("# Extractor, turn 20\n", extracted(&[COMMITMENT; 24], 20)), ("# Merger, turn 20\n", merged(&[add()]))];
    let failed = project.turn(REQUEST, &[&first[..], &[("# Extractor, turn 25\n", json!("no JSON"))]].concat());
    let SemanticOutcome::Failed { stage: GuardStage::Extractor, changes, .. } = &failed.records else {
        panic!("{failed:?}")
    };
    assert_eq!((changes.added.len(), failed.unread_turns), (1, 5), "turns have 20 commitments each, not together");
    assert_eq!(project.guard(None).unread_turns()[0].turn, 21);
    assert_eq!(project.guard(None).semantic().get("schedule").unwrap().turns, [20]);
    let edit = json!({"operation": "edit", "commitment": 1, "record": "schedule", "find": "500", "text": "1000"});
    let rest = [("# Extractor, turn 26\n", extracted(&[COMMITMENT], 26)), ("# Merger, turn 26\n", merged(&[edit]))];
    let report = project.turn(REQUEST, &rest);
    let SemanticOutcome::Merged { changes, .. } = report.records else { panic!("merged") };
    assert_eq!((changes.added.len(), changes.edited.len(), report.unread_turns), (0, 1, 0));
    assert_eq!(project.guard(None).semantic().get("schedule").unwrap().turns, [20, 26]);
}

#[test]
fn an_update_reads_so_many_turns_at_most_and_the_next_one_the_others() {
    let project = Project::new();
    for _ in 0..110 {
        project.guard(None).after(&FinishedTurn { request: REQUEST, answer: "" }, &project.now()).unwrap();
    }
    let nothing = [("# Extractor", json!({"commitments": []}))];
    let report = project.turn(REQUEST, &nothing);
    assert_eq!((report.used.calls, report.unread_turns), (5, 11));
    let report = project.turn(REQUEST, &nothing);
    assert_eq!((report.used.calls, report.unread_turns), (1, 0));
}

#[test]
fn a_proposal_that_the_user_accepts_a_turn_later_is_there_to_be_understood() {
    let project = Project::new();
    let answer = "Plan A is a linear schedule. Plan B is a cosine schedule with 500 warm-up steps.";
    let mut guard = project.guard(Some(scripted(&[("# Extractor", json!({"commitments": []}))])));
    guard.after(&FinishedTurn { request: "What could we do?", answer }, &project.now()).unwrap();
    // What is quoted is said in the turn that accepts; the words of the one before commit to nothing.
    let quotes = ["Yes, take the second one.", "cosine schedule with 500"];
    let commitments = extracted(&quotes.map(|quote| ["Cosine schedule", "Cosine decay.", quote]), 2);
    let answers = [(answer, commitments), ("# Merger, turn 2\n", merged(&[add()]))];
    let SemanticOutcome::Merged { ungrounded, .. } = project.turn(quotes[0], &answers).records else {
        panic!("merged")
    };
    assert_eq!(ungrounded.len(), 1);
    assert!(project.guard(None).semantic().get("schedule").is_some());
}

#[test]
fn questions_and_records_do_not_grow_without_end() {
    let project = Project::new();
    let append = json!({"operation": "append", "record": "goal", "text": "x".repeat(3_000)});
    project.person_writes(
        "design/goal.md",
        &format!("---\ntitle: Goal\nstatus: committed\n---\n{}\n", "y".repeat(14_000)),
    );
    let SemanticOutcome::Failed { failure, .. } = turn(&project, 1, std::slice::from_ref(&append)) else {
        panic!("failed")
    };
    assert_eq!(failure.message, "operation 1: `goal` would have 17002 bytes, of at most 16000: add a record");
    // A person may have more, and the merger is shown as much as there is room for: the latest.
    for number in 0..3 {
        let text = format!("Text of {number}. ").repeat(9_000);
        let record = format!("---\ntitle: Long {number}\nstatus: committed\nturns: {}\n---\n{text}\n", 9 - number);
        project.person_writes(&format!("design/long-{number}.md"), &record);
    }
    // The script's first answer whose words are there: the text of the oldest is not.
    let commitments = extracted(&[COMMITMENT], 1);
    let answers =
        [("# Extractor", commitments), ("Text of 2.", json!("it was shown")), ("Text of 0.", merged(&[add()]))];
    assert!(matches!(project.turn(REQUEST, &answers).records, SemanticOutcome::Merged { .. }));
    // Of a request that somebody pasted a file into, both ends.
    let request = format!("{REQUEST}{}", " and more".repeat(9_000));
    let answers = [("# Extractor", json!({"commitments": []})), (&" and more".repeat(3_000), json!("it was shown"))];
    let outcome = project.turn(&request, &[answers[1].clone(), answers[0].clone()]).records;
    assert!(matches!(outcome, SemanticOutcome::NothingCommitted { .. }), "{outcome:?}");
}

#[test]
fn a_limit_of_records_makes_the_merger_edit() {
    let project = Project::new();
    let settings = std::fs::read_to_string(project.state().join("guard.toml")).unwrap();
    project.person_writes("guard.toml", &settings.replace("most_records = 400", "most_records = 1"));
    project.person_writes("design/goal.md", "---\ntitle: Goal\nstatus: committed\n---\n");
    let SemanticOutcome::Failed { failure, .. } = turn(&project, 1, &[add()]) else { panic!("failed") };
    assert_eq!(failure.message, "2 records would hold, of at most 1: edit or retire some");
}

#[test]
fn a_forecast_stands_before_the_request_without_what_it_made_up() {
    let project = Project::new();
    project.write("train.py", "def train(rate: float) -> None:\n    pass\n");
    project.person_writes("design/goal.md", "---\ntitle: The loss is symmetric\nstatus: committed\n---\n");
    project.guard(None).read_code(&project.now()).unwrap();
    let module = |path: &str| json!({"path": path, "advice": "revise", "why": "it has the rate"});
    let answer = json!({
        "purpose": "Training is to start slowly.", "approach": "revise", "reason": "There is a loop.",
        "records": ["goal", "gaol"], "modules": [module("train.py"), module("schedule.py")],
        "constraints": ["`train` keeps its parameter `rate`."], "context_tokens": 12000,
    });
    let mut guard = project.guard(Some(scripted(&[("# Forecaster, turn 1", answer)])));
    let brief = guard.before(REQUEST, SessionLoad::default()).unwrap();
    assert_eq!(brief.unknown, ["gaol", "schedule.py"]);
    assert_eq!((brief.used.calls, brief.failure.clone()), (1, None));
    let told = brief.before(REQUEST);
    for part in ["Training is to start slowly.", "train.py — revise", "keeps its parameter", "def train(rate: float)"]
    {
        assert!(told.contains(part), "{told}");
    }
    assert!(!told.contains("schedule.py") && told.ends_with(&format!("# Request\n\n{REQUEST}\n")), "{told}");
    assert_eq!(brief.restart, None, "no policy is set");
}

#[test]
fn a_forecast_of_less_than_no_context_is_one_of_none() {
    let project = Project::new();
    let answer = json!({
        "purpose": "x", "approach": "add", "reason": "x", "records": [], "modules": [], "constraints": [],
        "context_tokens": -1,
    });
    let brief =
        project.guard(Some(scripted(&[("# Forecaster", answer)]))).before(REQUEST, SessionLoad::default()).unwrap();
    assert_eq!((brief.failure, brief.forecast.unwrap().context_tokens), (None, 0));
}

#[test]
fn a_forecast_that_fails_is_named_and_the_brief_is_there_all_the_same() {
    let project = Project::new();
    project.person_writes("design/goal.md", "---\ntitle: The loss is symmetric\nstatus: committed\n---\n");
    let mut guard = project.guard(Some(scripted(&[("# Forecaster", json!({"purpose": "x"}))])));
    let brief = guard.before(REQUEST, SessionLoad::default()).unwrap();
    assert_eq!(brief.failure.unwrap().kind, ModelFailureKind::Malformed);
    assert!(brief.forecast.is_none() && brief.text.contains("The loss is symmetric"));
}
