//! JSON as it is compared. Unlike [`serde_json::Value`], a number keeps every digit, and an object with the same key twice
//! is an error: parsers disagree on which of the two counts.

use std::{cmp::Ordering, fmt};

use indexmap::IndexMap;
use num_bigint::BigInt;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// How many arrays and objects may lie in each other, as in `serde_json`.
const DEPTH: usize = 128;

/// How many bytes may be passed over: each level passes over what lies deeper. So large texts may be less deep, at least 16
/// levels.
const PASSED_OVER: usize = 64 << 20;

/// How deep a text of `length` bytes may be.
fn deepest(length: usize) -> usize {
    (PASSED_OVER / length.max(1)).clamp(16, DEPTH)
}

/// A JSON value. Keys are in the order written.
#[derive(Clone, Debug, Default)]
pub(crate) enum Json {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    /// Boxed because it is the largest by far, and an answer may hold a million numbers.
    Object(Box<IndexMap<String, Json>>),
}

/// A number as it was written, and the nearest double: infinite beyond its range.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    text: Box<RawValue>,
    double: f64,
}

impl Json {
    /// Reads a text that is one JSON value, and changes each of its strings, keys among them, by `change`.
    ///
    /// # Errors
    ///
    /// In one sentence, why it is no JSON, or is ambiguous.
    pub(crate) fn parse(text: &str, change: &dyn Fn(&str) -> String) -> Result<Self, String> {
        Self::parse_part(text, text.len(), change)
    }

    /// The same for a part of an answer of `length` bytes, such as a line.
    pub(crate) fn parse_part(text: &str, length: usize, change: &dyn Fn(&str) -> String) -> Result<Self, String> {
        let raw = serde_json::from_str(text).map_err(not_json)?;
        Self::read(raw, deepest(length), change)
    }

    /// Each level reads its own brackets and passes over what lies deeper.
    fn read(raw: &RawValue, depth: usize, change: &dyn Fn(&str) -> String) -> Result<Self, String> {
        let text = raw.get();
        let deeper = || depth.checked_sub(1).ok_or_else(|| "JSON nested too deeply for its size".to_owned());
        Ok(match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'"') => Self::String(change(&serde_json::from_str::<String>(text).map_err(not_json)?)),
            Some(b'[') => {
                let (depth, items) = (deeper()?, serde_json::from_str::<Vec<&RawValue>>(text).map_err(not_json)?);
                Self::Array(items.into_iter().map(|item| Self::read(item, depth, change)).collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let (depth, Members(members)) = (deeper()?, serde_json::from_str(text).map_err(not_json)?);
                let mut object = IndexMap::with_capacity(members.len());
                for (key, value) in members {
                    let key = change(&key);
                    let twice = format!("ambiguous JSON: the key {key:?} stands twice in one object");
                    if object.insert(key, Self::read(value, depth, change)?).is_some() {
                        return Err(twice);
                    }
                }
                Self::Object(Box::new(object))
            }
            _ => Self::Number(Number { double: text.parse().unwrap_or(f64::NAN), text: raw.to_owned() }),
        })
    }

    /// The value with each string, keys among them, changed by `change`. Of keys that become the same, the last counts.
    pub(crate) fn map_strings(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::String(text) => Self::String(change(text)),
            Self::Array(items) => Self::Array(items.iter().map(|item| item.map_strings(change)).collect()),
            Self::Object(map) => {
                let changed = map.iter().map(|(key, value)| (change(key), value.map_strings(change)));
                Self::Object(Box::new(changed.collect()))
            }
            other => other.clone(),
        }
    }

    /// The value at a JSON pointer (RFC 6901).
    pub(crate) fn pointer(&self, pointer: &str) -> Option<&Self> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| match value {
            Self::Object(map) => map.get(&token.replace("~1", "/").replace("~0", "~")),
            Self::Array(items) => {
                let is_index = token == "0" || !token.starts_with(['0', '+']);
                items.get(token.parse::<usize>().ok().filter(|_| is_index)?)
            }
            _ => None,
        })
    }

    /// On several lines.
    pub(crate) fn pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn not_json(error: serde_json::Error) -> String {
    format!("not JSON ({error})")
}

impl Number {
    /// Whether two numbers differ by no more than `tolerance`: integers exactly, all others as doubles.
    pub(crate) fn is_near(&self, other: &Self, tolerance: f64) -> bool {
        self.text.get() == other.text.get()
            || match (self.integer(), other.integer()) {
                (Some(a), Some(b)) => integers_near(a, b, tolerance),
                _ => (self.double - other.double).abs() <= tolerance,
            }
    }

    /// Which of two numbers is larger: integers exactly, all others as doubles.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => Some(compare_integers(a, b)),
            _ => self.double.partial_cmp(&other.double),
        }
    }

    /// Whether it has no fraction, however it is written.
    pub(crate) fn is_whole(&self) -> bool {
        self.integer().is_some() || self.double.fract() == 0.0
    }

    /// The nearest double: infinite beyond its range.
    pub(crate) fn double(&self) -> f64 {
        self.double
    }

    /// Its digits, if it was written as an integer. There is one way to write each, but for zero.
    fn integer(&self) -> Option<&str> {
        let text = self.text.get();
        (!text.contains(['.', 'e', 'E'])).then_some(if text == "-0" { "0" } else { text })
    }
}

/// There is one way to write each, so that the longer one is farther from zero.
fn compare_integers(a: &str, b: &str) -> Ordering {
    let by_digits = |a: &str, b: &str| a.len().cmp(&b.len()).then_with(|| a.cmp(b));
    match (a.strip_prefix('-'), b.strip_prefix('-')) {
        (None, None) => by_digits(a, b),
        (Some(a), Some(b)) => by_digits(b, a),
        (a, _) => {
            if a.is_some() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

/// Reading digits takes time that is quadratic in their number, which may be millions: those that cannot be near are not
/// read. The largest double has 309 digits.
fn integers_near(a: &str, b: &str, tolerance: f64) -> bool {
    if a == b || tolerance < 1.0 {
        return a == b;
    }
    let read = |digits: &str| digits.parse::<BigInt>().ok();
    let largest = num_bigint::ToBigInt::to_bigint(&tolerance);
    a.len().abs_diff(b.len()) <= 310
        && matches!((read(a), read(b), largest), (Some(a), Some(b), Some(largest)) if (&a - &b).magnitude() <= largest.magnitude())
}

/// The members of an object as they are written.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => value.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => text.serialize(serializer),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(map) => serializer.collect_map(map.iter()),
        }
    }
}

/// On one line.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Json, String> {
        Json::parse(text, &str::to_owned)
    }

    #[test]
    fn what_is_read_is_written_as_it_was() {
        let text = r#"{"b":[1,-0.50,1E3,184467440737095516160000],"a":{"x":"\"\u0001é"},"c":[true,false,null]}"#;
        assert_eq!(parse(text).unwrap().to_string(), text);
        assert_eq!(parse(r#""\u0041""#).unwrap().to_string(), r#""A""#);
    }

    #[test]
    fn what_is_no_json_or_ambiguous_is_refused() {
        for (text, error) in [
            ("", "not JSON (EOF"),
            ("1 2", "not JSON (trailing characters at line 1"),
            ("01", "not JSON"),
            ("NaN", "not JSON"),
            (r#"["\ud800"]"#, "not JSON"),
            (r#"{"a":1,"\u0061":1}"#, "ambiguous JSON: the key \"a\" stands twice in one object"),
            (r#"[{"b":{"a":1,"a":1}}]"#, "ambiguous JSON: the key \"a\" stands twice"),
        ] {
            let found = parse(text).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
        assert!(parse(&("[".repeat(DEPTH) + &"]".repeat(DEPTH))).is_ok());
        let found = parse(&("[".repeat(DEPTH + 1) + &"]".repeat(DEPTH + 1))).unwrap_err();
        assert_eq!(found, "JSON nested too deeply for its size");
        let large = |depth: usize| "[".repeat(depth) + "\"" + &"x".repeat(4 << 20) + "\"" + &"]".repeat(depth);
        assert!(parse(&large(15)).is_ok());
        assert!(parse(&large(17)).is_err());
    }

    #[test]
    fn strings_are_changed_after_escapes_are_read_and_keys_may_then_be_the_same() {
        let lower = |text: &str| text.to_lowercase();
        assert_eq!(Json::parse(r#"{"\u0041":"\u00C4"}"#, &lower).unwrap().to_string(), r#"{"a":"ä"}"#);
        assert!(Json::parse(r#"{"A":1,"a":1}"#, &lower).unwrap_err().starts_with("ambiguous"));
    }

    #[test]
    fn a_pointer_finds_what_rfc_6901_says() {
        let value = parse(r#"{"a/b":[{"~":7}],"":8}"#).unwrap();
        let at = |pointer: &str| value.pointer(pointer).map(Json::to_string);
        assert_eq!(at("/a~1b/0/~0").unwrap(), "7");
        assert_eq!(at("/").unwrap(), "8");
        assert_eq!(at("").unwrap(), value.to_string());
        assert!(["/a~1b/00", "/a~1b/+0", "/a~1b/1", "/a~1b/-", "/c", "a", "//"].iter().all(|p| at(p).is_none()));
    }

    #[test]
    fn integers_are_near_exactly_and_others_as_doubles() {
        let near = |a: &str, b: &str, tolerance: f64| match (parse(a).unwrap(), parse(b).unwrap()) {
            (Json::Number(a), Json::Number(b)) => a.is_near(&b, tolerance) && b.is_near(&a, tolerance),
            _ => false,
        };
        let two_to_64 = "18446744073709551616";
        for (a, b, tolerance, expected) in [
            (two_to_64, "18446744073709551617", 0.0, false),
            (two_to_64, "18446744073709551617", 0.5, false),
            (two_to_64, "18446744073709551617", 1.0, true),
            (two_to_64, "18446744073709551618", 1.9, false),
            ("-18446744073709551616", two_to_64, 1.0, false),
            (two_to_64, "18446744073709551616.0", 0.0, true),
            ("9007199254740993", "9007199254740992", 0.0, false),
            ("-0", "0", 0.0, true),
            ("1", "1.0", 0.0, true),
            ("0.1", "0.100001", 0.0, false),
            ("0.1", "0.100001", 1e-3, true),
            ("1e400", "1e400", 0.0, true),
            ("1e400", "1e401", 1.0, false),
        ] {
            assert_eq!(near(a, b, tolerance), expected, "{a} and {b} within {tolerance}");
        }
        assert!(!near("1", &"7".repeat(4 << 20), 1e300), "at once: its digits are not read");
    }
}
