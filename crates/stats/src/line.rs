//! The straight line through points, by ordinary least squares, and how sure its slope is.

use crate::{
    distribution::t_two_sided,
    error::{Error, check_pairs, finite},
    interval::Interval,
};

/// y = intercept + slope · x, fitted by ordinary least squares (SciPy's `linregress`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The number of points.
    pub n: usize,
    /// Σ (xᵢ - x̄)(yᵢ - ȳ) / Σ (xᵢ - x̄)², in units of y per unit of x.
    pub slope: f64,
    /// ȳ - slope · x̄, in units of y.
    pub intercept: f64,
    /// √(Σ residual² / (n - 2) / Σ (xᵢ - x̄)²), in units of y per unit of x; `None` of two points, which leave no
    /// residuals.
    pub slope_standard_error: Option<f64>,
}

/// The least-squares line through the points (xᵢ, yᵢ).
///
/// # Errors
///
/// Columns that differ in length, have fewer than two values or one that is not finite; an x that does not vary.
pub fn fit(x: &[f64], y: &[f64]) -> Result<Line, Error> {
    check_pairs(x, y, 2)?;
    let n = x.len();
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n as f64, y.iter().sum::<f64>() / n as f64);
    let covariance: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = finite(x.iter().map(|x| (x - mean_x).powi(2)).sum())?;
    if variance == 0.0 || x.windows(2).all(|pair| pair[0] == pair[1]) {
        return Err(Error::NoVariance("x"));
    }
    let slope = finite(covariance / variance)?;
    let residual = |(x, y): (&f64, &f64)| (y - mean_y) - slope * (x - mean_x);
    let residuals: f64 = x.iter().zip(y).map(|point| residual(point).powi(2)).sum();
    let standard_error = (residuals / (n as f64 - 2.0) / variance).sqrt();
    Ok(Line {
        n,
        slope,
        intercept: finite(mean_y - slope * mean_x)?,
        slope_standard_error: if n > 2 { Some(finite(standard_error)?) } else { None },
    })
}

impl Line {
    /// The slope's interval: slope ± t · standard error, with n - 2 degrees of freedom.
    ///
    /// It takes the points as independent; where several come from one trajectory, use a clustered bootstrap.
    ///
    /// # Errors
    ///
    /// A line of two points, or a confidence outside of (0, 1).
    pub fn slope_interval(&self, confidence: f64) -> Result<Interval, Error> {
        Interval::of_t(self.slope, self.standard_error()?, (self.n - 2) as f64, confidence)
    }

    /// Two-sided, of a slope of 0: Student's t with n - 2 degrees of freedom.
    ///
    /// # Errors
    ///
    /// A line of two points, or one through a y that does not vary.
    pub fn slope_p(&self) -> Result<f64, Error> {
        let standard_error = self.standard_error()?;
        if self.slope == 0.0 && standard_error == 0.0 {
            return Err(Error::NoVariance("y"));
        }
        Ok(t_two_sided(self.slope / standard_error, (self.n - 2) as f64))
    }

    fn standard_error(&self) -> Result<f64, Error> {
        self.slope_standard_error.ok_or(Error::TooFew { given: self.n, needed: 3 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        let line = fit(&[0.0, 1.0, 2.0], &[1.0, 3.0, 5.0]);
        assert_eq!(line, Ok(Line { n: 3, slope: 2.0, intercept: 1.0, slope_standard_error: Some(0.0) }));
        assert_eq!(line.and_then(|line| line.slope_p()), Ok(0.0));
        let interval = Interval { low: 2.0, high: 2.0, confidence: 0.9 };
        assert_eq!(line.and_then(|line| line.slope_interval(0.9)), Ok(interval));
    }

    #[test]
    fn two_points_have_a_slope_and_nothing_to_doubt_it_by() {
        let line = fit(&[0.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!((line.slope, line.slope_standard_error), (0.5, None));
        assert_eq!(line.slope_interval(0.95), Err(Error::TooFew { given: 2, needed: 3 }));
        assert_eq!(line.slope_p(), Err(Error::TooFew { given: 2, needed: 3 }));
    }

    #[test]
    fn what_is_not_defined_is_an_error() {
        assert_eq!(fit(&[0.1; 3], &[1.0, 2.0, 3.0]), Err(Error::NoVariance("x")));
        assert_eq!(fit(&[1.0], &[1.0]), Err(Error::TooFew { given: 1, needed: 2 }));
        assert_eq!(fit(&[1.0, 2.0, 3.0], &[4.0; 3]).and_then(|line| line.slope_p()), Err(Error::NoVariance("y")));
        assert_eq!(fit(&[1.0, 2.0], &[f64::MAX, -f64::MAX]), Err(Error::Overflow));
    }
}
