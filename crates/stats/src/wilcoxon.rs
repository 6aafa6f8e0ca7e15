//! Wilcoxon's signed-rank test of paired differences.

use crate::{
    distribution::normal_two_sided,
    error::{Error, check, within},
    ranks::ranks_and_ties,
};

/// What becomes of differences that are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroRule {
    /// They are left out before ranking: F. Wilcoxon, 1945. SciPy's `wilcox`.
    Wilcoxon,
    /// They are ranked with the others, then their ranks are left out: J. Pratt, 1959. SciPy's `pratt`.
    Pratt,
}

/// Where the p-value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// As SciPy's `auto`: exact for up to 50 differences without ties and zeros, or up to 13 with them; else normal
    /// without continuity correction.
    Auto,
    /// All assignments of signs to the ranks at hand, ties included; for up to 200 differences.
    Exact,
    /// The normal distribution with the ranks' own variance, which corrects for ties and zeros; with `continuity`, half
    /// a rank less.
    Normal {
        /// Whether half a rank is taken off.
        continuity: bool,
    },
}

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WilcoxonTest {
    /// The number of differences other than zero.
    pub nonzero: usize,
    /// The number of differences that are zero.
    pub zeros: usize,
    /// W⁺, the sum of the positive differences' ranks.
    pub positive: f64,
    /// W⁻, the sum of the negative differences' ranks.
    pub negative: f64,
    /// Two-sided, of differences that are symmetric about 0. 1 if all are zero: no assignment of signs tells them
    /// apart.
    pub p: f64,
    /// Whether `p` is exact, given the ranks.
    pub exact: bool,
}

/// The ranks of the absolute differences other than zero.
pub(crate) struct SignedRanks {
    /// Of positive differences, then of negative ones.
    positive: Vec<f64>,
    negative: Vec<f64>,
    zeros: usize,
    tied: bool,
}

impl SignedRanks {
    pub(crate) fn new(differences: &[f64], rule: ZeroRule) -> Result<Self, Error> {
        check(differences, 1)?;
        let zeros = differences.iter().filter(|&&difference| difference == 0.0).count();
        let ranked = |difference: &f64| rule == ZeroRule::Pratt || *difference != 0.0;
        let differences: Vec<f64> = differences.iter().copied().filter(ranked).collect();
        let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        let (ranks, groups) = ranks_and_ties(&sizes);
        let of = |sign: fn(f64) -> bool| {
            differences.iter().zip(&ranks).filter(|(one, _)| sign(**one)).map(|(_, rank)| *rank).collect()
        };
        let (positive, negative) = (of(|one| one > 0.0), of(|one| one < 0.0));
        Ok(Self { positive, negative, zeros, tied: groups.iter().any(|&size| size > 1) })
    }

    fn all(&self) -> impl Iterator<Item = f64> {
        self.positive.iter().chain(&self.negative).copied()
    }

    /// W⁺ and W⁻.
    pub(crate) fn sums(&self) -> (f64, f64) {
        (self.positive.iter().sum(), self.negative.iter().sum())
    }

    fn nonzero(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    fn auto(&self) -> WilcoxonMethod {
        let most = if self.tied || self.zeros > 0 { 13 } else { 50 };
        match self.nonzero() + self.zeros <= most {
            true => WilcoxonMethod::Exact,
            false => WilcoxonMethod::Normal { continuity: false },
        }
    }

    /// Twice the share of the 2ⁿ assignments of signs whose smaller sum is no greater than the one at hand, at most 1.
    fn exact(&self) -> f64 {
        let (positive, negative) = self.sums();
        // Mean ranks are multiples of a half: doubled, all sums are whole. `below[s]` is the probability of the sum s.
        let most = (2.0 * positive.min(negative)) as usize;
        let mut below = vec![0.0; most + 1];
        below[0] = 1.0;
        for rank in self.all().map(|rank| (2.0 * rank) as usize) {
            for sum in (0..=most).rev() {
                let with = sum.checked_sub(rank).map_or(0.0, |rest| below[rest]);
                below[sum] = 0.5 * (below[sum] + with);
            }
        }
        (2.0 * below.iter().sum::<f64>()).min(1.0)
    }

    fn normal(&self, continuity: bool) -> f64 {
        let (positive, negative) = self.sums();
        let deviation = (self.all().map(|rank| rank * rank).sum::<f64>() / 4.0).sqrt();
        let distance = (positive - negative) / 2.0;
        let correction = if continuity && distance != 0.0 { 0.5 * distance.signum() } else { 0.0 };
        normal_two_sided((distance - correction) / deviation)
    }
}

/// Tests whether paired differences lie about 0, by the ranks of their sizes (SciPy's `wilcoxon`).
///
/// Differences are tied where they are equal to the bit: round them first if 0.3 - 0.2 is to tie with 0.2 - 0.1.
///
/// # Errors
///
/// No differences, one that is not finite, or more than 200 other than zero for [`WilcoxonMethod::Exact`].
pub fn wilcoxon(differences: &[f64], zeros: ZeroRule, method: WilcoxonMethod) -> Result<WilcoxonTest, Error> {
    const MOST: usize = 200;
    let ranks = SignedRanks::new(differences, zeros)?;
    let (nonzero, (positive, negative)) = (ranks.nonzero(), ranks.sums());
    let method = match method {
        _ if nonzero == 0 => WilcoxonMethod::Exact,
        WilcoxonMethod::Auto => ranks.auto(),
        method => method,
    };
    let (p, exact) = match method {
        WilcoxonMethod::Normal { continuity } => (ranks.normal(continuity), false),
        WilcoxonMethod::Exact | WilcoxonMethod::Auto => {
            within("the number of differences", nonzero as f64, nonzero <= MOST, "at most 200 for the exact test")?;
            (ranks.exact(), true)
        }
    };
    Ok(WilcoxonTest { nonzero, zeros: ranks.zeros, positive, negative, p, exact })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(differences: &[f64]) -> WilcoxonTest {
        wilcoxon(differences, ZeroRule::Wilcoxon, WilcoxonMethod::Exact).unwrap()
    }

    /// All n of one sign: 2 of 2ⁿ assignments are as extreme.
    #[test]
    fn the_most_extreme_outcome_is_one_of_all() {
        for n in [1, 5, 20, 60] {
            let differences: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(exact(&differences).p, 2.0 * 0.5_f64.powi(n));
        }
    }

    #[test]
    fn no_difference_at_all_is_no_evidence() {
        let test = wilcoxon(&[0.0; 60], ZeroRule::Pratt, WilcoxonMethod::Normal { continuity: true }).unwrap();
        assert_eq!((test.nonzero, test.zeros, test.p, test.exact), (0, 60, 1.0, true));
    }

    #[test]
    fn signs_turn_around_and_the_p_value_stays() {
        let differences = [1.0, -2.0, 2.0, 3.5, -0.5, 4.0, 2.0];
        let turned: Vec<f64> = differences.iter().map(|one| -one).collect();
        let (plain, turned) = (exact(&differences), exact(&turned));
        assert_eq!((plain.positive, plain.negative, plain.p), (turned.negative, turned.positive, turned.p));
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        let test = |differences: &[f64]| wilcoxon(differences, ZeroRule::Pratt, WilcoxonMethod::Exact);
        assert_eq!(test(&[]), Err(Error::TooFew { given: 0, needed: 1 }));
        assert!(matches!(test(&[f64::NAN]), Err(Error::NotFinite { .. })));
        assert!(matches!(test(&[1.0; 201]), Err(Error::OutOfRange { .. })));
    }
}
