//! What an advice rule calls good behaves as what it calls bad.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use slopbench_metrics::fixtures::{Example, Fixtures};
use slopbench_metrics::{RuleSet, Tier};

#[derive(Debug, Deserialize)]
struct Difference {
    rule: String,
    problem: String,
}

/// What differs between the examples' behaviours, as one python3 process sees it.
fn differences(examples: &[Example]) -> Vec<Difference> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviour/behaviour.py");
    let mut python = Command::new("python3")
        .arg("-I")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 on the PATH");
    let input = serde_json::to_vec(examples).expect("examples are JSON");
    python.stdin.take().expect("a pipe").write_all(&input).expect("python3 reads its input");
    let output = python.wait_with_output().expect("python3 ends");
    assert!(output.status.success(), "{}", output.status);
    serde_json::from_slice(&output.stdout).expect("a list of differences")
}

fn builtin() -> Vec<Example> {
    Fixtures::builtin().unwrap_or_else(|error| panic!("{error}")).examples()
}

#[test]
fn every_good_example_behaves_as_the_bad_one() {
    let found = differences(&builtin());
    let lines: Vec<_> = found.iter().map(|it| format!("{}: {}", it.rule, it.problem)).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

/// The other languages' rules have no interpreter here; what they advise has types that make it safe.
#[test]
fn every_advice_rule_for_python_has_examples_that_can_be_run() {
    let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
    let advised = built_in.descriptions().iter().filter(|rule| rule.language == "Python");
    let advised = advised.filter(|rule| rule.tiers.contains(&Tier::Advice)).map(|rule| rule.id.clone());
    let run: BTreeSet<_> = builtin().into_iter().map(|example| example.rule).collect();
    assert_eq!(advised.collect::<BTreeSet<_>>(), run);
}

/// One difference of each kind, so that none goes unseen.
#[test]
fn differences_are_found() {
    let example = |rule: &str, bad: &str, good: &str, program: &str| Example {
        rule: rule.to_owned(),
        bad: bad.to_owned(),
        good: good.to_owned(),
        program: program.to_owned(),
        aside: Vec::new(),
        unreached: Vec::new(),
    };
    let examples = [
        example("alike", "y = x + 1\n", "y = 1 + x\n", "for x in [1, 2]:\n    ..."),
        example("value", "y = x == 1\n", "y = x\n", "x = 1\n..."),
        example("type", "y = 1\n", "y = 1.0\n", "..."),
        example("mutation", "xs = xs + [1]\n", "xs.append(1)\n", "xs = []\nalias = xs\n..."),
        example("exception", "y = d['a']\n", "y = d.get('a')\n", "for d in [{'a': 1}, {}]:\n    ..."),
        example("output", "print(1)\n", "print(2)\n", "..."),
        example("call", "f(1)\n", "f(1)\nf(1)\n", "..."),
        example("result", "def f(x):\n    return x\n", "def f(x):\n    return not x\n", "...\nf(1)"),
        example("no-place", "y = 1\n", "y = 1\n", "x = 1"),
        example("not-run", "def f(x):\n    return x\n", "def f(x):\n    return x\n", "..."),
        example("no-input", "if x:\n    y = 1\n", "if x:\n    y = 2\n", "x = 0\n..."),
    ];
    let found: Vec<_> = differences(&examples).into_iter().map(|it| it.rule).collect();
    let expected: Vec<_> = examples.iter().map(|example| example.rule.clone()).filter(|rule| rule != "alike").collect();
    assert_eq!(found, expected);
}
