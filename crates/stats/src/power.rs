//! How many observations would tell a difference of a given size.
//!
//! The method is the power of the two-sided paired t-test by the noncentral t distribution (J. Cohen, Statistical Power
//! Analysis, 1988; statsmodels' `TTestPower`): it is exact for normal differences. A rank or permutation test of normal
//! differences needs about 5% more pairs.

use crate::{
    describe::{mean, sample_sd},
    distribution::{noncentral_t_cdf, t_critical},
    error::{Error, check_fraction, finite, within},
};

/// The most that a search goes up to; a study that needs more is beyond reach.
const MOST: u32 = 1_000_000;

/// The chance that the paired t-test of `pairs` differences is below `level`.
///
/// `effect` is the true mean difference over the differences' standard deviation, of either sign; `level` the test's,
/// 0.05, say.
///
/// # Errors
///
/// Fewer than two pairs, a level outside of (0, 1), or an effect that is not finite or so large that √pairs · effect
/// exceeds 1000 without settling the outcome.
pub fn paired_t_power(pairs: u32, effect: f64, level: f64) -> Result<f64, Error> {
    within("the effect", effect, effect.is_finite(), "a finite number of standard deviations")?;
    power_of(pairs, effect.abs() * f64::from(pairs).sqrt(), level)
}

/// The smallest number of pairs, up to a million, whose [`paired_t_power`] is at least `power`; `None` if even they
/// have less.
///
/// # Errors
///
/// Where [`paired_t_power`] has them, and a power outside of (0, 1).
pub fn pairs_needed(effect: f64, level: f64, power: f64) -> Result<Option<u32>, Error> {
    check_fraction("the power", power)?;
    smallest(2, |pairs| Ok(paired_t_power(pairs, effect, level)? >= power))
}

/// A comparison of two configurations on the same problems, each several times.
///
/// A problem's difference of means is δ + b + w: b, the problem's own, has the standard deviation `between`; w, from
/// repeating, has `within` · √(2 / repeats). The problems' differences are compared by a paired t-test, so that repeats
/// only diminish w.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepeatedPairs {
    /// The number of problems, at least 2.
    pub problems: u32,
    /// The standard deviation, over problems, of the true difference, in the measure's unit.
    pub between: f64,
    /// The standard deviation of one configuration's repeats on one problem, in the measure's unit.
    pub within: f64,
}

impl RepeatedPairs {
    /// The design that a pilot had: for each problem, the measure of every repeat of the one configuration and of the
    /// other.
    ///
    /// By the method of moments: `within`² is pooled over all repeats, Σ (x - x̄)² / Σ (n - 1); `between`² is the
    /// sample variance of the problems' differences of means, less within² · (1/n + 1/m) on average, and 0 if that is
    /// more.
    ///
    /// # Errors
    ///
    /// Fewer than two problems, one without a value on either side, a value that is not finite, or no repeats at all.
    pub fn of_pilot(pilot: &[(Vec<f64>, Vec<f64>)]) -> Result<Self, Error> {
        if pilot.len() < 2 {
            return Err(Error::TooFew { given: pilot.len(), needed: 2 });
        }
        let (mut squares, mut df) = (0.0, 0);
        let (mut differences, mut share) = (Vec::new(), 0.0);
        for (first, second) in pilot {
            for repeats in [first, second] {
                let mean = mean(repeats)?;
                squares += repeats.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
                df += repeats.len() - 1;
                share += 1.0 / repeats.len() as f64;
            }
            differences.push(mean(first)? - mean(second)?);
        }
        if df == 0 {
            return Err(Error::TooFew { given: 1, needed: 2 });
        }
        let within = finite(squares / df as f64)?;
        let between = sample_sd(&differences)?.powi(2) - within * share / pilot.len() as f64;
        Ok(Self { problems: pilot.len() as u32, between: between.max(0.0).sqrt(), within: within.sqrt() })
    }

    /// The chance of telling a true mean difference of `difference`, in the measure's unit, with so many repeats.
    ///
    /// # Errors
    ///
    /// Fewer than two problems, no repeats, deviations that are negative, not finite or both 0, a difference that is
    /// not finite, or a level outside of (0, 1).
    pub fn power(&self, repeats: u32, difference: f64, level: f64) -> Result<f64, Error> {
        within("the number of repeats", f64::from(repeats), repeats > 0, "at least 1")?;
        within("the difference", difference, difference.is_finite(), "a finite number in the measure's unit")?;
        let standard_error = (self.variance(2.0 / f64::from(repeats))? / f64::from(self.problems)).sqrt();
        power_of(self.problems, difference.abs() / standard_error, level)
    }

    /// The smallest number of repeats whose [`power`](Self::power) is at least `power`.
    ///
    /// `None` if a million repeats have less: what problems differ by is then too much for a difference so small, and
    /// only more problems would tell it.
    ///
    /// # Errors
    ///
    /// Where [`power`](Self::power) has them, and a power outside of (0, 1).
    pub fn repeats_needed(&self, difference: f64, level: f64, power: f64) -> Result<Option<u32>, Error> {
        check_fraction("the power", power)?;
        smallest(1, |repeats| Ok(self.power(repeats, difference, level)? >= power))
    }

    /// The smallest true difference, in the measure's unit, that so many repeats tell with the chance `power`, to 1e-9
    /// of itself.
    ///
    /// # Errors
    ///
    /// Where [`power`](Self::power) has them, and a power outside of (0, 1); a level above the power, at which no
    /// difference is needed.
    pub fn detectable(&self, repeats: u32, level: f64, power: f64) -> Result<f64, Error> {
        check_fraction("the power", power)?;
        within("the power", power, power > level, "a power above the level")?;
        let enough = |difference: f64| Ok(self.power(repeats, difference, level)? >= power);
        let (mut low, mut high) = (0.0, (self.variance(2.0)? / f64::from(self.problems)).sqrt());
        while !enough(high)? {
            (low, high) = (high, 2.0 * high);
        }
        while high - low > 1e-9 * high {
            let middle = 0.5 * (low + high);
            if enough(middle)? { high = middle } else { low = middle }
        }
        Ok(high)
    }

    /// between² + within² · `share`, of which the square root is a problem's deviation.
    fn variance(&self, share: f64) -> Result<f64, Error> {
        if self.problems < 2 {
            return Err(Error::TooFew { given: self.problems as usize, needed: 2 });
        }
        for (name, value) in [("the deviation between problems", self.between), ("that within problems", self.within)] {
            within(name, value, value.is_finite() && value >= 0.0, "a finite number, not negative")?;
        }
        let variance = self.between.powi(2) + self.within.powi(2) * share;
        if variance == 0.0 { Err(Error::NoVariance("the measure")) } else { Ok(variance) }
    }
}

/// The power of the t-test of `pairs` whose statistic has the noncentrality `delta` ≥ 0.
fn power_of(pairs: u32, delta: f64, level: f64) -> Result<f64, Error> {
    check_fraction("the level", level)?;
    if pairs < 2 {
        return Err(Error::TooFew { given: pairs as usize, needed: 2 });
    }
    let df = f64::from(pairs - 1);
    let critical = t_critical(level, df);
    if is_certain(delta, critical, df) {
        return Ok(1.0);
    }
    within("the effect times √pairs", delta, delta <= 1000.0, "at most 1000")?;
    let (below, beyond) = (noncentral_t_cdf(critical, df, delta), noncentral_t_cdf(critical, df, -delta));
    Ok((1.0 - below + (1.0 - beyond)).min(1.0))
}

/// Whether the power differs from 1 by less than 1e-17, by P(T ≤ c) ≤ P(Z ≤ -δ/2) + P(S ≥ δ/2c) and Chernoff's bound
/// for S² = χ²/ν.
fn is_certain(delta: f64, critical: f64, df: f64) -> bool {
    let u = delta / (2.0 * critical);
    delta > 20.0 && u > 1.0 && df / 2.0 * (u * u - 1.0 - libm::log(u * u)) > 40.0
}

/// The least number from `first` that is enough, where more is never less; `None` beyond [`MOST`].
fn smallest(first: u32, enough: impl Fn(u32) -> Result<bool, Error>) -> Result<Option<u32>, Error> {
    if enough(first)? {
        return Ok(Some(first));
    }
    let (mut low, mut high) = (first, 2 * first);
    while !enough(high.min(MOST))? {
        if high >= MOST {
            return Ok(None);
        }
        (low, high) = (high, 2 * high);
    }
    high = high.min(MOST);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if enough(middle)? { high = middle } else { low = middle }
    }
    Ok(Some(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_of_anything_is_more_power() {
        let power = |pairs, effect, level| paired_t_power(pairs, effect, level).unwrap();
        assert!(power(20, 0.5, 0.05) < power(21, 0.5, 0.05));
        assert!(power(20, 0.5, 0.05) < power(20, 0.6, 0.05));
        assert!(power(20, 0.5, 0.05) < power(20, 0.5, 0.06));
        assert!((power(20, 0.0, 0.05) - 0.05).abs() < 1e-12);
        assert_eq!(power(1_000_000, 100.0, 0.001), 1.0);
    }

    /// Where all that varies lies between problems, a second repeat changes nothing.
    #[test]
    fn repeats_do_not_help_against_what_problems_differ_by() {
        let design = RepeatedPairs { problems: 10, between: 1.0, within: 0.0 };
        assert_eq!(design.power(1, 0.5, 0.05), design.power(50, 0.5, 0.05));
        assert_eq!(design.repeats_needed(0.5, 0.05, 0.8), Ok(None));
        assert_eq!(pairs_needed(1e-5, 0.05, 0.8), Ok(None));
    }

    #[test]
    fn a_pilots_deviations_are_told_apart() {
        // Each side's repeats differ by ±1, so that within² = 2; the differences of means are 4 and 0, whose variance
        // is 8.
        let pilot = [(vec![5.0, 7.0], vec![1.0, 3.0]), (vec![5.0, 7.0], vec![5.0, 7.0])];
        let design = RepeatedPairs::of_pilot(&pilot).unwrap();
        assert_eq!((design.problems, design.within), (2, 2.0_f64.sqrt()));
        assert!((design.between - 6.0_f64.sqrt()).abs() < 1e-12);
        let alike = [(vec![0.0, 9.0], vec![9.0, 0.0]), (vec![1.0], vec![1.5])];
        assert_eq!(RepeatedPairs::of_pilot(&alike).map(|design| design.between), Ok(0.0));
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        let design = RepeatedPairs { problems: 10, between: 0.0, within: 1.0 };
        assert_eq!(paired_t_power(1, 0.5, 0.05), Err(Error::TooFew { given: 1, needed: 2 }));
        for error in [
            paired_t_power(10, f64::NAN, 0.05),
            paired_t_power(10, 0.5, 5.0),
            paired_t_power(2, 1e4, 1e-6),
            design.power(0, 0.5, 0.05),
            design.power(1, f64::INFINITY, 0.05),
            design.detectable(1, 0.5, 0.4),
            RepeatedPairs { within: -1.0, ..design }.power(1, 0.5, 0.05),
        ] {
            assert!(matches!(error, Err(Error::OutOfRange { .. })), "{error:?}");
        }
        let constant = RepeatedPairs { within: 0.0, ..design }.power(1, 0.5, 0.05);
        assert_eq!(constant, Err(Error::NoVariance("the measure")));
        let unrepeated = [(vec![1.0], vec![2.0]), (vec![1.0], vec![3.0])];
        assert_eq!(RepeatedPairs::of_pilot(&unrepeated), Err(Error::TooFew { given: 1, needed: 2 }));
        assert_eq!(RepeatedPairs::of_pilot(&unrepeated[..1]), Err(Error::TooFew { given: 1, needed: 2 }));
    }
}
