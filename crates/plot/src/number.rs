//! How numbers are written.

use crate::{Axis, Notation};

/// From here on, letters stand for thousands.
const THOUSANDS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")];

/// Beyond these, a number is written with its power of ten.
const PLAIN: std::ops::Range<f64> = 1e-4..1e15;

impl Notation {
    /// At a tick, of an axis whose ticks need so many decimals.
    pub(crate) fn round(self, value: f64, decimals: usize) -> String {
        match self {
            Self::Percent => plain(value * 100.0, decimals.saturating_sub(2)) + "%",
            Self::Dollars => signed(value, "$", plain(value.abs(), decimals)),
            Self::Number => plain(value, decimals),
            Self::Signed if value > 0.0 => format!("+{}", plain(value, decimals)),
            Self::Signed => plain(value, decimals),
        }
    }

    /// By itself, to three digits or so.
    pub(crate) fn precise(self, value: f64) -> String {
        let decimals = match value.abs() {
            size if size >= 1000.0 || (size == size.trunc() && size >= 10.0) => 0,
            size if size >= 10.0 => 1,
            _ => 3,
        };
        match self {
            Self::Percent => plain(value * 100.0, 1) + "%",
            Self::Dollars => signed(value, "$", plain(value.abs(), 2)),
            Self::Number => plain(value, decimals),
            Self::Signed if value > 0.0 => format!("+{}", plain(value, decimals)),
            Self::Signed => plain(value, decimals),
        }
    }
}

/// What a place on an axis is called: by its tick, or by its value.
pub(crate) fn place_name(axis: &Axis, at: f64) -> String {
    let tick = axis.ticks.iter().find(|tick| tick.at == at);
    tick.map_or_else(|| axis.notation.precise(at), |tick| tick.label.clone())
}

fn signed(value: f64, unit: &str, size: String) -> String {
    if value < 0.0 { format!("-{unit}{size}") } else { format!("{unit}{size}") }
}

fn plain(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if size != 0.0 && !PLAIN.contains(&size) {
        return format!("{value:.1e}").replace(".0e", "e");
    }
    let unit = THOUSANDS.iter().find(|(unit, _)| size >= *unit);
    let written = match unit {
        Some((10_000.0, letter)) => format!("{}{letter}", trimmed(format!("{:.3}", value / 1000.0))),
        Some((unit, letter)) => format!("{}{letter}", trimmed(format!("{:.3}", value / unit))),
        None => format!("{value:.decimals$}"),
    };
    // What rounds to nothing has no sign.
    match written.strip_prefix('-') {
        Some(rest) if rest.chars().all(|digit| matches!(digit, '0' | '.')) => rest.to_owned(),
        _ => written,
    }
}

/// Without zeros that say nothing.
fn trimmed(decimal: String) -> String {
    decimal.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_have_to_be() {
        let rows = [
            (Notation::Number, 0.25, 2, "0.25"),
            (Notation::Number, -0.001, 2, "0.00"),
            (Notation::Number, 12_500.0, 0, "12.5k"),
            (Notation::Number, -3e6, 0, "-3M"),
            (Notation::Number, 1e300, 0, "1e300"),
            (Notation::Number, 2e-9, 9, "2e-9"),
            (Notation::Percent, 0.125, 3, "12.5%"),
            (Notation::Percent, 1.0, 1, "100%"),
            (Notation::Dollars, -1.5, 1, "-$1.5"),
            (Notation::Signed, 0.5, 1, "+0.5"),
            (Notation::Signed, 0.0, 1, "0.0"),
        ];
        for (notation, value, decimals, expected) in rows {
            assert_eq!(notation.round(value, decimals), expected);
        }
        assert_eq!(Notation::Number.precise(0.123_45), "0.123");
        assert_eq!(Notation::Number.precise(37.0), "37");
        assert_eq!(Notation::Number.precise(68.25), "68.2");
        assert_eq!(Notation::Percent.precise(0.107_5), "10.8%");
        assert_eq!(Notation::Dollars.precise(1.489), "$1.49");
    }
}
