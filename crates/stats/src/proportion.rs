//! How sure a share of successes is.

use crate::{
    distribution::normal_quantile,
    error::{Error, check_fraction, within},
    interval::Interval,
};

/// The interval of a share of `successes` among `trials`: E. B. Wilson, Probable Inference, the Law of Succession, and
/// Statistical Inference, 1927 (statsmodels' `proportion_confint` with method `wilson`).
///
/// It stays within 0 and 1, and holds its coverage for shares near either end and for few trials.
///
/// # Errors
///
/// No trials, more successes than trials, or a confidence that is no fraction.
pub fn wilson(successes: usize, trials: usize, confidence: f64) -> Result<Interval, Error> {
    check_fraction("the confidence", confidence)?;
    if trials == 0 {
        return Err(Error::TooFew { given: 0, needed: 1 });
    }
    within("the number of successes", successes as f64, successes <= trials, "at most as many as trials")?;
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let z = normal_quantile(0.5 + confidence / 2.0);
    let square = z * z / n;
    let centre = (share + square / 2.0) / (1.0 + square);
    let half = z / (1.0 + square) * (share * (1.0 - share) / n + square / (4.0 * n)).sqrt();
    // Rounding alone would leave 0 and 1.
    let low = if successes == 0 { 0.0 } else { centre - half };
    let high = if successes == trials { 1.0 } else { centre + half };
    Ok(Interval { low, high, confidence })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// As statsmodels 0.15's `proportion_confint(k, n, 1 - confidence, "wilson")` has them.
    #[test]
    fn intervals_are_wilsons() {
        let table = [
            (8, 10, 0.95, 0.490_162_471_536_641_8, 0.943_317_848_545_624_7),
            (0, 20, 0.95, 0.0, 0.161_125_158_052_819_25),
            (50, 50, 0.95, 0.928_652_400_866_641_4, 1.0),
        ];
        for (successes, trials, confidence, low, high) in table {
            let interval = wilson(successes, trials, confidence).unwrap();
            assert!((interval.low - low).abs() < 1e-12, "{interval:?}");
            assert!((interval.high - high).abs() < 1e-12, "{interval:?}");
        }
    }

    #[test]
    fn what_has_no_share_is_refused() {
        assert!(wilson(0, 0, 0.95).is_err());
        assert!(wilson(3, 2, 0.95).is_err());
        assert!(wilson(1, 2, 1.0).is_err());
    }
}
