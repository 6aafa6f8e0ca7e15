//! The composites of version 0.1.

use slopbench_metrics::composites::{Composites, ExternalFindings};

use crate::support::{measure_bytes, rules};

/// Two callables of CC 11 and 31 and two of CC 1, one of them a trivial wrapper and none called only once; 46 lines of
/// code, 40 of them matched by a rule.
fn composites(external: ExternalFindings) -> (u64, Composites) {
    let branches = |count| "    if a: b\n".repeat(count);
    let text = format!(
        "def f():\n{}def g():\n{}def wraps(): return f()\ndef last(): a = 1\nf(), g(), g(), wraps(), wraps(), last(), last()\nc = 1\n",
        branches(10),
        branches(30)
    );
    let mut measurement = measure_bytes(text, &rules("{id: a, language: Python, rule: {kind: if_statement}}"));
    assert_eq!((measurement.total.loc, measurement.total.callables), (46, 4));
    measurement.complete_composites(external);
    (measurement.total.violations, measurement.composites)
}

#[test]
fn without_a_judge_and_a_linter_there_is_no_score() {
    let (violations, composites) = composites(ExternalFindings::default());
    assert_eq!((violations, composites.complex_share), (40, (2.0 + 1.0) / 4.0));
    assert_eq!((composites.verbosity_v0, composites.erosion_v0), (None, None));
}

#[test]
fn rubric_violations_complete_verbosity() {
    let (_, composites) = composites(ExternalFindings { rubric_violations: Some(6), lint_errors: None });
    assert_eq!((composites.verbosity_v0, composites.erosion_v0), (Some((40.0 + 6.0) / 46.0 + 1.0 / 4.0), None));
}

#[test]
fn lint_errors_complete_erosion() {
    let (_, composites) = composites(ExternalFindings { rubric_violations: None, lint_errors: Some(23) });
    assert_eq!((composites.verbosity_v0, composites.erosion_v0), (None, Some(0.75 + 0.5)));
}

#[test]
fn none_found_is_not_none_sought() {
    let (_, composites) = composites(ExternalFindings { rubric_violations: Some(0), lint_errors: Some(0) });
    assert_eq!((composites.verbosity_v0, composites.erosion_v0), (Some(40.0 / 46.0 + 0.25), Some(0.75)));
}
