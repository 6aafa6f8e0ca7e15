//! A range that a figure lies in, with how sure that is.

use crate::{
    distribution::t_critical,
    error::{Error, check_fraction, finite},
};

/// A two-sided confidence interval, in the unit of its figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The nominal coverage, as a fraction: 0.95 for a 95% interval.
    pub confidence: f64,
}

impl Interval {
    /// estimate ± t · standard error, t from Student's distribution with `df` degrees of freedom.
    pub(crate) fn of_t(estimate: f64, standard_error: f64, df: f64, confidence: f64) -> Result<Self, Error> {
        check_fraction("the confidence", confidence)?;
        let half = t_critical(1.0 - confidence, df) * standard_error;
        Ok(Self { low: finite(estimate - half)?, high: finite(estimate + half)?, confidence })
    }

    /// Whether `value` is inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}
