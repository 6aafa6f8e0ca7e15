//! The distributions that p-values and intervals come from: normal, Student's t, central and not, and the fair coin's.

use std::f64::consts::SQRT_2;

use libm::{erfc, exp, lgamma, log};

use crate::beta::incomplete_beta;

/// P(Z ≤ z) of the standard normal distribution.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// P(|Z| ≥ |z|) of the standard normal distribution.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// The z with P(Z ≤ z) = `p`, for `p` between 0 and 1, both excluded.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    let tail = p.min(1.0 - p);
    let size = decreasing_inverse(|z| 0.5 * erfc(z / SQRT_2), tail);
    if p < 0.5 { -size } else { size }
}

/// P(|T| ≥ |t|) of Student's distribution with `df` > 0 degrees of freedom.
pub(crate) fn t_two_sided(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    let (square, sum) = (t * t, t * t + df);
    if sum.is_infinite() { 0.0 } else { t_two_sided_of_share(square / sum, df / sum, df) }
}

/// The same, where `share` = t² / (df + t²), which is r² of a correlation, and `rest` = 1 - `share`.
pub(crate) fn t_two_sided_of_share(share: f64, rest: f64, df: f64) -> f64 {
    incomplete_beta(df / 2.0, 0.5, rest, share)
}

/// The t > 0 with P(|T| ≥ t) = `level`, for `level` between 0 and 1, both excluded.
pub(crate) fn t_critical(level: f64, df: f64) -> f64 {
    decreasing_inverse(|t| t_two_sided(t, df), level)
}

/// P(X ≥ `heads`) of a fair coin that is thrown `throws` times.
pub(crate) fn coin_at_least(heads: usize, throws: usize) -> f64 {
    match heads {
        0 => 1.0,
        _ if heads > throws => 0.0,
        _ => incomplete_beta(heads as f64, (throws - heads + 1) as f64, 0.5, 0.5),
    }
}

/// P(T ≤ t) of the noncentral t distribution, for t ≥ 0, |`delta`| ≤ 1000.
///
/// Φ(-δ) + ½ Σⱼ (pⱼ I_x(j + ½, ν/2) + qⱼ I_x(j + 1, ν/2)), x = t²/(ν + t²): R. Lenth, Algorithm AS 243, 1989. The sum
/// runs over the j whose Poisson weights with mean δ²/2 are above 1e-20.
pub(crate) fn noncentral_t_cdf(t: f64, df: f64, delta: f64) -> f64 {
    let (x, y) = (t * t / (df + t * t), df / (df + t * t));
    let mean = delta * delta / 2.0;
    let reach = 10.0 * mean.sqrt() + 40.0;
    let (first, last) = ((mean - reach).max(0.0).floor() as u32, (mean + reach).ceil() as u32);
    // 0⁰ = 1: without noncentrality only the first weight is left.
    let log_power = |j: f64| if j == 0.0 { -mean } else { j * log(mean) - mean };
    let term = |j: u32| {
        let j = f64::from(j);
        let p = exp(log_power(j) - lgamma(j + 1.0));
        let q = delta / SQRT_2 * exp(log_power(j) - lgamma(j + 1.5));
        p * incomplete_beta(j + 0.5, df / 2.0, x, y) + q * incomplete_beta(j + 1.0, df / 2.0, x, y)
    };
    (normal_cdf(-delta) + 0.5 * (first..=last).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// The z ≥ 0 where `tail`, which falls from `tail(0)` to 0, is `level`: bisected to neighbouring doubles.
fn decreasing_inverse(tail: impl Fn(f64) -> f64, level: f64) -> f64 {
    if tail(0.0) <= level {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while tail(high) > level && high < f64::MAX / 2.0 {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if tail(middle) > level {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The rows of a table of `tests/fixtures/distributions.json`, as numbers.
    fn rows<const N: usize>(table: &str) -> Vec<[f64; N]> {
        let fixture: Value = serde_json::from_str(include_str!("../tests/fixtures/distributions.json")).unwrap();
        let rows = serde_json::from_value::<Vec<Vec<f64>>>(fixture["cases"][table].clone()).unwrap();
        rows.into_iter().map(|row| row.try_into().unwrap()).collect()
    }

    /// Relative: a tail of 1e-80 has as many true digits as one of a half.
    #[track_caller]
    fn assert_digits(actual: f64, expected: f64, what: &str) {
        let distance = (actual - expected).abs();
        assert!(distance <= 1e-12 * expected.abs(), "{what}: {actual:e}, expected {expected:e}");
    }

    #[test]
    fn students_tails_and_their_inverse_are_scipys() {
        for [t, df, expected] in rows("t") {
            assert_digits(t_two_sided(t, df), expected, &format!("t {t}, {df} degrees of freedom"));
            assert_eq!(t_two_sided(-t, df), t_two_sided(t, df));
        }
        for [level, df, expected] in rows("t_critical") {
            assert_digits(t_critical(level, df), expected, &format!("level {level}, {df} degrees of freedom"));
        }
        assert_eq!((t_two_sided(f64::INFINITY, 3.0), t_two_sided(1e200, 3.0)), (0.0, 0.0));
    }

    #[test]
    fn the_coins_tails_are_exact() {
        for [heads, throws, expected] in rows("coin") {
            let actual = coin_at_least(heads as usize, throws as usize);
            // Beyond 1000 throws the fixture has 40 decimals.
            let distance = (actual - expected).abs();
            assert!(distance <= 1e-12 * expected + 1e-39, "{heads} of {throws}: {actual:e}, expected {expected:e}");
        }
        assert_eq!((coin_at_least(0, 0), coin_at_least(3, 2)), (1.0, 0.0));
    }

    #[test]
    fn normal_quantiles_are_scipys_and_turn_around() {
        for [p, expected] in rows("normal_quantile") {
            assert_digits(normal_quantile(p), expected, &format!("p {p}"));
            assert!((normal_cdf(normal_quantile(p)) - p).abs() <= 1e-14);
        }
        assert!((normal_two_sided(normal_quantile(0.975)) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn the_noncentral_t_distribution_is_scipys() {
        for [t, df, delta, expected] in rows("noncentral_t") {
            let actual = noncentral_t_cdf(t, df, delta);
            let what = format!("t {t}, {df} degrees of freedom, noncentrality {delta}");
            assert!((actual - expected).abs() <= 1e-12, "{what}: {actual:e}, expected {expected:e}");
        }
    }
}
