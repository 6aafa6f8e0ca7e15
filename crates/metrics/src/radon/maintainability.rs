//! The Maintainability Index.

use super::Raw;

/// MI = 100/171 · (171 − 5.2 ln V − 0.23 G − 16.2 ln LLOC + 50 sin √(2.46 · rad C)), clamped to 0..=100.
///
/// A score without unit; higher is more maintainable. V is the Halstead volume in bits, G the cyclomatic complexity and
/// C the percentage of comments, 100 · comments / SLOC, which radon reads as an angle in degrees. With `multi`, lines of
/// multi-line strings are comments too. 100 where V or LLOC is 0, since their logarithm is taken.
///
/// After D. Coleman et al., "Using Metrics to Evaluate Software System Maintainability", IEEE Computer 27(8), 1994, in
/// the variant of radon 6.0.1, which rescales as Visual Studio does.
pub(super) fn maintainability_index(raw: &Raw, complexity: u64, volume: f64, multi: bool) -> f64 {
    if volume <= 0.0 || raw.lloc == 0 {
        return 100.0;
    }
    let comments = raw.comments + if multi { raw.multi } else { 0 };
    let percentage = if raw.sloc > 0 { comments as f64 / raw.sloc as f64 * 100.0 } else { 0.0 };
    // Not `to_radians`, and no reordering: the last digit is radon's.
    let angle = percentage * (std::f64::consts::PI / 180.0);
    let unscaled = 171.0 - 5.2 * volume.ln() - 0.23 * complexity as f64 - 16.2 * (raw.lloc as f64).ln()
        + 50.0 * (2.46 * angle).sqrt().sin();
    (unscaled * 100.0 / 171.0).clamp(0.0, 100.0)
}
