//! Why a statistic is not given, and the checks of what goes in and comes out.

/// Why the data do not define a statistic, or a parameter makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Error {
    /// There are fewer observations than the formula needs.
    #[error("{}", too_few(*given, *needed))]
    TooFew {
        /// How many there are.
        given: usize,
        /// How many there have to be.
        needed: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {index} (counted from 0) is {value}; leave out what was not measured, expected finite numbers")]
    NotFinite {
        /// Its place, from 0.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// Two columns that belong together differ in length.
    #[error("columns of {left} and of {right} values cannot be paired; expected one value of each per observation")]
    Unpaired {
        /// The first column's length.
        left: usize,
        /// The second's.
        right: usize,
    },
    /// The formula divides by a variation that is zero.
    #[error("{0} does not vary, so that the statistic is not defined")]
    NoVariance(&'static str),
    /// A parameter lies outside of what it can be.
    #[error("{name} is {value}; expected {expected}")]
    OutOfRange {
        /// What it is called.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Finite values whose statistic exceeds the range of `f64`.
    #[error("the result exceeds what a double can hold; give the values in a larger unit")]
    Overflow,
}

/// Stands in tables for each figure that there is nothing to make of.
fn too_few(given: usize, needed: usize) -> String {
    match given {
        0 => "there is no observation".to_owned(),
        given => format!("{given} observations are given, at least {needed} are needed"),
    }
}

/// `values` are at least `needed`, and finite.
pub(crate) fn check(values: &[f64], needed: usize) -> Result<(), Error> {
    if values.len() < needed {
        return Err(Error::TooFew { given: values.len(), needed });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Error::NotFinite { index, value: values[index] }),
        None => Ok(()),
    }
}

/// Two columns have the same length, at least `needed` values, and only finite ones.
pub(crate) fn check_pairs(left: &[f64], right: &[f64], needed: usize) -> Result<(), Error> {
    if left.len() != right.len() {
        return Err(Error::Unpaired { left: left.len(), right: right.len() });
    }
    check(left, needed)?;
    check(right, needed)
}

/// `value` lies strictly between 0 and 1.
pub(crate) fn check_fraction(name: &'static str, value: f64) -> Result<(), Error> {
    within(name, value, value > 0.0 && value < 1.0, "a fraction between 0 and 1, both excluded")
}

/// `value` is what `allowed` says, which `expected` puts in words.
pub(crate) fn within(name: &'static str, value: f64, allowed: bool, expected: &'static str) -> Result<(), Error> {
    if allowed { Ok(()) } else { Err(Error::OutOfRange { name, value, expected }) }
}

/// A result, unless it overflowed on the way.
pub(crate) fn finite(result: f64) -> Result<f64, Error> {
    if result.is_finite() { Ok(result) } else { Err(Error::Overflow) }
}
