//! Every rule that comes with the crate does what its fixtures say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slopbench_metrics::RuleSet;

use crate::support::measure_bytes;

/// A fixture in ast-grep's own test format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    id: String,
    #[serde(default)]
    valid: Vec<String>,
    #[serde(default)]
    invalid: Vec<String>,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(name)
}

/// Files with this ending in a folder, without the ending.
fn stems(folder: &Path, ending: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

/// What is wrong with one rule's fixture; nothing is best.
fn complaints(rule_file: &Path, fixture_file: &Path) -> Vec<String> {
    let rules = RuleSet::load(rule_file).unwrap_or_else(|error| panic!("{error}"));
    let text = std::fs::read_to_string(fixture_file).expect("a readable fixture");
    let fixture: Fixture =
        serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", fixture_file.display()));
    let mut complaints = Vec::new();
    if fixture.valid.is_empty() || fixture.invalid.is_empty() {
        complaints.push(format!("{}: needs examples of both kinds", fixture.id));
    }
    for (snippets, should_match) in [(&fixture.valid, false), (&fixture.invalid, true)] {
        for snippet in snippets {
            let measurement = measure_bytes(snippet.as_str(), &rules);
            if !measurement.skipped.is_empty() {
                complaints.push(format!("{}: is no program: {:?}\n{snippet}", fixture.id, measurement.skipped));
            } else if measurement.matches.is_empty() == should_match {
                complaints.push(format!("{}: match expected: {should_match}\n{snippet}", fixture.id));
            }
        }
    }
    complaints
}

#[test]
fn every_rule_matches_what_its_fixture_calls_invalid_and_nothing_that_it_calls_valid() {
    let (rules, fixtures) = (folder("python"), folder("tests"));
    let complaints: Vec<_> = stems(&rules, ".yml")
        .iter()
        .flat_map(|id| complaints(&rules.join(format!("{id}.yml")), &fixtures.join(format!("{id}-test.yml"))))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_rule_has_a_fixture_and_every_fixture_a_rule() {
    assert_eq!(stems(&folder("python"), ".yml"), stems(&folder("tests"), "-test.yml"));
}

#[test]
fn the_built_in_set_is_the_folder() {
    let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
    let files = stems(&folder("python"), ".yml");
    assert_eq!(built_in.ids().iter().cloned().collect::<BTreeSet<_>>(), files, "an id is its file's name");
}
