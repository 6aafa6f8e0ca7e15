//! Numbers and texts as short as a page needs them.

use serde::{Serialize, Serializer};

/// A figure with six significant digits: more are in `report --format csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Brief(pub(crate) f64);

/// Above it, not every whole number is a floating-point number.
const WHOLE: f64 = 9_007_199_254_740_992.0;

impl Serialize for Brief {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.fract() == 0.0 && value.abs() < WHOLE => serializer.serialize_i64(value as i64),
            // What is no number has no place in JSON.
            value if !value.is_finite() => serializer.serialize_none(),
            value => serializer.serialize_f64(format!("{value:.5e}").parse().unwrap_or(value)),
        }
    }
}

/// The beginning of a text, with how many characters were left out.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} … ({} more characters)", &text[..end], text[end..].chars().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits_and_are_never_nan() {
        let shown =
            [0.123_456_789, 12.0, -0.5, 1e9, f64::NAN].map(|value| serde_json::to_string(&Brief(value)).unwrap());
        assert_eq!(shown, ["0.123457", "12", "-0.5", "1000000000", "null"]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(clipped("süß", 3), "süß");
        assert_eq!(clipped("süßes", 3), "süß … (2 more characters)");
    }
}
