//! What `compare-runs` says: of one that is better, of too little, and of two that are the same.

use std::env;

use slopbench_analysis::{
    Error, RunSet, compare,
    comparison::{RowSelection, RunComparison},
};
use slopbench_stats::{Interval, describe::mean_interval};
use slopbench_synthetic::SyntheticStudy;

use crate::support::written;

fn selection<'a>(set: &'a RunSet, fields: &[(&str, &str)]) -> RowSelection<'a> {
    let fields = fields.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect();
    RowSelection { name: "run", set, fields }
}

fn prompts(set: &RunSet) -> Result<RunComparison, Error> {
    let model = ("model", "synthetic-a");
    compare(&selection(set, &[model, ("prompt", "just-solve")]), &selection(set, &[model, ("prompt", "anti_slop")]))
}

/// anti_slop lowers verbosity by a sixth of itself in every problem.
#[test]
fn a_true_difference_is_called_real_and_a_side_is_named() {
    let study = SyntheticStudy { checkpoints: vec![5; 16], repeats: 3, hazards: false, ..SyntheticStudy::small(5) };
    let compared = prompts(&written(&study).set).unwrap();
    let verbosity = compared.measures.iter().find(|measure| measure.key == "verbosity").unwrap();
    assert!(verbosity.difference < 0.0 && verbosity.p_holm.unwrap() < 0.05, "{verbosity:?}");
    assert!(verbosity.high.unwrap() < 0.0 && verbosity.effect.unwrap() < -0.5);
    assert_eq!((verbosity.problems, verbosity.pairs, verbosity.unpaired), (16, 80, 0));
    assert!(compared.sentences[0].starts_with("B is better by: ") && compared.sentences[0].contains("verbosity"));
    assert!(verbosity.sentence.contains("B is better, and that is real"), "{}", verbosity.sentence);
    assert!(verbosity.power.unwrap().repeats_needed.is_some_and(|repeats| repeats <= 3));
    assert!(compared.synthetic && compared.table().synthetic);
}

#[test]
fn of_too_few_problems_nothing_is_said() {
    let study = SyntheticStudy { checkpoints: vec![4; 5], repeats: 1, hazards: false, ..SyntheticStudy::small(5) };
    let compared = prompts(&written(&study).set).unwrap();
    assert_eq!(compared.sentences[0], "There are too few problems in common to say anything.");
    assert!(compared.sentences[1].starts_with("Each checkpoint was done once on each side"));
    assert!(compared.measures.iter().all(|measure| measure.power.is_none()));
    assert!(compared.measures.iter().any(|measure| measure.sentence.contains("at least 10 problems are needed")));
}

#[test]
fn a_run_beside_itself_differs_in_nothing() {
    let study = written(&SyntheticStudy::null(1));
    let set = RunSet::read(&study.runs[..1]).unwrap();
    let compared = compare(&selection(&set, &[]), &selection(&set, &[])).unwrap();
    assert!(compared.measures.iter().all(|measure| measure.differing == 0 && measure.p.is_none()));
    assert!(compared.measures[0].sentence.contains("are the same in all 20 problems"));
}

#[test]
fn a_side_is_one_configuration() {
    let set = written(&SyntheticStudy::small(1)).set;
    let several = compare(&selection(&set, &[]), &selection(&set, &[])).unwrap_err();
    assert!(several.to_string().contains("choose one with --select-a FIELD=VALUE"), "{several}");
    let none = compare(&selection(&set, &[("model", "gpt-9")]), &selection(&set, &[])).unwrap_err();
    assert!(matches!(&none, Error::NoConfiguration { known, .. } if known.len() == 4), "{none}");
    let unknown = compare(&selection(&set, &[("colour", "red")]), &selection(&set, &[])).unwrap_err();
    assert!(matches!(unknown, Error::Selection(_)));
}

/// Of tests of two identical agents.
#[derive(Default)]
struct FalseAlarms {
    /// Those below 5%.
    below: usize,
    /// All.
    tests: usize,
    /// How many comparisons call something real.
    real: usize,
    /// The share below 5% in each comparison, whose tests are not independent.
    shares: Vec<f64>,
}

fn false_alarms(studies: impl Iterator<Item = SyntheticStudy>) -> FalseAlarms {
    let mut alarms = FalseAlarms::default();
    for study in studies {
        let study = written(&study);
        let sets = [&study.runs[..1], &study.runs[1..]].map(|runs| RunSet::read(runs).unwrap());
        let compared = compare(&selection(&sets[0], &[]), &selection(&sets[1], &[])).unwrap();
        let p: Vec<f64> = compared.measures.iter().filter_map(|measure| measure.p).collect();
        let below = p.iter().filter(|p| **p < compared.level).count();
        alarms.below += below;
        alarms.tests += p.len();
        alarms.real += usize::from(compared.measures.iter().any(|one| one.p_holm.is_some_and(|p| p < compared.level)));
        alarms.shares.push(below as f64 / p.len() as f64);
    }
    alarms
}

#[test]
fn identical_agents_rarely_differ() {
    let small = |seed| SyntheticStudy { checkpoints: vec![3; 8], ..SyntheticStudy::null(seed) };
    let FalseAlarms { below, tests, real, .. } = false_alarms((1..=20).map(small));
    assert!(tests > 300 && below * 10 < tests, "{below} of {tests} tests are below 5%");
    assert!(real <= 4, "{real} of 20 comparisons call something real");
}

/// Of the paper's size; `cargo xtask synthetic --null`. A smaller study tells less: `SLOPBENCH_SEEDS` is how many there are.
#[test]
#[ignore = "takes minutes in a release build"]
fn null_study_of_200_seeds_has_3_to_7_percent_of_false_alarms() {
    let seeds = env::var("SLOPBENCH_SEEDS").map_or(200, |seeds| seeds.parse().unwrap());
    let FalseAlarms { below, tests, real, shares } = false_alarms((1..=seeds).map(SyntheticStudy::null));
    let rate = 100.0 * below as f64 / tests as f64;
    let Interval { low, high, .. } = mean_interval(&shares, 0.95).unwrap();
    let [low, high] = [low, high].map(|end| 100.0 * end);
    println!(
        "{seeds} seeds: {below} of {tests} tests are below 5%: {rate:.2}%, of seeds [{low:.2}%, {high:.2}%] (95%)"
    );
    println!("{real} of {seeds} comparisons call a difference real: {:.1}%", 100.0 * real as f64 / seeds as f64);
    assert!((3.0..=7.0).contains(&rate));
}
