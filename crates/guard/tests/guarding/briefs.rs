//! What an agent is told.

use slopbench_guard::{FinishedTurn, RestartReason, SessionLoad};

use crate::support::{Project, scripted};

/// A project with this many records, a quarter of them retired, and this many files.
fn project(records: usize, files: usize) -> Project {
    let project = Project::new();
    for number in 0..records {
        let kind = ["design", "decision", "resource"][number % 3];
        let status = if number % 4 == 3 { "retired" } else { "committed" };
        let text = format!("What number {number} says. ").repeat(number % 7 * 20);
        let content = format!("---\ntitle: Title of number {number}\nstatus: {status}\n---\n\n{text}\n\n- é\n");
        project.person_writes(&format!("{kind}/record-{number}.md"), &content);
    }
    for number in 0..files {
        let text = format!("\"\"\"Does {number}.\"\"\"\n\ndef work_{number}(first, second=2):\n    pass\n").repeat(3);
        project.write(&format!("pkg{}/module_{number}.py", number % 9), &text);
    }
    project.guard(None).read_code(&project.now()).unwrap();
    project
}

#[test]
fn every_brief_holds_every_record_that_holds_and_no_other_within_its_size() {
    for (records, files) in [(0, 0), (1, 1), (40, 30), (300, 500)] {
        let project = project(records, files);
        let mut guard = project.guard(None);
        let (before, fresh) =
            (guard.before("Go on.", SessionLoad::default()).unwrap().text, guard.restart_brief().unwrap());
        let titles = guard.semantic().committed();
        let titles: usize = titles.iter().map(|record| record.id.len() + record.title.len() + 30).sum();
        for (text, most) in [(before, guard.settings().brief_bytes), (fresh, guard.settings().restart_bytes)] {
            for record in guard.semantic().records() {
                let line = format!("- **{}** {}\n", record.id, record.title);
                assert_eq!(text.contains(&line), record.is_committed(), "{line}");
            }
            assert!(text.len() <= most.max(titles + 1_500), "{} bytes of at most {most}", text.len());
        }
    }
}

#[test]
fn a_forecast_without_end_takes_a_third_of_a_brief_at_most() {
    let project = project(100, 100);
    let long = "All of it matters, and more. ".repeat(20);
    let answer = serde_json::json!({
        "purpose": long, "approach": "add", "reason": long, "records": [], "modules": [],
        "constraints": vec![long.clone(); 60], "context_tokens": 0,
    });
    let mut guard = project.guard(Some(scripted(&[("# Forecaster", answer)])));
    let text = guard.before("Go on.", SessionLoad::default()).unwrap().text;
    assert!(text.len() <= guard.settings().brief_bytes, "{} bytes", text.len());
    assert_eq!(text.matches("\n- **record-").count(), 75);
}

#[test]
fn what_has_room_is_whole_and_what_has_none_says_so() {
    let small = project(5, 3);
    let mut guard = small.guard(None);
    let text = guard.restart_brief().unwrap();
    assert!(text.contains("What number 4 says. ") && !text.contains("shortened"), "{text}");
    assert!(text.contains("`def work_2(first, second=2)`") && text.contains("pkg2/module_2.py: Does 2."), "{text}");
    let large = project(300, 500);
    let text = large.guard(None).before("Go on.", SessionLoad::default()).unwrap().text;
    assert!(text.contains("500 files; there is no room for all of their names."), "{text}");
    let text = large.guard(None).restart_brief().unwrap();
    assert!(text.contains("(shortened)") && text.contains("- pkg8/module_494.py"), "{text}");
}

#[test]
fn what_the_records_do_not_have_yet_is_in_both_briefs_and_right() {
    let project = project(40, 30);
    let long = "All of it matters, and more. ".repeat(1_000);
    for request in [long.as_str(), "Use 500 warm-up steps.", "", "Not 500 but 1000 warm-up steps."] {
        project.guard(None).after(&FinishedTurn { request, answer: "Done." }, &project.now()).unwrap();
    }
    let mut guard = project.guard(None);
    let (before, fresh) =
        (guard.before("Go on.", SessionLoad::default()).unwrap().text, guard.restart_brief().unwrap());
    let unread = "### Turn 2\n\nUse 500 warm-up steps.\n\n### Turn 4\n\nNot 500 but 1000 warm-up steps.\n\n";
    for (text, most) in [(before, guard.settings().brief_bytes), (fresh, guard.settings().restart_bytes)] {
        let (beginning, rest) = text.split_once("## What the project is committed to").unwrap();
        assert!(
            beginning.contains("Where the two differ, this is right") && beginning.ends_with(unread),
            "{beginning}"
        );
        assert!(
            beginning.contains("### Turn 1\n\nAll of it matters") && beginning.contains("(shortened)"),
            "{beginning}"
        );
        assert!(text.len() <= most && rest.contains("record-4"), "{} bytes of at most {most}", text.len());
    }
    let read = [("# Extractor", serde_json::json!({"commitments": []}))];
    project.turn("Go on.", &read);
    let text = project.guard(None).before("Go on.", SessionLoad::default()).unwrap().text;
    assert!(!text.contains("Not yet in the records") && !text.contains("warm-up"), "{text}");
}

#[test]
fn how_records_relate_is_told_of_those_that_hold() {
    let project = project(5, 0);
    // Number 3 is retired.
    let table = "from,relation,to\nrecord-1,refines,record-0\nrecord-1,conflicts-with,record-4\nrecord-4,depends-on,record-3\nrecord-0,conflicts-with,record-3\n";
    project.person_writes("edges.csv", table);
    let mut guard = project.guard(None);
    let text = guard.restart_brief().unwrap();
    let expected = "- **record-1** Title of number 1\n  (refines record-0; conflicts-with record-4)\n";
    assert!(text.contains(expected) && !text.contains("depends-on"), "{text}");
    assert_eq!(guard.semantic().conflicts(), [("record-1", "record-4")]);
}

#[test]
fn modules_that_matter_are_shown_although_there_is_no_room_for_the_others() {
    let project = project(100, 500);
    let module = |path: &str| serde_json::json!({"path": path, "advice": "revise", "why": "it has the rate"});
    let answer = serde_json::json!({
        "purpose": "x", "approach": "revise", "reason": "x", "records": [], "constraints": [], "context_tokens": 0,
        "modules": [module("pkg7/module_7.py"), module("pkg8/module_494.py")],
    });
    let mut guard = project.guard(Some(scripted(&[("# Forecaster", answer)])));
    let text = guard.before("Go on.", SessionLoad::default()).unwrap().text;
    assert!(text.contains("500 files; there is no room for all of their names."), "{text}");
    assert!(
        text.contains("`def work_7(first, second=2)`") && text.contains("`def work_494(first, second=2)`"),
        "{text}"
    );
    assert!(text.len() <= guard.settings().brief_bytes, "{} bytes", text.len());
}

/// A forecaster may name only files that it was given: those of the folders that matter come first where not all names have room.
#[test]
fn a_forecaster_sees_the_names_of_the_files_that_a_request_is_about_in_a_large_project() {
    let project = Project::new();
    let long = "with_a_long_name_as_generated_code_has_it_and_nobody_writes_by_hand";
    for number in 0..1_500 {
        let folder = ["billing", "stock", "orders"][number % 3];
        project.write(&format!("services/{folder}/module_{number}_{long}.py"), "");
    }
    project.guard(None).read_code(&project.now()).unwrap();
    let path = format!("services/orders/module_2_{long}.py");
    let answer = serde_json::json!({
        "purpose": "x", "approach": "revise", "reason": "x", "records": [], "constraints": [], "context_tokens": 0,
        "modules": [{"path": path, "advice": "revise", "why": "it is about orders"}],
    });
    let shown = format!("- services/orders: module_1001_{long}.py, ");
    let mut guard = project.guard(Some(scripted(&[(shown.as_str(), answer)])));
    let brief = guard.before("Let orders be cancelled.", SessionLoad::default()).unwrap();
    assert_eq!(brief.forecast.unwrap().modules.len(), 1);
    assert!(brief.text.contains(&format!("{path} — revise")), "{}", brief.text);
    assert!(brief.text.len() <= guard.settings().brief_bytes, "{} bytes", brief.text.len());
    // Without a forecast, too, all names are there where they have room by folder.
    let small = self::project(0, 900);
    let text = small.guard(None).before("Go on.", SessionLoad::default()).unwrap().text;
    assert!(text.contains("900 files, by folder:\n- pkg0: module_0.py, "), "{text}");
}

#[test]
fn files_that_a_request_names_are_shown_although_no_model_says_so() {
    let project = project(0, 400);
    let text = project.guard(None).before("Change module_7.py, please.", SessionLoad::default()).unwrap().text;
    assert!(text.contains("`def work_7(first, second=2)`") && !text.contains("`def work_8("), "{text}");
}

#[test]
fn a_session_begins_anew_as_the_settings_say() {
    let project = project(1, 1);
    let settings = std::fs::read_to_string(project.state().join("guard.toml")).unwrap();
    project.person_writes("guard.toml", &settings.replace("[restart]", "[restart]\nafter_turns = 20"));
    let guard = project.guard(None);
    let due = |turns| guard.restart_due(SessionLoad { turns, context_tokens: None }, None);
    assert_eq!((due(19), due(20)), (None, Some(RestartReason::Turns { turns: 20 })));
}

#[test]
fn the_size_of_the_state_is_that_of_its_files() {
    let project = project(10, 10);
    let turn = FinishedTurn { request: "Go on.", answer: "" };
    let report = project.guard(None).after(&turn, &project.now()).unwrap();
    let bytes = |name: &str| std::fs::metadata(project.state().join(name)).unwrap().len();
    assert_eq!((report.size.structural, report.size.log), (bytes("structure.jsonl"), bytes("turns.jsonl")));
    let records: u64 = project.records().iter().map(|(_, content)| content.len() as u64).sum();
    assert_eq!(report.size.semantic, records);
    let kilobytes = (records + bytes("structure.jsonl")) as f64 / 1000.0;
    assert!((report.size.kilobytes() - kilobytes).abs() < 1e-9);
}
