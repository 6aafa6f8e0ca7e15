//! The paired permutation test: which of two sides a value came from is drawn anew.

use crate::{
    error::{Error, check, finite},
    generator::{Generator, Resampling},
};

/// Up to how many differences other than zero all assignments of signs are counted.
pub const EXACT_PAIRS: usize = 20;

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PermutationTest {
    /// The number of differences, those that are zero included.
    pub n: usize,
    /// Their mean, in their unit.
    pub mean: f64,
    /// Two-sided, of a swap within each pair changing nothing.
    pub p: f64,
    /// Whether `p` counts all assignments; else it is from draws.
    pub exact: bool,
}

/// Tests whether the mean of paired differences is 0 (SciPy's `permutation_test` of `samples`).
///
/// Each difference's sign is as likely to be the other. p is the share of the assignments whose |mean| is at least the
/// one at hand: all 2ⁿ for up to [`EXACT_PAIRS`] differences other than zero; beyond, (k + 1) / (resamples + 1) where k
/// of the draws are (B. Phipson and G. Smyth, Permutation P-values Should Never Be Zero, 2010). Where problems are
/// repeated, give one difference per problem.
///
/// # Errors
///
/// No differences, one that is not finite, or no resamples.
pub fn paired_permutation(differences: &[f64], resampling: Resampling) -> Result<PermutationTest, Error> {
    check(differences, 1)?;
    let mut generator = resampling.generator()?;
    let n = differences.len();
    let sum = finite(differences.iter().sum())?;
    let sizes: Vec<f64> = differences.iter().map(|one| one.abs()).filter(|&size| size > 0.0).collect();
    let total = finite(sizes.iter().sum::<f64>())?;
    // Sums of the same values in another order differ by up to this: they are as extreme as the one at hand.
    let threshold = sum.abs() - n as f64 * f64::EPSILON * total;
    let exact = sizes.len() <= EXACT_PAIRS;
    let p = if exact {
        as_extreme(&sizes, 0.0, threshold) as f64 * 0.5_f64.powi(sizes.len() as i32)
    } else {
        let drawn = (0..resampling.resamples).filter(|_| drawn_sum(&sizes, &mut generator).abs() >= threshold);
        (drawn.count() + 1) as f64 / (resampling.resamples + 1) as f64
    };
    Ok(PermutationTest { n, mean: sum / n as f64, p, exact })
}

/// How many assignments of signs to `sizes` take `sum` to at least `threshold` away from 0.
fn as_extreme(sizes: &[f64], sum: f64, threshold: f64) -> u32 {
    match sizes {
        [] => u32::from(sum.abs() >= threshold),
        [first, rest @ ..] => as_extreme(rest, sum + first, threshold) + as_extreme(rest, sum - first, threshold),
    }
}

fn drawn_sum(sizes: &[f64], generator: &mut Generator) -> f64 {
    sizes.iter().map(|size| if generator.coin() { *size } else { -size }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: Resampling = Resampling { resamples: 100_000, seed: 3 };

    #[test]
    fn the_most_extreme_outcome_is_one_of_all() {
        let test = paired_permutation(&[0.1, 0.2, 0.3, 0.0], DRAWS).unwrap();
        assert_eq!((test.n, test.p, test.exact), (4, 0.25, true));
        assert!((test.mean - 0.15).abs() < 1e-15);
        assert_eq!(paired_permutation(&[0.0; 3], DRAWS).map(|test| test.p), Ok(1.0));
    }

    /// 0.1 + 0.2 - 0.3 is not 0 in doubles, and every order of such a sum is as extreme as another.
    #[test]
    fn rounding_makes_nothing_more_extreme() {
        assert_eq!(paired_permutation(&[0.1, 0.2, -0.3], DRAWS).map(|test| test.p), Ok(1.0));
    }

    /// 21 ones, 15 of them positive: P(|sum| ≥ 9) = 2 Σ_{k ≥ 15} C(21, k) / 2²¹ = 0.0784.
    #[test]
    fn draws_come_close_to_what_all_give() {
        let differences: Vec<f64> = (0..21).map(|index| if index < 15 { 1.0 } else { -1.0 }).collect();
        let test = paired_permutation(&differences, DRAWS).unwrap();
        assert!(!test.exact);
        assert!((test.p - 0.078_354).abs() < 5.0 * (0.078 * 0.922 / 1e5_f64).sqrt(), "{}", test.p);
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        assert_eq!(paired_permutation(&[], DRAWS), Err(Error::TooFew { given: 0, needed: 1 }));
        assert!(matches!(paired_permutation(&[f64::NAN], DRAWS), Err(Error::NotFinite { .. })));
        assert_eq!(paired_permutation(&[f64::MAX, f64::MAX], DRAWS), Err(Error::Overflow));
    }
}
