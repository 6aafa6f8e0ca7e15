//! Several processes and people at one state.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use slopbench_guard::{Error, FinishedTurn, Guard};

use crate::support::Project;

const TURN: FinishedTurn<'_> = FinishedTurn { request: "Go on.", answer: "" };

fn numbers(project: &Project) -> Vec<u32> {
    project.guard(None).turns().iter().map(|turn| turn.turn).collect()
}

#[test]
fn a_guard_that_was_opened_before_anothers_update_goes_on_after_it() {
    let project = Project::new();
    project.write("a.py", "A = 1\n");
    let (mut first, mut second) = (project.guard(None), project.guard(None));
    second.after(&TURN, &project.now()).unwrap();
    let report = first.after(&TURN, &project.now()).unwrap();
    assert!(report.structure.is_empty(), "the other one has read the file: {report:?}");
    assert_eq!(second.after(&TURN, &project.now()).unwrap().turn, 3);
    assert_eq!(numbers(&project), [1, 2, 3]);
}

#[test]
fn a_log_whose_bytes_are_not_ours_is_gone_on_with() {
    let project = Project::new();
    project.guard(None).after(&TURN, &project.now()).unwrap();
    let log = project.state().join("turns.jsonl");
    let ours = fs::read_to_string(&log).unwrap();
    for theirs in [ours.trim_end().to_owned(), ours.replace('\n', "\r\n")] {
        fs::write(&log, &theirs).unwrap();
        project.guard(None).after(&TURN, &project.now()).unwrap();
        assert_eq!(numbers(&project), [1, 2]);
        assert!(fs::read_to_string(&log).unwrap().starts_with(&theirs));
    }
}

#[test]
fn who_reads_does_not_disturb_who_writes() {
    let project = Project::new();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    Guard::open(&project.state()).unwrap();
                }
            });
        }
        for _ in 0..40 {
            project.guard(None).after(&TURN, &project.now()).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(numbers(&project), (1..=40).collect::<Vec<_>>());
}

#[test]
fn a_state_that_another_process_writes_is_busy_whatever_an_editor_does_to_its_settings() {
    let project = Project::new();
    let lock = fs::OpenOptions::new().write(true).open(project.state().join("lock")).unwrap();
    lock.lock().unwrap();
    let settings = fs::read_to_string(project.state().join("guard.toml")).unwrap();
    fs::remove_file(project.state().join("guard.toml")).unwrap();
    fs::write(project.state().join("guard.toml"), settings).unwrap();
    let error = project.guard(None).after(&TURN, &project.now()).unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error}");
    drop(lock);
    project.guard(None).after(&TURN, &project.now()).unwrap();
}

#[test]
fn what_a_strangers_repository_has_pending_does_not_lead_out_of_the_state() {
    let project = Project::new();
    let pending = r#"{"format": "slopbench.guard-pending/1", "writes": [{"path": "../code/x.py", "before": null, "after": "x"}]}"#;
    project.person_writes("pending.json", pending);
    let error = Guard::open(&project.state()).unwrap_err().to_string();
    assert!(error.contains("pending.json:1: `../code/x.py` is no file of a state, and nothing is written"), "{error}");
    assert!(!project.code().join("x.py").exists());
}
