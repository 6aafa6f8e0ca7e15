//! p-values of several tests, corrected for there being several.
//!
//! An adjusted p-value is compared with the level that was meant for all of them together. The order is that of the
//! input.

use crate::error::{Error, check, within};

/// S. Holm's step-down method, 1979: the chance of one false alarm or more among all tests stays below the level,
/// whatever their dependence (statsmodels' `multipletests` with `holm`).
///
/// # Errors
///
/// A p-value outside of [0, 1]. Of none, none are adjusted.
pub fn holm(p: &[f64]) -> Result<Vec<f64>, Error> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 0.0_f64;
    for (place, &index) in order.iter().enumerate() {
        least = least.max(p[index] * (p.len() - place) as f64).min(1.0);
        adjusted[index] = least;
    }
    Ok(adjusted)
}

/// Y. Benjamini and Y. Hochberg's step-up method, 1995: the expected share of false alarms among all alarms stays below
/// the level for independent or positively dependent tests (statsmodels' `multipletests` with `fdr_bh`).
///
/// # Errors
///
/// A p-value outside of [0, 1]. Of none, none are adjusted.
pub fn benjamini_hochberg(p: &[f64]) -> Result<Vec<f64>, Error> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut most = 1.0_f64;
    for (place, &index) in order.iter().enumerate().rev() {
        most = most.min(p[index] * p.len() as f64 / (place + 1) as f64);
        adjusted[index] = most;
    }
    Ok(adjusted)
}

/// The places of the p-values, smallest first.
fn ascending(p: &[f64]) -> Result<Vec<usize>, Error> {
    check(p, 0)?;
    p.iter().try_for_each(|&p| within("a p-value", p, (0.0..=1.0).contains(&p), "a probability from 0 to 1"))?;
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_test_needs_no_correction() {
        for adjust in [holm, benjamini_hochberg] {
            assert_eq!((adjust(&[0.04]), adjust(&[])), (Ok(vec![0.04]), Ok(Vec::new())));
            assert!(matches!(adjust(&[0.5, 1.5]), Err(Error::OutOfRange { .. })));
            assert!(matches!(adjust(&[f64::NAN]), Err(Error::NotFinite { .. })));
        }
    }
}
