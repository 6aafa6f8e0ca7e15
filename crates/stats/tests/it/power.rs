//! Power against statsmodels' paired t-test.

use serde::Deserialize;
use slopbench_stats::power::{RepeatedPairs, paired_t_power, pairs_needed};

use crate::support::{CLOSE, assert_close, cases};

#[derive(Deserialize)]
struct Cases {
    power: Vec<Power>,
    pairs: Vec<Pairs>,
    repeats: Vec<Repeats>,
    pilots: Vec<Pilot>,
}

#[derive(Deserialize)]
struct Pilot {
    pilot: Vec<(Vec<f64>, Vec<f64>)>,
    within: f64,
    between: f64,
}

#[derive(Deserialize)]
struct Power {
    pairs: u32,
    effect: f64,
    level: f64,
    power: f64,
}

#[derive(Deserialize)]
struct Pairs {
    effect: f64,
    level: f64,
    power: f64,
    pairs: u32,
}

#[derive(Deserialize)]
struct Repeats {
    problems: u32,
    between: f64,
    within: f64,
    difference: f64,
    power_of_three: f64,
    needed: Option<u32>,
}

#[test]
fn the_paired_tests_power_is_statsmodels() {
    for case in cases::<Cases>("power.json").power {
        let what = format!("{} pairs, effect {}, level {}", case.pairs, case.effect, case.level);
        let power = paired_t_power(case.pairs, case.effect, case.level).unwrap();
        assert_close(power, case.power, CLOSE, &what);
        assert_eq!(paired_t_power(case.pairs, -case.effect, case.level), Ok(power), "{what}");
    }
}

#[test]
fn as_many_pairs_are_needed_as_statsmodels_says() {
    for case in cases::<Cases>("power.json").pairs {
        let needed = pairs_needed(case.effect, case.level, case.power);
        assert_eq!(needed, Ok(Some(case.pairs)), "effect {}, level {}", case.effect, case.level);
    }
}

#[test]
fn repeats_tell_what_problems_do_not_hide() {
    let cases = cases::<Cases>("power.json").repeats;
    assert!(cases.iter().any(|case| case.needed.is_none()), "one is beyond reach");
    for case in cases {
        let design = RepeatedPairs { problems: case.problems, between: case.between, within: case.within };
        let what = format!("{design:?}");
        assert_close(design.power(3, case.difference, 0.05).unwrap(), case.power_of_three, CLOSE, &what);
        assert_eq!(design.repeats_needed(case.difference, 0.05, 0.8), Ok(case.needed), "{what}");
        let detectable = design.detectable(3, 0.05, 0.8).unwrap();
        assert_close(design.power(3, detectable, 0.05).unwrap(), 0.8, 1e-8, &what);
    }
}

#[test]
fn a_pilots_deviations_are_those_of_the_moments() {
    for case in cases::<Cases>("power.json").pilots {
        let design = RepeatedPairs::of_pilot(&case.pilot).unwrap();
        assert_close(design.within, case.within, CLOSE, "within problems");
        assert_close(design.between, case.between, CLOSE, "between problems");
    }
}
