//! The sign test of paired differences: how many go up, how many down.

use crate::{
    distribution::coin_at_least,
    error::{Error, check},
};

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignTest {
    /// The number of positive differences.
    pub positive: usize,
    /// The number of negative ones.
    pub negative: usize,
    /// The number that are zero, which is left out.
    pub zeros: usize,
    /// Two-sided and exact, of up and down being as likely. 1 if all are zero.
    pub p: f64,
}

/// Tests whether paired differences are positive as often as negative (SciPy's `binomtest` with p = ½).
///
/// # Errors
///
/// No differences, or one that is not finite.
pub fn sign_test(differences: &[f64]) -> Result<SignTest, Error> {
    check(differences, 1)?;
    let positive = differences.iter().filter(|&&difference| difference > 0.0).count();
    let negative = differences.iter().filter(|&&difference| difference < 0.0).count();
    let p = (2.0 * coin_at_least(positive.max(negative), positive + negative)).min(1.0);
    Ok(SignTest { positive, negative, zeros: differences.len() - positive - negative, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_counted() {
        let test = sign_test(&[1.0, 2.0, -0.5, 0.0, 3.0]).unwrap();
        assert_eq!((test.positive, test.negative, test.zeros), (3, 1, 1));
        assert!((test.p - 2.0 * 5.0 / 16.0).abs() < 1e-15);
        assert_eq!(sign_test(&[0.0, 0.0]).map(|test| test.p), Ok(1.0));
        assert_eq!(sign_test(&[]), Err(Error::TooFew { given: 0, needed: 1 }));
    }
}
