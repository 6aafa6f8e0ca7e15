//! One file of arbitrary bytes: the first chooses the language, the rest are the text.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use slopbench_metrics::{Measurement, RuleSet, measure_sources};

const NAMES: [&str; 9] = ["a.c", "a.cpp", "a.go", "a.java", "a.js", "a.py", "a.rs", "a.ts", "a.tsx"];

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::builtin().expect("the built-in rules are valid"));

fuzz_target!(|bytes: &[u8]| {
    let Some((&language, text)) = bytes.split_first() else {
        return;
    };
    let sources = [(NAMES[usize::from(language) % NAMES.len()].to_owned(), text.to_vec())];
    let measurement = measure_sources(&sources, &RULES);
    check(&measurement);
    assert_eq!(measure_sources(&sources, &RULES), measurement, "the same text gives the same figures");
});

fn check(measurement: &Measurement) {
    assert_eq!(measurement.files.len() + measurement.skipped.len(), 1, "every file is measured or named");
    let total = &measurement.total;
    assert!(total.verbose_lines <= total.sloc_lines && total.sloc_lines <= total.total_lines);
    assert!(total.unparsed_lines <= total.loc.max(total.sloc_lines));
    assert!(total.clone_lines.max(total.flagged_lines) <= total.total_lines);
    assert!(total.complex_mass <= total.mass);
    for share in [total.erosion, total.verbosity, total.clone_ratio, total.violation_ratio] {
        assert!((0.0..=1.0).contains(&share), "{share} is a share");
    }
    for callable in &measurement.callables {
        assert!(callable.cc >= 1 && callable.start_line <= callable.end_line);
    }
}
