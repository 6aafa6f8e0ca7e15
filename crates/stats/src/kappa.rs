//! How far two raters agree beyond chance.

use crate::error::{Error, within};

/// What a disagreement between the categories i and j weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// 1 for any two different categories: J. Cohen, A Coefficient of Agreement for Nominal Scales, 1960.
    Plain,
    /// (i - j)², for ordered categories: J. Cohen, Weighted Kappa, 1968.
    Quadratic,
}

impl Disagreement {
    fn weight(self, i: usize, j: usize) -> f64 {
        match self {
            Self::Plain => f64::from(u8::from(i != j)),
            Self::Quadratic => (i as f64 - j as f64).powi(2),
        }
    }
}

/// Cohen's κ of two ratings of the same things, from -1 to 1: 0 is what chance gives, 1 full agreement.
///
/// κ = 1 - Σ wᵢⱼ oᵢⱼ / Σ wᵢⱼ eᵢⱼ over the observed shares o and those that the raters' own frequencies give, e
/// (statsmodels' `cohens_kappa`). A rating is the number of a category, from 0 to `categories` - 1.
///
/// # Errors
///
/// No ratings, columns of different lengths, a rating that is no category, or raters who both know only one, the same.
pub fn kappa(first: &[usize], second: &[usize], categories: usize, disagreement: Disagreement) -> Result<f64, Error> {
    if first.len() != second.len() {
        return Err(Error::Unpaired { left: first.len(), right: second.len() });
    }
    if first.is_empty() {
        return Err(Error::TooFew { given: 0, needed: 1 });
    }
    let (first_counts, second_counts) = (counts(first, categories)?, counts(second, categories)?);
    let observed: f64 = first.iter().zip(second).map(|(&i, &j)| disagreement.weight(i, j)).sum();
    let given: Vec<usize> = (0..categories).filter(|&i| first_counts[i] > 0.0).collect();
    let by_chance = |i: usize| -> f64 {
        second_counts.iter().enumerate().map(|(j, count)| disagreement.weight(i, j) * first_counts[i] * count).sum()
    };
    let expected: f64 = given.into_iter().map(by_chance).sum();
    if expected == 0.0 {
        return Err(Error::NoVariance("the category that both raters give"));
    }
    Ok(1.0 - observed * first.len() as f64 / expected)
}

/// How often each category is given.
fn counts(ratings: &[usize], categories: usize) -> Result<Vec<f64>, Error> {
    let mut counts = vec![0.0; categories];
    for &rating in ratings {
        within("a rating", rating as f64, rating < categories, "a category's number, from 0")?;
        counts[rating] += 1.0;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_agreement_and_its_contrary() {
        for disagreement in [Disagreement::Plain, Disagreement::Quadratic] {
            assert_eq!(kappa(&[0, 1, 2, 1], &[0, 1, 2, 1], 3, disagreement), Ok(1.0));
            assert_eq!(kappa(&[0, 1, 0, 1], &[1, 0, 1, 0], 2, disagreement), Ok(-1.0));
        }
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        let plain = |first: &[usize], second: &[usize]| kappa(first, second, 2, Disagreement::Plain);
        assert_eq!(plain(&[], &[]), Err(Error::TooFew { given: 0, needed: 1 }));
        assert_eq!(plain(&[0], &[0, 1]), Err(Error::Unpaired { left: 1, right: 2 }));
        assert!(matches!(plain(&[0, 2], &[0, 1]), Err(Error::OutOfRange { .. })));
        assert!(matches!(plain(&[1, 1], &[1, 1]), Err(Error::NoVariance(_))));
    }
}
