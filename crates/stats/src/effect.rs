//! How large a difference is, whatever its unit and the number of observations.

use crate::{
    error::{Error, check},
    wilcoxon::{SignedRanks, ZeroRule},
};

/// The matched-pairs rank-biserial correlation (W⁺ - W⁻) / (W⁺ + W⁻), from -1 (all differences negative) to 1 (all
/// positive).
///
/// D. Kerby, The Simple Difference Formula, 2014: the effect size that belongs to
/// [`wilcoxon`](crate::wilcoxon::wilcoxon).
///
/// # Errors
///
/// No differences, one that is not finite, or none other than zero.
pub fn rank_biserial(differences: &[f64], zeros: ZeroRule) -> Result<f64, Error> {
    let (positive, negative) = SignedRanks::new(differences, zeros)?.sums();
    if positive + negative == 0.0 {
        return Err(Error::NoVariance("the difference of the pairs"));
    }
    Ok((positive - negative) / (positive + negative))
}

/// Cliff's δ of two independent columns: P(x > y) - P(x < y) over all pairs of an x and a y, from -1 to 1.
///
/// N. Cliff, Dominance Statistics, 1993: 2 U / (n m) - 1 of Mann and Whitney's U.
///
/// # Errors
///
/// An empty column, or a value that is not finite.
pub fn cliffs_delta(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check(x, 1)?;
    check(y, 1)?;
    let mut sorted = y.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (mut below, mut above) = (0, 0);
    for value in x {
        below += sorted.partition_point(|other| other < value);
        above += sorted.len() - sorted.partition_point(|other| other <= value);
    }
    Ok((below as f64 - above as f64) / (x.len() as f64 * y.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_apart_have_effects_of_one() {
        assert_eq!(cliffs_delta(&[3.0, 4.0], &[1.0, 2.0, 2.5]), Ok(1.0));
        assert_eq!(cliffs_delta(&[1.0], &[2.0]), Ok(-1.0));
        assert_eq!(cliffs_delta(&[0.0, -0.0], &[0.0]), Ok(0.0));
        assert_eq!(rank_biserial(&[1.0, 2.0, 0.0], ZeroRule::Pratt), Ok(1.0));
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        assert!(matches!(rank_biserial(&[0.0], ZeroRule::Wilcoxon), Err(Error::NoVariance(_))));
        assert_eq!(cliffs_delta(&[], &[1.0]), Err(Error::TooFew { given: 0, needed: 1 }));
        assert!(matches!(cliffs_delta(&[1.0], &[f64::NAN]), Err(Error::NotFinite { .. })));
    }
}
