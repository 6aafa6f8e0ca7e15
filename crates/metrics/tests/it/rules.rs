//! Every rule that comes with the crate does what its fixtures say, and so do a user's own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use slopbench_metrics::RuleSet;
use slopbench_metrics::fixtures::{FixtureProblem, Fixtures};

/// A rule for calls of `f`.
const RULE: &str = "id: no-f\nlanguage: python\nmessage: m\nrule: {pattern: f($A)}\n";

/// What is wrong with a fixture beside [`RULE`], by line.
fn problems(fixture: &str) -> Vec<(u64, FixtureProblem)> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("tests")).expect("a folder");
    fs::write(folder.path().join("no-f.yml"), RULE).expect("a writable folder");
    fs::write(folder.path().join("tests/no-f-test.yml"), fixture).expect("a writable folder");
    let of_folder = Fixtures::load(folder.path()).unwrap_or_else(|error| panic!("{error}")).run();
    let of_file = Fixtures::load(&folder.path().join("no-f.yml")).unwrap_or_else(|error| panic!("{error}")).run();
    assert_eq!(of_folder.complaints.len(), of_file.complaints.len(), "the rule file alone finds its fixture");
    of_folder.complaints.into_iter().map(|complaint| (complaint.line, complaint.problem)).collect()
}

#[test]
fn every_built_in_rule_has_a_fixture_and_does_what_it_says() {
    let report = Fixtures::builtin().unwrap_or_else(|error| panic!("{error}")).run();
    let complaints = report.complaints.iter();
    let lines: Vec<_> = complaints.map(|it| format!("{}:{}: {}: {}", it.file, it.line, it.rule, it.problem)).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    assert_eq!(report.untested, Vec::<String>::new());
}

#[test]
fn an_id_is_the_name_of_its_file() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let folders = ["cpp", "go", "java", "javascript", "python", "rust"].map(|language| rules.join(language));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the rules").flatten());
    let names = entries.map(|entry| entry.file_name());
    let stems: BTreeSet<_> = names.map(|name| name.to_string_lossy().trim_end_matches(".yml").to_owned()).collect();
    let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built_in.ids().iter().cloned().collect::<BTreeSet<_>>(), stems);
}

#[test]
fn a_snippet_that_does_not_behave_is_named_with_its_line() {
    let fixture = "id: no-f\nvalid:\n  - g(1)\n  - |\n    x = 1\n    f(2)\ninvalid:\n  - f(3)\n  - h(4)\n  - 'f('\n";
    let found = problems(fixture);
    let [(5, FixtureProblem::FalseMatch(2)), (9, FixtureProblem::Missed), (10, FixtureProblem::NoProgram(_))] =
        found.as_slice()
    else {
        panic!("{found:?}")
    };
}

#[test]
fn a_fixture_with_snippets_of_one_kind_proves_nothing() {
    assert_eq!(problems("id: no-f\ninvalid:\n  - f(3)\n"), [(1, FixtureProblem::OneSided)]);
}

#[test]
fn fixtures_of_unknown_rules_and_rules_without_fixtures_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("no-f.yml"), RULE).expect("a writable folder");
    let error = Fixtures::load(folder.path()).expect_err("no fixture");
    assert!(error.to_string().contains("no fixture for it; write `<id>-test.yml`"), "{error}");

    fs::write(folder.path().join("no-g-test.yml"), "id: no-g\nvalid: [a]\ninvalid: [b]\n").expect("a writable folder");
    let report = Fixtures::load(folder.path()).unwrap_or_else(|error| panic!("{error}")).run();
    let [complaint] = report.complaints.as_slice() else { panic!("{report:?}") };
    assert_eq!((complaint.line, &complaint.problem), (1, &FixtureProblem::UnknownRule));
    assert_eq!(report.untested, ["no-f"]);
}
