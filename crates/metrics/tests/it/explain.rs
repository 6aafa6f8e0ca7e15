//! Every figure is explained, and everything explained is a figure.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use slopbench_metrics::RuleSet;
use slopbench_metrics::composites::ExternalFindings;
use slopbench_metrics::explain::{explain, explanations};

use crate::support::{measure_file, measure_text};

/// Numbers that say where something is, or what was measured with.
const NO_MEASURES: &[&str] = &["start_line", "end_line", "line", "count"];

/// The paths of all numbers of measurements that have something of everything; `[]` stands for each element.
fn figures() -> BTreeSet<String> {
    let python = "import os\n\ndef f(a):\n    return g(a or 1)\n\nclass B:\n    pass\n";
    let mut measurement = measure_text(python);
    measurement.complete_composites(ExternalFindings { rubric_violations: Some(1), lint_errors: Some(1) });
    let mut found = BTreeSet::new();
    let half_a_program = measure_file("b.js", "let a = 1;\nlet = ;\n", &RuleSet::empty());
    let both = [measurement, half_a_program];
    let mut open: Vec<_> =
        both.iter().map(|one| (String::new(), serde_json::to_value(one).expect("a value"))).collect();
    while let Some((path, value)) = open.pop() {
        let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match value {
            Value::Object(fields) => open.extend(fields.into_iter().map(|(key, value)| (below(&key), value))),
            Value::Array(elements) => open.extend(elements.into_iter().map(|value| (format!("{path}[]"), value))),
            Value::Number(_) if !path.rsplit('.').next().is_some_and(|key| NO_MEASURES.contains(&key)) => {
                found.insert(path);
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_figure_has_one_page_and_every_page_figures() {
    let explained: Vec<_> = explanations().into_iter().flat_map(|explanation| explanation.fields).collect();
    let once: BTreeSet<_> = explained.iter().cloned().collect();
    assert_eq!(explained.len(), once.len(), "no figure is explained twice");
    assert_eq!(once, figures());
}

#[test]
fn every_page_is_read_and_is_in_the_index() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measures");
    let index = fs::read_to_string(folder.join("README.md")).expect("the index");
    let pages = fs::read_dir(&folder).expect("the pages").count() - 1;
    let explanations = explanations();
    assert_eq!(explanations.len(), pages);
    for explanation in explanations {
        let entry = format!("- [{0}]({0}.md): {1}\n", explanation.name, explanation.summary);
        assert!(index.contains(&entry), "README.md lacks {entry}");
    }
}

#[test]
fn a_measure_is_found_by_its_name_and_by_its_fields() {
    let name = |asked: &str| explain(asked).map(|explanation| explanation.name).map_err(|unknown| unknown.nearest);
    assert_eq!(name("erosion"), Ok("erosion".to_owned()));
    assert_eq!(name("clone_lines"), Ok("clones".to_owned()));
    assert_eq!(name("radon.lloc"), Ok("radon_raw".to_owned()));
    assert_eq!(name("max"), Err(vec!["cognitive".to_owned(), "nesting".to_owned()]), "both have a maximum");
    assert_eq!(name("Erosoin"), Err(vec!["erosion".to_owned(), "erosion_v0".to_owned()]));
    assert_eq!(name("xyzzy"), Err(vec![]));
}
