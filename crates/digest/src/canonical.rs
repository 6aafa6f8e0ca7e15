//! Canonical JSON: keys sorted, two blanks per level, shortest round-trip floats, one trailing newline.
//!
//! Indented rather than compact because archived results are read in diffs by people.

use serde::Serialize;
use serde_json::{Map, Value};

/// The canonical text of `value`.
///
/// # Errors
///
/// If serde cannot represent the value as JSON, such as a map whose keys are no strings.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let sorted = sort_keys(serde_json::to_value(value)?);
    let mut text = serde_json::to_string_pretty(&sorted)?;
    text.push('\n');
    Ok(text)
}

/// The canonical bytes of `value`; see [`to_string`].
///
/// # Errors
///
/// As [`to_string`].
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    to_string(value).map(String::into_bytes)
}

fn sort_keys(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(sort_keys).collect()),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().map(|(key, item)| (key, sort_keys(item))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(Map::from_iter(entries))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_at_every_level() {
        let text = to_string(&json!({"b": [{"z": 1, "a": 0.1}], "a": null})).unwrap();
        assert_eq!(text, "{\n  \"a\": null,\n  \"b\": [\n    {\n      \"a\": 0.1,\n      \"z\": 1\n    }\n  ]\n}\n");
    }

    proptest! {
        #[test]
        fn floats_survive_a_round_trip(number in any::<f64>().prop_filter("JSON has no NaN", |n| n.is_finite())) {
            let text = to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<f64>(&text).unwrap(), number);
            prop_assert_eq!(to_string(&serde_json::from_str::<Value>(&text).unwrap()).unwrap(), text);
        }
    }
}
