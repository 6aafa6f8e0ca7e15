//! Where a series goes: its growth from first to last, its slope, and how often it rises.

/// (last - first) / first, as a fraction. `None` for fewer than two values, or if the first is 0.
pub fn growth(series: &[f64]) -> Option<f64> {
    let (first, last) = (series.first()?, series.last()?);
    (series.len() > 1 && *first != 0.0).then(|| (last - first) / first)
}

/// The slope of the least-squares line through the points (xᵢ, yᵢ), in units of y per unit of x.
///
/// Σ (xᵢ - x̄)(yᵢ - ȳ) / Σ (xᵢ - x̄)²; `None` if all xᵢ are the same or the columns differ in length.
pub fn slope(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() {
        return None;
    }
    let (mean_x, mean_y) = (crate::agreement::mean(x)?, crate::agreement::mean(y)?);
    let covariance: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
    (variance > 0.0).then(|| covariance / variance)
}

/// The share of steps from one value to the next that go up, as a fraction. `None` for fewer than two values.
pub fn rising_share(series: &[f64]) -> Option<f64> {
    let rising = series.windows(2).filter(|step| step[1] > step[0]).count();
    (series.len() > 1).then(|| rising as f64 / (series.len() - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        assert_eq!(slope(&[0.0, 1.0, 2.0], &[1.0, 3.0, 5.0]), Some(2.0));
        assert_eq!(slope(&[1.0, 1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn growth_and_rising_steps_of_a_series() {
        let series = [0.2, 0.3, 0.25, 0.3];
        assert!(growth(&series).is_some_and(|growth| (growth - 0.5).abs() < 1e-12));
        assert_eq!(rising_share(&series), Some(2.0 / 3.0));
        assert_eq!((growth(&[0.0, 1.0]), growth(&[1.0]), rising_share(&[1.0])), (None, None, None));
    }
}
