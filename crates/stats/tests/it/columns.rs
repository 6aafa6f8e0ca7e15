//! Single columns and pairs of them: middles, spreads, ranks, correlations, lines, raters.

use serde::Deserialize;
use slopbench_stats::{
    correlation::{Correlation, pearson, spearman},
    describe, effect,
    kappa::{Disagreement, kappa},
    line,
    ranks::ranks,
};

use crate::support::{CLOSE, assert_close, assert_p, cases};

#[derive(Deserialize)]
struct Column {
    values: Vec<f64>,
    mean: f64,
    median: f64,
    sd: f64,
    coefficient_of_variation: f64,
    /// Fraction and value.
    quantiles: Vec<(f64, f64)>,
    /// Confidence and ends.
    intervals: Vec<(f64, f64, f64)>,
    mean_absolute_difference_to_reversed: f64,
}

#[test]
fn a_column_is_described_as_numpy_does() {
    for case in cases::<Vec<Column>>("describe.json") {
        let values = &case.values;
        let told = describe::mean_sd(values).unwrap();
        assert_close(told.mean, case.mean, CLOSE, "mean");
        assert_close(told.sd.unwrap(), case.sd, CLOSE, "sd");
        assert_eq!(told.n, values.len());
        assert_close(describe::median(values).unwrap(), case.median, CLOSE, "median");
        let variation = describe::coefficient_of_variation(values).unwrap();
        assert_close(variation, case.coefficient_of_variation, CLOSE, "coefficient of variation");
        for (p, expected) in case.quantiles {
            assert_close(describe::quantile(values, p).unwrap(), expected, CLOSE, "quantile");
        }
        for (confidence, low, high) in case.intervals {
            let interval = describe::mean_interval(values, confidence).unwrap();
            assert_close(interval.low, low, CLOSE, "the interval's lower end");
            assert_close(interval.high, high, CLOSE, "the interval's upper end");
        }
        let reversed: Vec<f64> = values.iter().rev().copied().collect();
        let distance = describe::mean_absolute_difference(values, &reversed).unwrap();
        assert_close(distance, case.mean_absolute_difference_to_reversed, CLOSE, "mean absolute difference");
    }
}

#[derive(Deserialize)]
struct Pairs {
    x: Vec<f64>,
    y: Vec<f64>,
    ranks: Vec<f64>,
    /// Coefficient and p-value.
    pearson: (f64, f64),
    spearman: (f64, f64),
}

#[test]
fn correlations_and_their_p_values_are_scipys() {
    for case in cases::<Vec<Pairs>>("correlation.json") {
        assert_eq!(ranks(&case.x).unwrap(), case.ranks);
        let same = |actual: Correlation, (coefficient, p): (f64, f64), what: &str| {
            assert_close(actual.coefficient, coefficient, CLOSE, what);
            // 1 - r² is what p follows from: rounding of r weighs as much more as it is smaller.
            let sensitivity = (actual.n as f64 / (1.0 - coefficient * coefficient)).max(1.0);
            assert_p(actual.p, p, CLOSE * sensitivity, what);
        };
        same(pearson(&case.x, &case.y).unwrap(), case.pearson, "Pearson");
        same(spearman(&case.x, &case.y).unwrap(), case.spearman, "Spearman");
    }
}

#[derive(Deserialize)]
struct Points {
    x: Vec<f64>,
    y: Vec<f64>,
    slope: f64,
    intercept: f64,
    standard_error: f64,
    p: f64,
    /// Confidence and ends.
    intervals: Vec<(f64, f64, f64)>,
}

#[test]
fn lines_and_their_slopes_intervals_are_scipys() {
    for case in cases::<Vec<Points>>("line.json") {
        let line = line::fit(&case.x, &case.y).unwrap();
        // SciPy takes the residuals from 1 - r², which costs digits where the line fits well: as many as they are
        // smaller.
        let spread = describe::sample_sd(&case.y).unwrap() / describe::sample_sd(&case.x).unwrap();
        let share = case.standard_error * (line.n as f64).sqrt() / spread;
        let tolerance = CLOSE / share.powi(2).min(1.0);
        assert_close(line.slope, case.slope, CLOSE, "slope");
        assert_close(line.intercept, case.intercept, CLOSE, "intercept");
        assert_close(line.slope_standard_error.unwrap(), case.standard_error, tolerance, "standard error");
        assert_close(line.slope_p().unwrap(), case.p, CLOSE, "p");
        for (confidence, low, high) in case.intervals {
            let interval = line.slope_interval(confidence).unwrap();
            assert_close(interval.low, low, tolerance, "the interval's lower end");
            assert_close(interval.high, high, tolerance, "the interval's upper end");
        }
    }
}

#[derive(Deserialize)]
struct Groups {
    x: Vec<f64>,
    y: Vec<f64>,
    cliffs_delta: f64,
}

#[test]
fn cliffs_delta_is_that_of_mann_and_whitneys_statistic() {
    for case in cases::<Vec<Groups>>("effect.json") {
        assert_close(effect::cliffs_delta(&case.x, &case.y).unwrap(), case.cliffs_delta, CLOSE, "Cliff's delta");
        assert_close(effect::cliffs_delta(&case.y, &case.x).unwrap(), -case.cliffs_delta, CLOSE, "turned around");
    }
}

#[derive(Deserialize)]
struct Raters {
    first: Vec<usize>,
    second: Vec<usize>,
    categories: usize,
    plain: f64,
    quadratic: f64,
}

#[test]
fn kappa_is_statsmodels() {
    for case in cases::<Vec<Raters>>("kappa.json") {
        let of = |disagreement| kappa(&case.first, &case.second, case.categories, disagreement).unwrap();
        assert_close(of(Disagreement::Plain), case.plain, CLOSE, "plain");
        assert_close(of(Disagreement::Quadratic), case.quadratic, CLOSE, "quadratic");
    }
}
