//! Where values lie on an axis, and which ticks it has.

use crate::{Axis, AxisTick, Scale};

/// Beyond this, differences of two values would be infinite.
const LARGEST: f64 = 1e300;

/// Spans below this have no round steps that a double can tell apart.
const SMALLEST: f64 = 1e-290;

/// An axis that knows its ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MappedAxis {
    scale: Scale,
    low: f64,
    high: f64,
    /// In order, between the ends.
    pub(crate) ticks: Vec<AxisTick>,
}

impl MappedAxis {
    /// Of an axis that shows these values, with at most so many ticks of its own.
    pub(crate) fn of(axis: &Axis, values: impl IntoIterator<Item = f64>, at_most: usize) -> Self {
        let is_shown = |value: &f64| value.is_finite() && (axis.scale != Scale::Log || *value > 0.0);
        let values = values.into_iter().chain(axis.includes.iter().copied()).filter(is_shown);
        let values = values.map(|value| value.clamp(-LARGEST, LARGEST));
        let ends = values.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        match axis.scale {
            Scale::Ordinal => Self::ordinal(axis),
            Scale::Linear => Self::linear(axis, ends, at_most),
            Scale::Log => Self::log(axis, ends, at_most),
        }
    }

    fn ordinal(axis: &Axis) -> Self {
        let high = axis.ticks.len().max(1) as f64 - 0.5;
        Self { scale: Scale::Ordinal, low: -0.5, high, ticks: axis.ticks.clone() }
    }

    fn linear(axis: &Axis, ends: Option<(f64, f64)>, at_most: usize) -> Self {
        let (low, high) = match ends {
            None => (0.0, 1.0),
            Some((low, high)) if high - low > SMALLEST => (low, high),
            Some((0.0, _)) => (0.0, 1.0),
            Some((one, _)) => (one - one.abs() * 0.1, one + one.abs() * 0.1),
        };
        let named: Vec<_> = axis.ticks.iter().filter(|tick| (low..=high).contains(&tick.at)).cloned().collect();
        if !named.is_empty() {
            return Self { scale: Scale::Linear, low, high, ticks: named };
        }
        let (places, decimals) = round_values(low, high, at_most);
        Self::between(axis, places, |at| axis.notation.round(at, decimals))
    }

    fn log(axis: &Axis, ends: Option<(f64, f64)>, at_most: usize) -> Self {
        let (low, high) = ends.unwrap_or((1.0, 10.0));
        Self::between(axis, round_powers(low, high, at_most), |at| match at < 1.0 {
            true => axis.notation.round(at, (-decade(at)).max(0) as usize),
            false => axis.notation.round(at, 0),
        })
    }

    /// From the first of these places to the last.
    fn between(axis: &Axis, places: Vec<f64>, label: impl Fn(f64) -> String) -> Self {
        let (low, high) = (places[0], places[places.len() - 1]);
        let ticks = places.into_iter().map(|at| AxisTick { at, label: label(at), detail: String::new() }).collect();
        Self { scale: axis.scale, low, high, ticks }
    }

    /// How far along the axis a value is, from 0 to 1; `None` if it has no place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        let value = value.clamp(-LARGEST, LARGEST);
        match self.scale {
            Scale::Log if value <= 0.0 => None,
            Scale::Log => {
                let [low, high] = [self.low, self.high].map(libm::log10);
                Some((libm::log10(value) - low) / (high - low))
            }
            _ if value.is_finite() => Some((value - self.low) / (self.high - self.low)),
            _ => None,
        }
    }

    /// The values at its two ends.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where bars begin: at 0, or at the end that is nearest to it.
    pub(crate) fn base(&self) -> f64 {
        if self.scale == Scale::Log { self.low } else { 0.0_f64.clamp(self.low, self.high) }
    }

    /// How much of the axis one category has; what is no category has a twentieth.
    pub(crate) fn band(&self) -> f64 {
        if self.scale == Scale::Ordinal { 1.0 / (self.high - self.low) } else { 0.05 }
    }
}

/// A power of ten, rounded correctly on every machine.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The exponent of the power of ten at or below a value above 0.
fn decade(value: f64) -> i32 {
    let guess = libm::floor(libm::log10(value)) as i32;
    // The logarithm of a power of ten may be a hair below its exponent.
    if power_of_ten(guess + 1) <= value { guess + 1 } else { guess }
}

/// At most so many multiples of 1, 2 or 5 times a power of ten that reach around both ends, and the decimals they need.
fn round_values(low: f64, high: f64, at_most: usize) -> (Vec<f64>, usize) {
    let at_most = at_most.max(2);
    let smallest = decade((high - low) / at_most as f64);
    let steps = (smallest..smallest + 4).flat_map(|exponent| [1.0, 2.0, 5.0].map(|factor| (factor, exponent)));
    let mut found = (vec![low, high], 0);
    for (factor, exponent) in steps {
        let (scale, is_below) = (power_of_ten(exponent.abs()), exponent < 0);
        // Dividing by a power that is exact gives 0.3, where adding up gives 0.30000000000000004.
        let at = |index: f64| if is_below { index * factor / scale } else { index * factor * scale };
        let step = at(1.0);
        let (first, last) = (libm::floor(low / step), libm::ceil(high / step));
        if last - first < at_most as f64 {
            let count = (last - first) as usize;
            let places = (0..=count).map(|index| at(first + index as f64)).collect();
            found = (places, if is_below { exponent.unsigned_abs() as usize } else { 0 });
            break;
        }
    }
    found
}

/// Powers of ten around both ends, and 2 and 5 times them where there are few.
fn round_powers(low: f64, high: f64, at_most: usize) -> Vec<f64> {
    let (first, last) = (decade(low), decade(high) + 1);
    let factors: &[f64] = if last - first <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = ((last - first) as usize).div_ceil(at_most.max(2)).max(1);
    let decades = (first..=last + every as i32).step_by(every);
    let all: Vec<f64> =
        decades.flat_map(|exponent| factors.iter().map(move |factor| factor * power_of_ten(exponent))).collect();
    let from = all.iter().rposition(|place| *place <= low).unwrap_or(0);
    let to = all.iter().position(|place| *place >= high && *place > all[from]).unwrap_or(all.len() - 1);
    all[from..=to].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;

    fn labels(axis: &Axis, values: &[f64]) -> String {
        let axis = MappedAxis::of(axis, values.iter().copied(), 6);
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::linear("", Notation::Number);
        let rows: &[(&[f64], &str)] = &[
            (&[], "0.0 0.2 0.4 0.6 0.8 1.0"),
            (&[0.0], "0.0 0.2 0.4 0.6 0.8 1.0"),
            (&[0.0, 0.3], "0.0 0.1 0.2 0.3"),
            (&[0.31, 0.74], "0.3 0.4 0.5 0.6 0.7 0.8"),
            (&[-3.0, 7.0], "-5 0 5 10"),
            (&[37.0, 37.0], "32 34 36 38 40 42"),
            (&[-5.0], "-5.5 -5.0 -4.5"),
            (&[0.0, 12_345.0], "0 5000 10k 15k"),
            (&[0.0, 2e9], "0 500M 1G 1.5G 2G"),
            (&[1e-9, 3e-9], "1e-9 1.5e-9 2e-9 2.5e-9 3e-9"),
            (&[-1e308, f64::MAX], "-1e300 -5e299 0 5e299 1e300"),
            (&[f64::NAN, f64::INFINITY, 2.0, 3.0], "2.0 2.2 2.4 2.6 2.8 3.0"),
            (&[0.0, 1e-320], "0.0 0.2 0.4 0.6 0.8 1.0"),
        ];
        for (values, expected) in rows {
            assert_eq!(labels(&axis, values), *expected, "{values:?}");
        }
        assert_eq!(labels(&Axis::linear("", Notation::Percent), &[0.0, 0.041]), "0% 1% 2% 3% 4% 5%");
        assert_eq!(labels(&Axis::linear("", Notation::Number).with([0.0]), &[4.0, 5.0]), "0 1 2 3 4 5");
    }

    #[test]
    fn ticks_of_logarithms_are_powers() {
        let axis = Axis::log("", Notation::Number);
        let rows: &[(&[f64], &str)] = &[
            (&[], "1 2 5 10"),
            (&[3.0, 40.0], "2 5 10 20 50"),
            (&[1.0, 1000.0], "1 10 100 1000"),
            (&[0.02, 7.0], "0.01 0.1 1 10"),
            (&[1e-12, 1e12], "1e-12 1e-7 0.01 1000 100M 10T"),
            (&[-1.0, 0.0, 5.0], "5 10"),
            (&[10.0], "10 20"),
        ];
        for (values, expected) in rows {
            assert_eq!(labels(&axis, values), *expected, "{values:?}");
        }
    }

    #[test]
    fn places_run_from_one_end_to_the_other() {
        let linear = MappedAxis::of(&Axis::linear("", Notation::Number), [0.0, 10.0], 6);
        assert_eq!([0.0, 5.0, 10.0].map(|value| linear.place(value)), [Some(0.0), Some(0.5), Some(1.0)]);
        assert_eq!(linear.place(f64::NAN), None);
        let log = MappedAxis::of(&Axis::log("", Notation::Number), [1.0, 10_000.0], 6);
        assert_eq!([1.0, 100.0, -3.0].map(|value| log.place(value)), [Some(0.0), Some(0.5), None]);
        let categories = ["a", "b"].map(|name| (name.to_owned(), String::new()));
        let ordinal = MappedAxis::of(&Axis::ordinal("", categories), [], 6);
        assert_eq!([0.0, 1.0].map(|value| ordinal.place(value)), [Some(0.25), Some(0.75)]);
        let huge = MappedAxis::of(&Axis::linear("", Notation::Number), [f64::MIN, f64::MAX], 6);
        assert!(huge.place(f64::MAX).is_some_and(|place| (0.0..=1.0).contains(&place)));
    }
}
