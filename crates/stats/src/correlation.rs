//! How alike two columns are, and how likely that is by chance.

use crate::{
    distribution::t_two_sided_of_share,
    error::{Error, check_pairs, finite},
    ranks::ranks,
};

/// A correlation of two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// The number of pairs.
    pub n: usize,
    /// From -1 to 1.
    pub coefficient: f64,
    /// Two-sided, of no correlation: Student's t with n - 2 degrees of freedom. 1 for two pairs, which any line meets.
    pub p: f64,
}

/// Pearson's product-moment correlation (SciPy's `pearsonr`).
///
/// r = Σ (xᵢ - x̄)(yᵢ - ȳ) / √(Σ (xᵢ - x̄)² · Σ (yᵢ - ȳ)²); its p-value is exact if both columns are normal.
///
/// # Errors
///
/// Columns that differ in length, have fewer than two values, one that is not finite, or are constant.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Correlation, Error> {
    check_pairs(x, y, 2)?;
    let n = x.len();
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n as f64, y.iter().sum::<f64>() / n as f64);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    let (xx, yy) = (finite(xx)?, finite(yy)?);
    if constant(x) || constant(y) || xx == 0.0 || yy == 0.0 {
        return Err(Error::NoVariance("a column"));
    }
    // The root of the product is exact where the columns vary by the same, as ranks do; it may overflow where the roots
    // do not.
    let scale = if (xx * yy).is_normal() { (xx * yy).sqrt() } else { xx.sqrt() * yy.sqrt() };
    let coefficient = finite(xy / scale)?.clamp(-1.0, 1.0);
    Ok(Correlation { n, coefficient, p: p_of(coefficient, n) })
}

/// Spearman's rank correlation (SciPy's `spearmanr`): Pearson's of the ranks, equal values sharing the mean of their
/// ranks.
///
/// The p-value is that of the t distribution for any n, as SciPy's; for fewer than about ten pairs it is rough.
///
/// # Errors
///
/// Where [`pearson`] has them.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Correlation, Error> {
    check_pairs(x, y, 2)?;
    pearson(&ranks(x)?, &ranks(y)?)
}

/// Rounding of the mean may leave deviations in a constant column.
fn constant(column: &[f64]) -> bool {
    column.windows(2).all(|pair| pair[0] == pair[1])
}

fn p_of(coefficient: f64, n: usize) -> f64 {
    if n == 2 {
        return 1.0;
    }
    let rest = (1.0 - coefficient) * (1.0 + coefficient);
    t_two_sided_of_share(coefficient * coefficient, rest, (n - 2) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: Result<Correlation, Error>, expected: f64) -> bool {
        actual.is_ok_and(|actual| (actual.coefficient - expected).abs() < 1e-12)
    }

    /// Expected values by hand: ranks (1, 2.5, 2.5, 4) against (2, 1, 3, 4) have Σ d² = 3.5 and one tie of two.
    #[test]
    fn tied_values_share_their_mean_rank() {
        assert!(close(spearman(&[3.0, 5.0, 5.0, 9.0], &[2.0, 1.0, 3.0, 4.0]), 3.0 / (4.5_f64 * 5.0).sqrt()));
    }

    #[test]
    fn a_monotone_relation_has_rank_correlation_one_but_not_pearsons() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 8.0, 27.0, 64.0]);
        assert!(close(spearman(&x, &y), 1.0));
        assert!(pearson(&x, &y).is_ok_and(|r| r.coefficient < 0.96 && r.p > 0.0));
        assert_eq!(spearman(&x, &[4.0, 3.0, 2.0, 1.0]), Ok(Correlation { n: 4, coefficient: -1.0, p: 0.0 }));
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        assert_eq!(spearman(&[1.0], &[1.0]), Err(Error::TooFew { given: 1, needed: 2 }));
        assert_eq!(pearson(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]), Err(Error::NoVariance("a column")));
        assert_eq!(spearman(&[1.0, 2.0], &[1.0]), Err(Error::Unpaired { left: 2, right: 1 }));
        assert!(matches!(spearman(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Error::NotFinite { index: 1, .. })));
        assert_eq!(pearson(&[1e200, -1e200], &[1.0, 2.0]), Err(Error::Overflow));
    }
}
