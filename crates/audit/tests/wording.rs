//! Texts that give something away, and those of our own problems, which do not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{fs, path::Path};

use slopbench_audit::{
    report::AuditReport,
    scaffold::scaffold,
    wording::{Wording, wording},
};
use slopbench_tests::{
    Problem,
    problem::{ProblemKind, load_all},
};

/// What is said of a new problem once this text of one of its files is another.
fn spoilt(file: &str, from: &str, to: &str) -> Wording {
    let dir = tempfile::tempdir().unwrap();
    let folder = scaffold(dir.path(), "words", ProblemKind::Cli).unwrap();
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    wording(&Problem::load(&folder).unwrap()).unwrap()
}

#[test]
fn new_problems_give_nothing_away() {
    for kind in [ProblemKind::Cli, ProblemKind::Http] {
        let dir = tempfile::tempdir().unwrap();
        let folder = scaffold(dir.path(), "words", kind).unwrap();
        assert_eq!(wording(&Problem::load(&folder).unwrap()).unwrap(), Wording::default());
    }
}

#[test]
fn a_sentence_that_no_case_covers_is_noted() {
    let found = spoilt("checkpoint_1/cases/no_command.toml", "covers = [\"other_commands\"]\n", "");
    let notes = vec!["checkpoint_1/spec.md:9: no case covers @other_commands".to_owned()];
    assert_eq!(found, Wording { flaws: Vec::new(), notes });
}

/// A report may be of files that have changed since: `cargo xtask audit` looks at those again.
#[test]
fn kept_reports_are_read_and_found_no_flaw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let problems = load_all(&root.join("problems")).unwrap();
    let reports: Vec<_> =
        fs::read_dir(root.join("golden/audits")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!reports.is_empty());
    for path in reports {
        let report: AuditReport = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let [audited] = report.problems.as_slice() else { panic!("{}", path.display()) };
        assert_eq!(path.file_stem().unwrap().to_str().unwrap(), audited.problem.name);
        assert!(problems.iter().any(|problem| problem.name == audited.problem.name), "{}", path.display());
        assert!(!audited.checks.is_empty(), "{}", path.display());
        let flaws: Vec<_> = audited.checks.iter().flat_map(|check| &check.flaws).collect();
        assert!(flaws.is_empty(), "{}: {flaws:?}", path.display());
    }
}

#[test]
fn what_tells_too_much_is_a_flaw() {
    let table = [
        (
            "problem.toml",
            "Counts of words",
            "Counts and frequencies",
            "the title of checkpoint 1 says \"frequencies\", which only a later specification speaks of",
        ),
        (
            "checkpoint_1/spec.md",
            "The exit code is 0.",
            "A later version will do more.",
            "the specification of checkpoint 1 speaks of what is to come: \"later version\"",
        ),
        (
            "checkpoint_1/cases/white_space.toml",
            "[expect]",
            "[files]\n\"expected/words.json\" = \"3\"\n\"golden.json\" = \"3\"\n\n[expect]",
            "checkpoint_1/white_space: the name of the file golden.json says that it holds an answer",
        ),
        (
            "checkpoint_1/cases/white_space.toml",
            "stdout.json = '{\"words\": 3}'",
            "files.\"three\".text = \"three\"\n\n[files]\n\"three\" = \"\"",
            "checkpoint_1/white_space: its name, or that of a file, is what has to come out",
        ),
    ];
    for (file, from, to, flaw) in table {
        let found = spoilt(file, from, to);
        assert_eq!(found.flaws, [flaw], "{file}: {from} -> {to}");
    }
}

#[test]
fn a_core_case_that_is_not_shown_is_noted() {
    let found = spoilt("checkpoint_1/cases/example.toml", "{\"words\": 3}", "{\"tokens\": 3}");
    let note = "checkpoint_1/example: core, and not in a specification so far: `{\"tokens\": 3}`";
    assert_eq!((found.flaws.as_slice(), found.notes.as_slice()), ([].as_slice(), [note.to_owned()].as_slice()));
}

#[test]
fn our_own_problems_have_no_flaw() {
    let problems = load_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems")).unwrap();
    assert!(problems.len() > 2);
    for problem in problems {
        assert_eq!(wording(&problem).unwrap().flaws, [""; 0], "{}", problem.name);
    }
}

#[test]
fn only_names_of_problems_are_begun_and_nothing_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["Words", "two words", "../words", "", "2words"] {
        assert!(scaffold(dir.path(), name, ProblemKind::Cli).is_err(), "{name}");
    }
    scaffold(dir.path(), "words", ProblemKind::Http).unwrap();
    let error = scaffold(dir.path(), "words", ProblemKind::Cli).unwrap_err().to_string();
    assert!(error.ends_with("words: is there already; choose another name"), "{error}");
}
