//! How often intervals hold what they are to hold, and tests raise false alarms: `cargo bench -p slopbench-stats`.
//!
//! Each row is of [`SETS`] data sets that are drawn from a known distribution; a nominal 95% interval should hold its
//! mean in 95% of them, a test of no difference be below 5% in 5%. With so many sets a share is known to about one
//! point.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and shows what it found")]

use std::{f64::consts::TAU, time::Instant};

use fastrand::Rng;
use slopbench_stats::{
    Interval, Resampling,
    bootstrap::Bootstrap,
    describe::mean_interval,
    permutation::paired_permutation,
    wilcoxon::{WilcoxonMethod, ZeroRule, wilcoxon},
};

const SETS: u64 = 2000;
const RESAMPLES: usize = 1000;

fn main() {
    let start = Instant::now();
    println!("| data | values | percentile | BCa | Student's t |\n| --- | --- | --- | --- | --- |");
    for problems in [5, 10, 20, 40] {
        row("normal", problems, 0.0, |rng| vec![normal(rng)]);
        row("lognormal", problems, 0.5_f64.exp(), |rng| vec![normal(rng).exp()]);
    }
    // Two thirds of the variance are a problem's own, as three repeats of it have them in common.
    let repeated = |rng: &mut Rng| {
        let own = normal(rng);
        (0..3).map(|_| own + 0.5_f64.sqrt() * normal(rng)).collect()
    };
    row("three repeats a problem, clustered", 20, 0.0, repeated);
    let apart = |rng: &mut Rng| (0..20).flat_map(|_| repeated(rng)).map(|value| vec![value]).collect();
    row_of("three repeats a problem, as if independent", 60, 0.0, apart);
    println!("\n| 20 paired differences | Wilcoxon | permutation |\n| --- | --- | --- |");
    false_alarms("normal", normal);
    false_alarms("uniform", |rng| rng.f64() - 0.5);
    println!("\n{:.1} s", start.elapsed().as_secs_f64());
}

fn row(data: &str, problems: usize, mean: f64, problem: impl Fn(&mut Rng) -> Vec<f64>) {
    row_of(data, problems, mean, |rng| (0..problems).map(|_| problem(rng)).collect());
}

fn row_of(data: &str, count: usize, mean: f64, clusters: impl Fn(&mut Rng) -> Vec<Vec<f64>>) {
    let mut held = [0; 3];
    for seed in 0..SETS {
        let clusters = clusters(&mut Rng::with_seed(seed));
        let bootstrap = Bootstrap::clustered_mean(&clusters, Resampling { resamples: RESAMPLES, seed }).unwrap();
        let means: Vec<f64> = clusters.iter().map(|one| one.iter().sum::<f64>() / one.len() as f64).collect();
        let intervals: [Interval; 3] =
            [bootstrap.percentile(0.95).unwrap(), bootstrap.bca(0.95).unwrap(), mean_interval(&means, 0.95).unwrap()];
        for (held, interval) in held.iter_mut().zip(intervals) {
            *held += u64::from(interval.contains(mean));
        }
    }
    let [percentile, bca, t] = held.map(percent);
    println!("| {data} | {count} | {percentile} | {bca} | {t} |");
}

fn false_alarms(data: &str, difference: impl Fn(&mut Rng) -> f64) {
    let mut alarms = [0; 2];
    for seed in 0..SETS {
        let mut rng = Rng::with_seed(seed);
        let differences: Vec<f64> = (0..20).map(|_| difference(&mut rng)).collect();
        let rank = wilcoxon(&differences, ZeroRule::Pratt, WilcoxonMethod::Auto).unwrap().p;
        // One more than are counted in full, and so from draws.
        let drawn: Vec<f64> = differences.iter().copied().chain([difference(&mut rng)]).collect();
        let permuted = paired_permutation(&drawn, Resampling { resamples: RESAMPLES, seed }).unwrap().p;
        alarms[0] += u64::from(rank < 0.05);
        alarms[1] += u64::from(permuted < 0.05);
    }
    let [rank, permuted] = alarms.map(percent);
    println!("| {data} | {rank} | {permuted} |");
}

fn percent(count: u64) -> String {
    format!("{:.1}%", 100.0 * count as f64 / SETS as f64)
}

/// Box and Muller's transform.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (TAU * rng.f64()).cos()
}
