//! Where a series goes: its growth from first to last, and how often it rises.

use crate::error::{Error, check, finite, within};

/// (last - first) / first, as a fraction.
///
/// # Errors
///
/// Fewer than two values, one that is not finite, or a first of 0.
pub fn growth(series: &[f64]) -> Result<f64, Error> {
    check(series, 2)?;
    let (first, last) = (series[0], series[series.len() - 1]);
    within("the first value", first, first != 0.0, "a value other than 0, which growth is a fraction of")?;
    finite((last - first) / first)
}

/// The share of steps from one value to the next that go up, as a fraction.
///
/// # Errors
///
/// Fewer than two values, or one that is not finite.
pub fn rising_share(series: &[f64]) -> Result<f64, Error> {
    check(series, 2)?;
    let rising = series.windows(2).filter(|step| step[1] > step[0]).count();
    Ok(rising as f64 / (series.len() - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_and_rising_steps_of_a_series() {
        let series = [0.2, 0.3, 0.25, 0.3];
        assert!(growth(&series).is_ok_and(|growth| (growth - 0.5).abs() < 1e-12));
        assert_eq!(rising_share(&series), Ok(2.0 / 3.0));
        assert!(matches!(growth(&[0.0, 1.0]), Err(Error::OutOfRange { .. })));
        let one = Error::TooFew { given: 1, needed: 2 };
        assert_eq!((growth(&[1.0]), rising_share(&[1.0])), (Err(one), Err(one)));
    }
}
