//! Reading rules: what is accepted, and what an error says.

use std::path::Path;

use slopbench_metrics::RuleSet;

use crate::support::{folder, measure_bytes, rules};

const PRINT: &str = "id: no-print\nlanguage: Python\nrule: {pattern: print($$$)}\n";
const EVAL: &str = "id: no-eval\nlanguage: Python\nrule: {pattern: eval($A)}\n";

/// What loading a folder with this one file says, without the folder's name.
fn error(text: &str) -> String {
    let folder = folder(&[("rule.yml", text)]);
    let error = RuleSet::load(folder.path()).expect_err("a broken rule is an error").to_string();
    error.replace(&folder.path().display().to_string(), "")
}

#[test]
fn a_file_may_hold_several_rules_and_a_folder_folders() {
    let both = format!("{PRINT}---\n{EVAL}");
    let folder = folder(&[("a.yml", &both), ("deep/b.yaml", &PRINT.replace("no-print", "b")), ("notes.txt", "{")]);
    let rules = RuleSet::load(folder.path()).expect("valid rules");
    assert_eq!(rules.ids(), ["b", "no-eval", "no-print"]);
    let alone = RuleSet::load(&folder.path().join("a.yml")).expect("valid rules");
    assert_eq!(alone.ids(), ["no-eval", "no-print"]);
}

/// Files are read at once; which error is reported does not depend on which of them was done first.
#[test]
fn of_several_broken_files_the_first_is_named() {
    let names: Vec<_> = (10..60).map(|number| format!("{number}.yml")).collect();
    let mut files: Vec<_> = names.iter().map(|name| (name.as_str(), "id: broken\n")).collect();
    // The error is known last where it is to be reported first.
    let rules: String = (0..200).map(|number| EVAL.replace("no-eval", &format!("e{number}")) + "---\n").collect();
    let slow = rules + "id: broken\n";
    files[0].1 = &slow;
    let folder = folder(&files);
    for _ in 0..20 {
        let error = RuleSet::load(folder.path()).expect_err("broken rules");
        assert!(error.file.ends_with("10.yml"), "{error}");
    }
}

#[test]
fn the_digest_is_of_names_and_bytes_wherever_they_lie() {
    let digest = |files: &[(&str, &str)]| RuleSet::load(folder(files).path()).expect("valid rules").digest().to_owned();
    let both = digest(&[("a.yml", PRINT), ("b.yml", EVAL)]);
    assert_eq!(both, digest(&[("b.yml", EVAL), ("a.yml", PRINT)]));
    assert_ne!(both, digest(&[("a.yml", PRINT), ("c.yml", EVAL)]));
    assert_ne!(both, digest(&[("a.yml", PRINT), ("b.yml", &format!("{EVAL}#"))]));
    assert_eq!(both.len(), "sha256:".len() + 64);
}

#[test]
fn a_rule_that_is_switched_off_is_not_there() {
    let off = format!("{EVAL}severity: off\n");
    let folder = folder(&[("on.yml", PRINT), ("off.yml", &off)]);
    assert_eq!(RuleSet::load(folder.path()).expect("valid rules").ids(), ["no-print"]);
    assert!(error(&off).contains("no active rule"), "a set that can never match is no set");
}

#[test]
fn errors_name_the_file_the_line_and_what_to_do() {
    insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
        let not_yaml = error("id: [");
        let not_a_rule = error("- one\n- two\n");
        let unknown_key = error("id: a\nlanguage: Python\nrule: {kind: call}\nseverty: error\n");
        let unknown_kind = error("id: a\nlanguage: Python\nrule: {kind: function_call}\n");
        let unmeasured = error("id: a\nlanguage: Haskell\nrule: {kind: call}\n");
        let unknown_language = error("id: a\nlanguage: Klingon\nrule: {kind: call}\n");
        let nameless = error("language: Python\nrule: {kind: call}\n");
        let twice = error(&format!("{PRINT}---\n{PRINT}"));
        let empty = error("# nothing\n");
        let all = [not_yaml, not_a_rule, unknown_key, unknown_kind, unmeasured, unknown_language, nameless, twice, empty];
        insta::assert_snapshot!("rule-file-errors", all.join("\n\n"));
    });
}

#[test]
fn no_folder_and_an_empty_folder_are_errors() {
    assert!(RuleSet::load(Path::new("no/such/rules")).is_err());
    assert!(RuleSet::load(folder(&[]).path()).is_err());
}

#[test]
fn a_rule_may_be_for_some_files_only() {
    let rules = rules(&format!("{PRINT}files: ['src/**']\nignores: ['src/cli.py']\n"));
    let sources =
        ["src/cli.py", "src/api.py", "tests/test_api.py"].map(|path| (path.to_owned(), b"print(1)\n".to_vec()));
    let matches = slopbench_metrics::measure_sources(&sources, &rules).matches;
    assert_eq!(matches.iter().map(|found| &*found.path).collect::<Vec<_>>(), ["src/api.py"]);
}

#[test]
fn who_is_measured_cannot_switch_the_measure_off() {
    let measurement = measure_bytes("# ast-grep-ignore\nprint(1)\n", &rules(PRINT));
    assert_eq!(measurement.matches.len(), 1);
}
