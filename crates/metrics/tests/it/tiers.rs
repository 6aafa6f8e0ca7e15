//! What counts and what is advised are two things.

use slopbench_metrics::measurement::Measures;
use slopbench_metrics::{RuleSet, Tier};

use crate::support::{folder, measure_bytes, rules};

fn rule(id: &str, call: &str, metadata: &str) -> String {
    format!("id: {id}\nlanguage: Python\nrule: {{pattern: {call}($$$)}}\n{metadata}")
}

/// A rule for each way to be in tiers.
fn tiered() -> RuleSet {
    let all = [
        rule("counted", "f", "metadata: {tiers: [verbosity]}\n"),
        rule("advised", "g", "metadata: {tiers: [advice]}\n"),
        rule("both", "h", "metadata: {tiers: [advice, verbosity]}\n"),
        rule("silent", "k", ""),
    ];
    rules(&all.join("---\n"))
}

const SOURCE: &str = "f(1)\ng(2)\nh(3)\nk(4)\n";

fn ids(rules: &RuleSet, tier: Option<Tier>) -> Vec<String> {
    let mut measurement = measure_bytes(SOURCE, rules);
    tier.into_iter().for_each(|tier| measurement.keep(tier, rules));
    measurement.matches.into_iter().map(|found| found.rule).collect()
}

#[test]
fn figures_count_the_verbosity_tier_alone() {
    let Measures { flagged_lines, violations, verbose_lines, verbosity, advice_matches, .. } =
        measure_bytes(SOURCE, &tiered()).total;
    assert_eq!((flagged_lines, violations, verbose_lines, verbosity), (3, 3, 3, 0.75));
    assert_eq!(advice_matches, 3);
}

#[test]
fn a_measurement_lists_both_tiers_until_one_is_kept() {
    let rules = tiered();
    assert_eq!(ids(&rules, None), ["counted", "advised", "both", "silent"]);
    assert_eq!(ids(&rules, Some(Tier::Verbosity)), ["counted", "both", "silent"]);
    assert_eq!(ids(&rules, Some(Tier::Advice)), ["advised", "both", "silent"]);
}

#[test]
fn what_is_listed_changes_no_figure() {
    let rules = tiered();
    let whole = measure_bytes(SOURCE, &rules);
    let mut kept = whole.clone();
    kept.keep(Tier::Advice, &rules);
    assert_eq!((kept.total, kept.files), (whole.total, whole.files));
}

#[test]
fn a_rule_in_no_known_tier_is_an_error() {
    for tiers in ["[]", "[style]", "advice"] {
        let file = folder(&[("a.yml", &rule("a", "f", &format!("metadata: {{tiers: {tiers}}}\n")))]);
        let error = RuleSet::load(file.path()).expect_err("no tier").to_string();
        assert!(
            error.contains("rule `a`: `metadata.tiers` is ") && error.contains("`verbosity` and `advice`"),
            "{error}"
        );
    }
}

/// The three rules that carried the figure say nothing that a person should do.
#[test]
fn broad_rules_are_no_advice() {
    let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
    for rule in
        ["if-inside-if", "list-literal-argument", "loop-with-append", "subscript-assignment-loop", "negated-guard"]
    {
        assert!(built_in.is_in(Tier::Verbosity, rule) && !built_in.is_in(Tier::Advice, rule), "{rule}");
    }
    assert!(!built_in.is_in(Tier::Verbosity, "no-such-rule"));
}
