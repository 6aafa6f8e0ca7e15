//! One column in a few figures: its middle, its spread, and how sure its mean is.

use crate::{
    error::{Error, check, check_pairs, finite, within},
    interval::Interval,
};

/// The arithmetic mean, in the values' unit.
///
/// # Errors
///
/// No values, or one that is not finite.
pub fn mean(values: &[f64]) -> Result<f64, Error> {
    check(values, 1)?;
    finite(values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation √(Σ (xᵢ - x̄)² / (n - 1)), in the values' unit (NumPy's `std` with `ddof=1`).
///
/// # Errors
///
/// Fewer than two values, or one that is not finite.
pub fn sample_sd(values: &[f64]) -> Result<f64, Error> {
    check(values, 2)?;
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    finite((squares / (values.len() - 1) as f64).sqrt())
}

/// A mean ± its standard deviation, with how many values they are of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanSd {
    /// The number of values.
    pub n: usize,
    /// The arithmetic mean.
    pub mean: f64,
    /// The sample standard deviation; `None` of a single value, which has no spread.
    pub sd: Option<f64>,
}

/// Mean and sample standard deviation of at least one value.
///
/// # Errors
///
/// No values, or one that is not finite.
pub fn mean_sd(values: &[f64]) -> Result<MeanSd, Error> {
    let mean = mean(values)?;
    let sd = if values.len() > 1 { Some(sample_sd(values)?) } else { None };
    Ok(MeanSd { n: values.len(), mean, sd })
}

/// The interval of the mean by Student's distribution: x̄ ± t · s/√n with n - 1 degrees of freedom.
///
/// It takes the values as independent; where several come from one problem, use a clustered bootstrap.
///
/// # Errors
///
/// Fewer than two values, one that is not finite, or a confidence outside of (0, 1).
pub fn mean_interval(values: &[f64], confidence: f64) -> Result<Interval, Error> {
    let n = values.len() as f64;
    let standard_error = sample_sd(values)? / n.sqrt();
    Interval::of_t(mean(values)?, standard_error, n - 1.0, confidence)
}

/// The middle value, or the mean of the two in the middle.
///
/// # Errors
///
/// No values, or one that is not finite.
pub fn median(values: &[f64]) -> Result<f64, Error> {
    quantile(values, 0.5)
}

/// The value below which the fraction `p` of the values lies, from 0 (the least) to 1 (the greatest).
///
/// Definition 7 of R. Hyndman and Y. Fan (Sample Quantiles in Statistical Packages, 1996), NumPy's and R's default:
/// with h = (n - 1) p, the sorted values (counted from 0) at ⌊h⌋ and ⌊h⌋ + 1 are interpolated linearly.
///
/// # Errors
///
/// No values, one that is not finite, or a `p` outside of [0, 1].
pub fn quantile(values: &[f64], p: f64) -> Result<f64, Error> {
    check(values, 1)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_of_sorted(&sorted, p)
}

/// The same of values that are checked and sorted.
pub(crate) fn quantile_of_sorted(sorted: &[f64], p: f64) -> Result<f64, Error> {
    within("the quantile's fraction", p, (0.0..=1.0).contains(&p), "a fraction from 0 to 1")?;
    let place = (sorted.len() - 1) as f64 * p;
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    let weight = place - below as f64;
    // As a weighted mean, because `high - low` may overflow; each end is met exactly.
    finite(if weight == 0.0 { low } else { low * (1.0 - weight) + high * weight })
}

/// The sample standard deviation over the mean, as a fraction (SciPy's `variation` with `ddof=1`).
///
/// It has a meaning for figures with a true zero only; its sign is the mean's.
///
/// # Errors
///
/// Fewer than two values, one that is not finite, or a mean of 0.
pub fn coefficient_of_variation(values: &[f64]) -> Result<f64, Error> {
    let (sd, mean) = (sample_sd(values)?, mean(values)?);
    within("the mean", mean, mean != 0.0, "a mean other than 0, which the deviation is divided by")?;
    finite(sd / mean)
}

/// The mean of |xᵢ - yᵢ|, in the columns' unit.
///
/// # Errors
///
/// Columns that are empty or differ in length, or a value that is not finite.
pub fn mean_absolute_difference(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pairs(x, y, 1)?;
    finite(x.iter().zip(y).map(|(x, y)| (x - y).abs()).sum::<f64>() / x.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_medians() {
        assert_eq!(mean_absolute_difference(&[1.0, 2.0], &[2.0, 0.0]), Ok(1.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Ok(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Ok(2.5));
        assert_eq!(mean_sd(&[2.0]), Ok(MeanSd { n: 1, mean: 2.0, sd: None }));
    }

    #[test]
    fn what_the_data_do_not_define_is_an_error() {
        let infinite = mean(&[1.0, f64::INFINITY]);
        assert_eq!(infinite, Err(Error::NotFinite { index: 1, value: f64::INFINITY }));
        assert!(matches!(median(&[f64::NAN]), Err(Error::NotFinite { index: 0, .. })));
        assert_eq!(mean(&[]), Err(Error::TooFew { given: 0, needed: 1 }));
        assert_eq!(sample_sd(&[1.0]), Err(Error::TooFew { given: 1, needed: 2 }));
        assert_eq!(mean_absolute_difference(&[1.0], &[]), Err(Error::Unpaired { left: 1, right: 0 }));
        assert!(matches!(coefficient_of_variation(&[-1.0, 1.0]), Err(Error::OutOfRange { .. })));
        assert!(matches!(quantile(&[1.0], 1.5), Err(Error::OutOfRange { .. })));
        assert!(matches!(mean_interval(&[1.0, 2.0], 1.0), Err(Error::OutOfRange { .. })));
        assert_eq!((mean(&[f64::MAX; 2]), sample_sd(&[1e200, -1e200])), (Err(Error::Overflow), Err(Error::Overflow)));
    }

    #[test]
    fn the_greatest_doubles_have_a_median() {
        assert_eq!(median(&[-f64::MAX, f64::MAX]), Ok(0.0));
        assert_eq!(quantile(&[1.0, f64::MAX], 1.0), Ok(f64::MAX));
    }
}
