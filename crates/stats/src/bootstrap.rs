//! Intervals of any statistic, by drawing its units anew.
//!
//! What is drawn is a *unit*: a value, a pair, or a cluster such as all trajectories of one problem. Values of one unit
//! stay together, so that what they share does not count as agreement of independent observations.

use crate::{
    describe::{mean, quantile_of_sorted, sample_sd},
    distribution::{normal_cdf, normal_quantile},
    error::{Error, check, check_fraction, finite},
    generator::Resampling,
    interval::Interval,
};

/// A statistic, and how it varies as its units are drawn anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    estimate: f64,
    /// The statistic of each resample, sorted.
    resampled: Vec<f64>,
    /// The statistic without each unit; of one unit there is none.
    jackknife: Result<Vec<f64>, Error>,
}

impl Bootstrap {
    /// Draws as many units as there are, with replacement, and takes the statistic; again and again.
    ///
    /// `statistic` is asked for the units themselves, for each resample, and for all units but one.
    ///
    /// # Errors
    ///
    /// No units, no resamples, or a statistic that the units or a resample do not define.
    pub fn new<T>(
        units: &[T],
        statistic: impl Fn(&[&T]) -> Result<f64, Error>,
        resampling: Resampling,
    ) -> Result<Self, Error> {
        if units.is_empty() {
            return Err(Error::TooFew { given: 0, needed: 1 });
        }
        let all: Vec<&T> = units.iter().collect();
        let estimate = statistic(&all)?;
        let mut generator = resampling.generator()?;
        let mut drawn = all.clone();
        let mut draw = || {
            drawn.iter_mut().for_each(|unit| *unit = &units[generator.below(units.len())]);
            statistic(&drawn)
        };
        let resampled = (0..resampling.resamples).map(|_| draw()).collect::<Result<_, _>>()?;
        let without = |index: usize| statistic(&[&all[..index], &all[index + 1..]].concat());
        let jackknife = if units.len() > 1 {
            (0..units.len()).map(without).collect()
        } else {
            Err(Error::TooFew { given: 1, needed: 2 })
        };
        Ok(Self { jackknife, ..Self::of_estimates(estimate, resampled, &[])? })
    }

    /// Of estimates that were made elsewhere: the statistic itself, of each resample, and without each unit.
    ///
    /// # Errors
    ///
    /// No resamples, or an estimate that is not finite.
    pub fn of_estimates(estimate: f64, mut resampled: Vec<f64>, jackknife: &[f64]) -> Result<Self, Error> {
        check(&[estimate], 1)?;
        check(&resampled, 1)?;
        resampled.sort_by(f64::total_cmp);
        Ok(Self { estimate, resampled, jackknife: check(jackknife, 2).map(|()| jackknife.to_vec()) })
    }

    /// The mean of all values of all clusters, where clusters are drawn whole: one per problem, say.
    ///
    /// # Errors
    ///
    /// As [`Bootstrap::new`], and a cluster without a value.
    pub fn clustered_mean(clusters: &[Vec<f64>], resampling: Resampling) -> Result<Self, Error> {
        clusters.iter().try_for_each(|cluster| check(cluster, 1))?;
        // A cluster's sum and size are all that its share in the mean takes.
        let sums: Vec<(f64, f64)> = clusters.iter().map(|one| (one.iter().sum(), one.len() as f64)).collect();
        let mean_of = |drawn: &[&(f64, f64)]| {
            let (sum, count) = drawn.iter().fold((0.0, 0.0), |(sum, count), one| (sum + one.0, count + one.1));
            finite(sum / count)
        };
        Self::new(&sums, mean_of, resampling)
    }

    /// The statistic of the units as they are.
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The sample standard deviation of the resamples' statistics, in the statistic's unit.
    ///
    /// # Errors
    ///
    /// A single resample.
    pub fn standard_error(&self) -> Result<f64, Error> {
        sample_sd(&self.resampled)
    }

    /// The percentile interval: the quantiles (1 - confidence)/2 and (1 + confidence)/2 of the resamples' statistics.
    ///
    /// # Errors
    ///
    /// A confidence outside of (0, 1).
    pub fn percentile(&self, confidence: f64) -> Result<Interval, Error> {
        check_fraction("the confidence", confidence)?;
        self.between((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0, confidence)
    }

    /// The bias-corrected and accelerated interval.
    ///
    /// B. Efron, Better Bootstrap Confidence Intervals, 1987: quantiles at Φ(z₀ + (z₀ + z) / (1 - a (z₀ + z))), where
    /// z₀ is the normal quantile of the resamples' share below the estimate (half of those equal to it count, as in
    /// SciPy; equal is what differs by less than 1e-10 of the resamples' range, since the same units in another order
    /// may round apart), and the acceleration a = Σ dᵢ³ / 6 (Σ dᵢ²)^(3/2) of the jackknife's dᵢ = mean - estimate
    /// without unit i.
    ///
    /// # Errors
    ///
    /// A confidence outside of (0, 1), fewer than two units, or resamples or a jackknife whose statistics do not vary;
    /// resamples that all lie on one side of the estimate.
    pub fn bca(&self, confidence: f64) -> Result<Interval, Error> {
        check_fraction("the confidence", confidence)?;
        let bias = normal_quantile(self.share_below()?);
        let acceleration = self.acceleration()?;
        let corrected = |fraction: f64| {
            let z = bias + normal_quantile(fraction);
            normal_cdf(bias + z / (1.0 - acceleration * z))
        };
        self.between(corrected((1.0 - confidence) / 2.0), corrected((1.0 + confidence) / 2.0), confidence)
    }

    fn between(&self, low: f64, high: f64, confidence: f64) -> Result<Interval, Error> {
        let quantile = |p| quantile_of_sorted(&self.resampled, p);
        Ok(Interval { low: quantile(low)?, high: quantile(high)?, confidence })
    }

    fn share_below(&self) -> Result<f64, Error> {
        let range = self.resampled[self.resampled.len() - 1] - self.resampled[0];
        if range == 0.0 {
            return Err(Error::NoVariance("the statistic of the resamples"));
        }
        let below = self.resampled.partition_point(|&value| value < self.estimate - 1e-10 * range);
        let up_to = self.resampled.partition_point(|&value| value <= self.estimate + 1e-10 * range);
        let share = (below + up_to) as f64 / (2.0 * self.resampled.len() as f64);
        check_fraction("the share of resamples below the estimate", share).map(|()| share)
    }

    fn acceleration(&self) -> Result<f64, Error> {
        let jackknife = self.jackknife.as_ref().map_err(|&error| error)?;
        let mean = mean(jackknife)?;
        // Scaled by the greatest deviation, which cancels, so that cubes of small figures do not vanish.
        let greatest = jackknife.iter().map(|value| (mean - value).abs()).fold(0.0, f64::max);
        if greatest == 0.0 {
            return Err(Error::NoVariance("the statistic without one unit"));
        }
        let sum_of_powers = |power| jackknife.iter().map(|value| ((mean - value) / greatest).powi(power)).sum::<f64>();
        finite(sum_of_powers(3) / (6.0 * sum_of_powers(2).powi(3).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: Resampling = Resampling { resamples: 2000, seed: 5 };

    fn mean_of(values: &[&f64]) -> Result<f64, Error> {
        mean(&values.iter().map(|value| **value).collect::<Vec<_>>())
    }

    #[test]
    fn a_seed_settles_everything() {
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let first = Bootstrap::new(&values, mean_of, DRAWS).unwrap();
        assert_eq!(Ok(&first), Bootstrap::new(&values, mean_of, DRAWS).as_ref());
        let other = Bootstrap::new(&values, mean_of, Resampling { seed: 6, ..DRAWS }).unwrap();
        assert_ne!(first, other);
        assert_eq!(first.estimate(), 6.2);
    }

    /// The bootstrap of a mean has a closed form: standard error √(Σ (xᵢ - x̄)²) / n, skewness γ / √n.
    #[test]
    fn a_means_resamples_vary_as_theory_says() {
        let values: Vec<f64> = (0..40).map(|index| f64::from(index * index % 17)).collect();
        let bootstrap = Bootstrap::new(&values, mean_of, Resampling { resamples: 20_000, seed: 1 }).unwrap();
        let expected = sample_sd(&values).unwrap() * (39.0_f64 / 40.0 / 40.0).sqrt();
        assert!((bootstrap.standard_error().unwrap() / expected - 1.0).abs() < 0.02);
        let (percentile, bca) = (bootstrap.percentile(0.95).unwrap(), bootstrap.bca(0.95).unwrap());
        assert!(percentile.contains(bootstrap.estimate()) && bca.contains(bootstrap.estimate()));
        assert!(((percentile.high - percentile.low) / expected / 3.92 - 1.0).abs() < 0.03);
    }

    #[test]
    fn copies_within_a_cluster_add_nothing() {
        let problems: Vec<Vec<f64>> = (0..12).map(|problem| vec![f64::from(problem * 7 % 12)]).collect();
        let copied: Vec<Vec<f64>> = problems.iter().map(|one| vec![one[0]; 10]).collect();
        let (once, ten) = (Bootstrap::clustered_mean(&problems, DRAWS), Bootstrap::clustered_mean(&copied, DRAWS));
        let (once, ten) = (once.unwrap().percentile(0.9).unwrap(), ten.unwrap().percentile(0.9).unwrap());
        assert!((once.low - ten.low).abs() < 1e-12 && (once.high - ten.high).abs() < 1e-12);
        let pooled =
            Bootstrap::clustered_mean(&copied.concat().iter().map(|&one| vec![one]).collect::<Vec<_>>(), DRAWS);
        let pooled = pooled.unwrap().percentile(0.9).unwrap();
        assert!((pooled.high - pooled.low) < 0.5 * (once.high - once.low));
    }

    /// Eight multiples of a sixteenth: their means are exact, and equal to the estimate in both or in neither.
    #[test]
    fn a_shift_and_a_scale_carry_over() {
        let values = [0.3125, 0.125, 0.375, 0.1875, 0.9375, 0.25, 0.5, 0.0625];
        let moved: Vec<f64> = values.iter().map(|value| 1000.0 - 4.0 * value).collect();
        let (plain, moved) = (Bootstrap::new(&values, mean_of, DRAWS), Bootstrap::new(&moved, mean_of, DRAWS));
        let (plain, moved) = (plain.unwrap().bca(0.95).unwrap(), moved.unwrap().bca(0.95).unwrap());
        assert!((moved.low - (1000.0 - 4.0 * plain.high)).abs() < 1e-9);
        assert!((moved.high - (1000.0 - 4.0 * plain.low)).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        assert_eq!(Bootstrap::new(&[], mean_of, DRAWS), Err(Error::TooFew { given: 0, needed: 1 }));
        let single = Bootstrap::new(&[1.0], mean_of, DRAWS).unwrap();
        assert_eq!(single.percentile(0.95).map(|interval| (interval.low, interval.high)), Ok((1.0, 1.0)));
        assert!(single.bca(0.95).is_err());
        let constant = Bootstrap::new(&[1.0; 4], mean_of, DRAWS).unwrap();
        assert_eq!(constant.bca(0.95), Err(Error::NoVariance("the statistic of the resamples")));
        let aside = Bootstrap::of_estimates(0.0, vec![1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert!(matches!(aside.bca(0.95), Err(Error::OutOfRange { .. })));
        assert!(matches!(constant.percentile(95.0), Err(Error::OutOfRange { .. })));
        assert_eq!(Bootstrap::clustered_mean(&[vec![]], DRAWS), Err(Error::TooFew { given: 0, needed: 1 }));
        let undefined = |_: &[&f64]| Err(Error::NoVariance("it"));
        assert_eq!(Bootstrap::new(&[1.0], undefined, DRAWS), Err(Error::NoVariance("it")));
    }
}
