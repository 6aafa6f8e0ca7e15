//! How far two raters agree, in the measures of SLUMP's Table 2, each with an interval.

use serde::{Deserialize, Serialize};
use slopbench_stats::{
    Error, Interval, Resampling,
    bootstrap::Bootstrap,
    correlation::spearman,
    kappa::{Disagreement, kappa},
    proportion::wilson,
};

/// The coverage of all intervals.
pub(super) const CONFIDENCE: f64 = 0.95;

/// How the pairs are drawn anew.
pub(super) const RESAMPLING: Resampling = Resampling { resamples: 10_000, seed: 0 };

/// A figure with its 95% interval, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The figure; nothing where the pairs do not define it.
    pub value: Option<f64>,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// How many pairs it is of.
    pub pairs: usize,
    /// Why the figure or its interval is missing.
    pub missing: Option<String>,
}

/// How often two neighbouring levels are taken for each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundaryDisagreement {
    /// The lower level; the other is the next.
    pub lower: usize,
    /// Of the pairs in which somebody gives one of both levels, the share in which one gives the lower and the other the
    /// upper. The paper does not say its denominator.
    pub share: Measured,
}

/// Two raters of the same items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaterAgreement {
    /// Whose scores are rows.
    pub first: String,
    /// Whose are columns.
    pub second: String,
    /// Cohen's κ with quadratic weights, from -1 to 1; its interval draws pairs anew.
    pub quadratic_kappa: Measured,
    /// The share of pairs that agree; Wilson's interval.
    pub exact: Measured,
    /// Spearman's rank correlation, from -1 to 1; its interval draws pairs anew.
    pub spearman: Measured,
    /// The share of pairs at most one level apart; Wilson's interval.
    pub within_one: Measured,
    /// Of each two neighbouring levels.
    pub boundaries: Vec<BoundaryDisagreement>,
    /// How often the first gives the row's level and the second the column's.
    pub confusion: Vec<Vec<usize>>,
}

impl Measured {
    /// A share of successes.
    pub(super) fn share(successes: usize, of: usize) -> Self {
        let interval = wilson(successes, of, CONFIDENCE);
        Self::new((of > 0).then(|| successes as f64 / of as f64), interval, of)
    }

    /// A statistic of pairs, drawn anew.
    pub(super) fn statistic<T>(pairs: &[T], statistic: impl Fn(&[&T]) -> Result<f64, Error>) -> Self {
        let value = statistic(&pairs.iter().collect::<Vec<_>>());
        let interval = Bootstrap::new(pairs, statistic, RESAMPLING).and_then(|drawn| drawn.percentile(CONFIDENCE));
        Self::new(value.ok(), interval, pairs.len())
    }

    fn new(value: Option<f64>, interval: Result<Interval, Error>, pairs: usize) -> Self {
        let (low, high) = (interval.map(|one| one.low).ok(), interval.map(|one| one.high).ok());
        Self { value, low, high, pairs, missing: interval.err().map(|error| error.to_string()) }
    }
}

impl RaterAgreement {
    /// Of pairs of levels from 0 to `levels` - 1, the first rater's first.
    pub fn of(first: &str, second: &str, pairs: &[(usize, usize)], levels: usize) -> Self {
        let count = |holds: &dyn Fn(usize, usize) -> bool| pairs.iter().filter(|(a, b)| holds(*a, *b)).count();
        let columns =
            |pairs: &[&(usize, usize)]| -> (Vec<usize>, Vec<usize>) { pairs.iter().map(|pair| **pair).unzip() };
        let quadratic = |pairs: &[&(usize, usize)]| {
            let (a, b) = columns(pairs);
            kappa(&a, &b, levels, Disagreement::Quadratic)
        };
        let ranked = |pairs: &[&(usize, usize)]| {
            let (a, b) = columns(pairs);
            let numbers = |column: Vec<usize>| column.into_iter().map(|one| one as f64).collect::<Vec<_>>();
            spearman(&numbers(a), &numbers(b)).map(|found| found.coefficient)
        };
        let boundary = |lower: usize| {
            let touches = |level: usize| level == lower || level == lower + 1;
            let crossing = count(&|a, b| a != b && touches(a) && touches(b));
            BoundaryDisagreement { lower, share: Measured::share(crossing, count(&|a, b| touches(a) || touches(b))) }
        };
        let row = |a: usize| (0..levels).map(|b| count(&|x, y| (x, y) == (a, b))).collect();
        Self {
            first: first.to_owned(),
            second: second.to_owned(),
            quadratic_kappa: Measured::statistic(pairs, quadratic),
            exact: Measured::share(count(&|a, b| a == b), pairs.len()),
            spearman: Measured::statistic(pairs, ranked),
            within_one: Measured::share(count(&|a, b| a.abs_diff(b) <= 1), pairs.len()),
            boundaries: (0..levels.saturating_sub(1)).map(boundary).collect(),
            confusion: (0..levels).map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of ten pairs, seven agree, two are one level apart, one is three apart.
    #[test]
    fn shares_and_the_matrix_are_counted_by_hand() {
        let pairs = [(0, 0), (0, 3), (1, 1), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (4, 4), (1, 1)];
        let told = RaterAgreement::of("a", "b", &pairs, 5);
        assert_eq!((told.exact.value, told.within_one.value), (Some(0.7), Some(0.9)));
        // Of 2 and 3: (0,3), (2,2), (2,3), (3,3), (3,4) touch, (2,3) crosses. Of 3 and 4: six touch, (3,4) crosses.
        let boundary = |lower: usize| (told.boundaries[lower].share.value, told.boundaries[lower].share.pairs);
        assert_eq!(boundary(2), (Some(0.2), 5));
        assert_eq!(boundary(3), (Some(1.0 / 6.0), 6));
        assert_eq!(told.confusion[2], [0, 0, 1, 1, 0]);
        assert_eq!(told.confusion.iter().flatten().sum::<usize>(), 10);
    }

    #[test]
    fn what_the_pairs_do_not_define_says_why() {
        let told = RaterAgreement::of("a", "b", &[(1, 1), (1, 1)], 3);
        assert_eq!((told.quadratic_kappa.value, told.exact.value), (None, Some(1.0)));
        assert!(told.quadratic_kappa.missing.is_some_and(|why| why.contains("does not vary")));
        let none = RaterAgreement::of("a", "b", &[], 3);
        assert_eq!((none.exact.value, none.exact.pairs), (None, 0));
    }
}
