//! Bootstrap intervals: the draws against another implementation of the generator, the ends against SciPy's.

use serde::Deserialize;
use slopbench_stats::{
    Error, Resampling,
    bootstrap::Bootstrap,
    describe::{mean, median},
};

use crate::support::{CLOSE, assert_close, cases};

#[derive(Deserialize)]
struct Ends {
    method: String,
    confidence: f64,
    low: f64,
    high: f64,
}

#[derive(Deserialize)]
struct Resampled {
    statistic: String,
    values: Vec<f64>,
    estimate: f64,
    seed: u64,
    distribution: Vec<f64>,
    jackknife: Vec<f64>,
    standard_error: f64,
    intervals: Vec<Ends>,
}

#[derive(Deserialize)]
struct Clustered {
    clusters: Vec<Vec<f64>>,
    estimate: f64,
    seed: u64,
    resamples: usize,
    standard_error: f64,
    intervals: Vec<Ends>,
}

fn assert_same(bootstrap: &Bootstrap, estimate: f64, standard_error: f64, intervals: &[Ends], what: &str) {
    assert_close(bootstrap.estimate(), estimate, CLOSE, what);
    assert_close(bootstrap.standard_error().unwrap(), standard_error, CLOSE, what);
    for ends in intervals {
        let interval = match ends.method.as_str() {
            "percentile" => bootstrap.percentile(ends.confidence),
            _ => bootstrap.bca(ends.confidence),
        };
        let (interval, what) = (interval.unwrap(), format!("{what}, {} {}", ends.method, ends.confidence));
        assert_close(interval.low, ends.low, CLOSE, &what);
        assert_close(interval.high, ends.high, CLOSE, &what);
    }
}

fn statistic(name: &str) -> fn(&[f64]) -> Result<f64, Error> {
    match name {
        "mean" => mean,
        "median" => median,
        _ => |values| mean(&values.iter().map(|value| value * value).collect::<Vec<_>>()),
    }
}

#[test]
fn intervals_of_a_given_distribution_are_scipys() {
    for case in cases::<Vec<Resampled>>("bootstrap.json") {
        let bootstrap = Bootstrap::of_estimates(case.estimate, case.distribution, &case.jackknife).unwrap();
        let what = format!("{} of {} values", case.statistic, case.values.len());
        assert_same(&bootstrap, case.estimate, case.standard_error, &case.intervals, &what);
    }
}

/// Also of clusters: the keystream, the draws and the order in which they are taken are all part of the definition.
#[test]
fn a_seed_draws_what_another_implementation_draws() {
    for case in cases::<Vec<Resampled>>("bootstrap.json") {
        let resampling = Resampling { resamples: case.distribution.len(), seed: case.seed };
        let statistic = statistic(&case.statistic);
        let of_drawn = |drawn: &[&f64]| statistic(&drawn.iter().map(|value| **value).collect::<Vec<_>>());
        let bootstrap = Bootstrap::new(&case.values, of_drawn, resampling).unwrap();
        let what = format!("{} of {} values, drawn", case.statistic, case.values.len());
        assert_same(&bootstrap, case.estimate, case.standard_error, &case.intervals, &what);
    }
    for case in cases::<Vec<Clustered>>("clusters.json") {
        let resampling = Resampling { resamples: case.resamples, seed: case.seed };
        let bootstrap = Bootstrap::clustered_mean(&case.clusters, resampling).unwrap();
        let what = format!("{} clusters", case.clusters.len());
        assert_same(&bootstrap, case.estimate, case.standard_error, &case.intervals, &what);
    }
}
