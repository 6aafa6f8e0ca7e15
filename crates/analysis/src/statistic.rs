//! Statistics of rows: what goes into the cells of tables.

use std::collections::BTreeMap;

use slopbench_stats::{
    Error, Resampling,
    bootstrap::Bootstrap,
    describe::{mean, mean_interval, mean_sd, sample_sd},
};

use crate::{Statistic, TidyRow, configuration::group};

/// The confidence of every interval.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// How the resamples of every interval are drawn.
pub(crate) const DRAWS: Resampling = Resampling { resamples: 2000, seed: 260_324_755 };

/// Of so many values; `missing` should be there, too.
fn plain(value: f64, n: usize, missing: usize) -> Statistic {
    Statistic { value, n, missing, passed: None, sd: None, low: None, high: None, clusters: None }
}

/// Mean ± sample standard deviation.
pub(crate) fn mean_and_sd(values: &[f64], missing: usize) -> Result<Statistic, Error> {
    let of = mean_sd(values)?;
    Ok(Statistic { sd: of.sd, ..plain(of.mean, of.n, missing) })
}

/// Mean ± sample standard deviation with Student's interval, of independent values.
pub(crate) fn mean_of_independent(values: &[f64]) -> Result<Statistic, Error> {
    let of = mean_and_sd(values, 0)?;
    let interval = mean_interval(values, CONFIDENCE).ok();
    Ok(Statistic { low: interval.map(|one| one.low), high: interval.map(|one| one.high), ..of })
}

/// What a figure of rows is, and which of them should have it.
pub(crate) struct Figure<'f> {
    /// Its value.
    pub(crate) of: &'f (dyn Fn(&TidyRow) -> Option<f64> + Sync),
    /// The rows that it is asked of.
    pub(crate) among: fn(&TidyRow) -> bool,
}

impl Figure<'_> {
    /// Its values, and how many rows lack it.
    pub(crate) fn values(&self, rows: &[&TidyRow]) -> (Vec<f64>, usize) {
        let asked: Vec<_> = rows.iter().filter(|row| (self.among)(row)).collect();
        let values: Vec<f64> = asked.iter().filter_map(|row| (self.of)(row)).collect();
        let missing = asked.len() - values.len();
        (values, missing)
    }

    /// Mean ± sample standard deviation over rows.
    pub(crate) fn spread(&self, rows: &[&TidyRow]) -> Result<Statistic, Error> {
        let (values, missing) = self.values(rows);
        mean_and_sd(&values, missing)
    }

    /// The mean over rows, with an interval for which problems are drawn whole.
    pub(crate) fn clustered(&self, rows: &[&TidyRow]) -> Result<Statistic, Error> {
        let (values, missing) = self.values(rows);
        let clusters: Vec<Vec<f64>> = group(rows.iter().copied(), |row| &row.problem)
            .values()
            .map(|rows| self.values(rows).0)
            .filter(|values| !values.is_empty())
            .collect();
        clustered(&values, &clusters, missing)
    }

    /// The share of rows for which it is 1, with such an interval, and its spread over repeats.
    pub(crate) fn share(&self, rows: &[&TidyRow]) -> Result<Statistic, Error> {
        let of = self.clustered(rows)?;
        let passed = self.values(rows).0.iter().filter(|value| **value == 1.0).count();
        let repeats = group(rows.iter().copied(), |row| row.repetition());
        let shares: Vec<f64> = repeats.values().filter_map(|rows| mean(&self.values(rows).0).ok()).collect();
        Ok(Statistic { passed: Some(passed), sd: sample_sd(&shares).ok(), ..of })
    }
}

/// The mean of all values with the percentile interval of drawing clusters whole; of one cluster there is none.
pub(crate) fn clustered(values: &[f64], clusters: &[Vec<f64>], missing: usize) -> Result<Statistic, Error> {
    let of = plain(mean(values)?, values.len(), missing);
    let of = Statistic { clusters: Some(clusters.len()), ..of };
    if clusters.len() < 2 {
        return Ok(of);
    }
    let interval = Bootstrap::clustered_mean(clusters, DRAWS)?.percentile(CONFIDENCE)?;
    Ok(Statistic { low: Some(interval.low), high: Some(interval.high), ..of })
}

/// A share of things that each belong to a problem.
pub(crate) fn clustered_share<'a>(
    flags: impl IntoIterator<Item = (&'a str, bool)>,
    missing: usize,
) -> Result<Statistic, Error> {
    let mut clusters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (problem, flag) in flags {
        clusters.entry(problem).or_default().push(f64::from(u8::from(flag)));
    }
    let clusters: Vec<_> = clusters.into_values().collect();
    let values = clusters.concat();
    let passed = values.iter().filter(|value| **value == 1.0).count();
    Ok(Statistic { passed: Some(passed), ..clustered(&values, &clusters, missing)? })
}

/// Second less first of each pair, to 40 binary digits of the largest value: a difference that is nothing but the order in which
/// means were summed is 0, and equal differences are equal.
pub(crate) fn differences(pairs: &[(f64, f64)]) -> Vec<f64> {
    let greatest = pairs.iter().flat_map(|(first, second)| [first.abs(), second.abs()]).fold(0.0, f64::max);
    let exponent = ((greatest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let quantum = 2.0_f64.powi((exponent - 40).max(-1000));
    pairs.iter().map(|(first, second)| ((second - first) / quantum).round_ties_even() * quantum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_difference() {
        let third = (0.1 + 0.2, 0.3);
        assert_eq!(differences(&[third, (1.0, 1.0)]), [0.0, 0.0]);
        let [first, second] = differences(&[(0.1, 0.3), (0.7, 0.9)])[..] else { panic!("two") };
        assert!(first == second && (first - 0.2).abs() < 1e-11);
        assert_eq!(differences(&[(0.0, 0.0)]), [0.0]);
        assert_eq!(differences(&[]), [0.0; 0]);
    }
}
