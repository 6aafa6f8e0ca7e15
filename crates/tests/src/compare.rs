//! Comparing observed bytes with an expectation, and telling where they part.

use regex::bytes::Regex;
use serde::Serialize;
use serde_json::Value;
use similar::TextDiff;

use crate::{
    expect::{Expectation, Want},
    normalise::normalise,
};

/// One thing that is not as expected. For people; what is archived is only `what`.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// `exit code`, `stdout`, `stderr` or `file <path>`; of a server, `start` or `step <n>` and what of it.
    pub what: String,
    /// Where and how the two sides part, in one sentence.
    pub detail: String,
    /// A unified diff, `-` expected and `+` observed; empty where a sentence says it all.
    pub diff: String,
}

impl Mismatch {
    /// A mismatch that one sentence says all about.
    pub(crate) fn sentence(what: &str, detail: String) -> Self {
        Self { what: what.to_owned(), detail, diff: String::new() }
    }
}

/// How JSON values are compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JsonRules {
    /// The outermost array (or the lines) as a multiset.
    pub(crate) unordered: bool,
    /// Keys must come in the order written.
    pub(crate) key_order: bool,
    /// The largest allowed difference of two numbers.
    pub(crate) tolerance: f64,
}

/// A detail and a diff; the caller knows what was compared.
type Difference = (String, String);

impl Expectation {
    /// `None` where `observed` is as expected; `what` names it in the answer.
    pub(crate) fn check(&self, what: &str, observed: &[u8]) -> Option<Mismatch> {
        let (detail, diff) = self.difference(observed)?;
        Some(Mismatch { what: what.to_owned(), detail, diff })
    }

    /// Whether the file must not exist.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.want, Want::Absent)
    }

    fn difference(&self, observed: &[u8]) -> Option<Difference> {
        match &self.want {
            Want::Bytes(expected) => bytes_difference(expected, observed),
            Want::Pattern(regex) => pattern_difference(regex, &self.normalised_bytes(observed)),
            Want::Empty(empty) => empty_difference(*empty, &self.normalised_bytes(observed)),
            Want::Absent => Some(("expected not to exist, but it does".to_owned(), String::new())),
            text_like => match std::str::from_utf8(observed) {
                Ok(text) => text_like.text_difference(&normalise(text, &self.normalise)),
                Err(error) => {
                    Some((format!("not valid UTF-8 from byte {} on", error.valid_up_to() + 1), String::new()))
                }
            },
        }
    }

    /// Normalises what is text; other bytes are left as they are.
    fn normalised_bytes(&self, observed: &[u8]) -> Vec<u8> {
        std::str::from_utf8(observed)
            .map_or_else(|_| observed.to_vec(), |text| normalise(text, &self.normalise).into_bytes())
    }
}

impl Want {
    fn text_difference(&self, observed: &str) -> Option<Difference> {
        match self {
            Self::Text(expected) => text_difference(expected, observed),
            Self::Json(expected, rules) => json_difference(expected, *rules, observed),
            Self::JsonLines(expected, rules) => json_lines_difference(expected, *rules, observed),
            Self::Csv { records, unordered } => csv_difference(records, *unordered, observed),
            Self::Bytes(_) | Self::Pattern(_) | Self::Empty(_) | Self::Absent => None,
        }
    }
}

fn bytes_difference(expected: &[u8], observed: &[u8]) -> Option<Difference> {
    if expected == observed {
        return None;
    }
    let at = expected.iter().zip(observed).take_while(|(a, b)| a == b).count();
    let byte = |bytes: &[u8]| bytes.get(at).map_or("the end".to_owned(), |byte| format!("{byte:#04x}"));
    Some((format!("byte {}: expected {}, got {}", at + 1, byte(expected), byte(observed)), String::new()))
}

fn pattern_difference(regex: &Regex, observed: &[u8]) -> Option<Difference> {
    let text = || excerpt(&String::from_utf8_lossy(observed));
    (!regex.is_match(observed)).then(|| (format!("nothing matches {:?} in {}", regex.as_str(), text()), String::new()))
}

fn empty_difference(empty: bool, observed: &[u8]) -> Option<Difference> {
    match (empty, observed.is_empty()) {
        (true, false) => {
            Some((format!("expected nothing, got {}", excerpt(&String::from_utf8_lossy(observed))), String::new()))
        }
        (false, true) => Some(("expected something, got nothing".to_owned(), String::new())),
        _ => None,
    }
}

fn text_difference(expected: &str, observed: &str) -> Option<Difference> {
    if expected == observed {
        return None;
    }
    let same = expected.chars().zip(observed.chars()).take_while(|(a, b)| a == b);
    let (line, column) = same.fold((1, 1), |(line, column), (character, _)| match character {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    });
    Some((format!("parts at line {line}, column {column}"), diff(expected, observed)))
}

fn json_difference(expected: &Value, rules: JsonRules, observed: &str) -> Option<Difference> {
    let value: Value = match serde_json::from_str(observed) {
        Ok(value) => value,
        Err(error) => return Some((format!("not JSON ({error}): {}", excerpt(observed)), String::new())),
    };
    let detail = match (expected, &value) {
        (Value::Array(expected), Value::Array(got)) if rules.unordered => {
            multiset(expected, got, |a, b| rules.same(a, b))
        }
        _ => rules.difference(expected, &value, "$"),
    }?;
    Some((detail, diff(&pretty(expected), &pretty(&value))))
}

fn json_lines_difference(expected: &[Value], rules: JsonRules, observed: &str) -> Option<Difference> {
    let got = match parse_json_lines(observed) {
        Ok(got) => got,
        Err(error) => return Some((error, String::new())),
    };
    let detail = if rules.unordered {
        multiset(expected, &got, |a, b| rules.same(a, b))
    } else {
        sequence(expected, &got, |number, a, b| rules.difference(a, b, &format!("line {number}: $")))
    }?;
    let lines = |values: &[Value]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    Some((detail, diff(&lines(expected), &lines(&got))))
}

fn csv_difference(expected: &[Vec<String>], unordered: bool, observed: &str) -> Option<Difference> {
    let got = match parse_csv(observed) {
        Ok(got) => got,
        Err(error) => return Some((format!("not CSV: {error}"), String::new())),
    };
    let differ = |number: usize, a: &Vec<String>, b: &Vec<String>| {
        (a != b).then(|| format!("record {number}: expected {a:?}, got {b:?}"))
    };
    let detail = if unordered { multiset(expected, &got, |a, b| a == b) } else { sequence(expected, &got, differ) }?;
    let lines = |records: &[Vec<String>]| records.iter().map(|record| record.join(",") + "\n").collect::<String>();
    Some((detail, diff(&lines(expected), &lines(&got))))
}

/// Compares item by item, then the lengths.
fn sequence<T>(expected: &[T], got: &[T], differ: impl Fn(usize, &T, &T) -> Option<String>) -> Option<String> {
    let pairs = expected.iter().zip(got).enumerate();
    pairs.filter_map(|(index, (a, b))| differ(index + 1, a, b)).next().or_else(|| {
        (expected.len() != got.len()).then(|| format!("expected {} records, got {}", expected.len(), got.len()))
    })
}

/// Compares without regard to order.
fn multiset<T>(expected: &[T], got: &[T], same: impl Fn(&T, &T) -> bool) -> Option<String> {
    let mut left: Vec<&T> = got.iter().collect();
    for (index, item) in expected.iter().enumerate() {
        match left.iter().position(|other| same(item, other)) {
            Some(found) => drop(left.swap_remove(found)),
            None => return Some(format!("expected record {} is not among the {} observed", index + 1, got.len())),
        }
    }
    (!left.is_empty()).then(|| format!("{} observed records were not expected", left.len()))
}

impl JsonRules {
    fn same(self, expected: &Value, got: &Value) -> bool {
        self.difference(expected, got, "").is_none()
    }

    /// The first difference, at its path; numbers are equal by value (`1` and `1.0` are).
    fn difference(self, expected: &Value, got: &Value, path: &str) -> Option<String> {
        match (expected, got) {
            (Value::Object(a), Value::Object(b)) => self.object_difference(a, b, path),
            (Value::Array(a), Value::Array(b)) => {
                let items = a.iter().zip(b).enumerate();
                let differ = |(index, (a, b))| self.difference(a, b, &format!("{path}[{index}]"));
                items.map(differ).find_map(|found| found).or_else(|| {
                    (a.len() != b.len()).then(|| format!("{path}: expected {} items, got {}", a.len(), b.len()))
                })
            }
            (Value::Number(a), Value::Number(b)) if self.numbers_equal(a, b) => None,
            _ if expected == got => None,
            _ => Some(format!("{path}: expected {}, got {}", cut(&expected.to_string()), cut(&got.to_string()))),
        }
    }

    fn object_difference(
        self,
        expected: &serde_json::Map<String, Value>,
        got: &serde_json::Map<String, Value>,
        path: &str,
    ) -> Option<String> {
        for (key, value) in expected {
            match got.get(key) {
                None => return Some(format!("{path}: key {key:?} is missing")),
                Some(other) => match self.difference(value, other, &format!("{path}.{key}")) {
                    None => {}
                    found => return found,
                },
            }
        }
        if let Some(key) = got.keys().find(|key| !expected.contains_key(*key)) {
            return Some(format!("{path}: key {key:?} was not expected"));
        }
        let keys = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
        (self.key_order && keys(expected) != keys(got))
            .then(|| format!("{path}: expected keys in the order {:?}, got {:?}", keys(expected), keys(got)))
    }

    fn numbers_equal(self, a: &serde_json::Number, b: &serde_json::Number) -> bool {
        let whole = |n: &serde_json::Number| n.as_i64().map(i128::from).or(n.as_u64().map(i128::from));
        match (whole(a), whole(b), a.as_f64(), b.as_f64()) {
            (Some(a), Some(b), ..) if self.tolerance == 0.0 => a == b,
            (.., Some(a), Some(b)) => (a - b).abs() <= self.tolerance,
            _ => false,
        }
    }
}

/// The values of a JSON Lines text; an empty last line is no line.
pub(crate) fn parse_json_lines(text: &str) -> Result<Vec<Value>, String> {
    let parse = |(index, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| format!("line {} is not JSON ({error}): {}", index + 1, excerpt(line)))
    };
    text.lines().enumerate().map(parse).collect()
}

/// The records of a CSV text, the header line being one of them.
pub(crate) fn parse_csv(text: &str) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect())).collect()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

const EXCERPT_CHARS: usize = 200;

/// The text, cut to a length that fits a message.
fn cut(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}… ({} bytes in all)", text.get(..end).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}

/// The text as a quoted excerpt.
pub(crate) fn excerpt(text: &str) -> String {
    format!("{:?}", cut(text))
}

const DIFF_LINES: usize = 40;
const DIFF_CONTEXT: usize = 3;

/// A unified diff of the lines around the first difference; bounded, since output may be megabytes.
fn diff(expected: &str, observed: &str) -> String {
    let same = expected.lines().zip(observed.lines()).take_while(|(a, b)| a == b).count();
    let window = |text: &str| -> String {
        let lines = text.lines().skip(same.saturating_sub(DIFF_CONTEXT)).take(DIFF_LINES);
        lines.map(|line| line.chars().take(EXCERPT_CHARS).chain(['\n']).collect::<String>()).collect()
    };
    let (expected, observed) = (window(expected), window(observed));
    let changes = TextDiff::from_lines(&expected, &observed);
    changes.iter_all_changes().map(|change| format!("{}{change}", change.tag())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> JsonRules {
        JsonRules::default()
    }

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        let a = json!([{"start": {"line": 1, "col": 4}}]);
        let b = json!([{"start": {"line": 1, "col": 5}}]);
        assert_eq!(rules().difference(&a, &b, "$").unwrap(), "$[0].start.col: expected 4, got 5");
    }

    #[test]
    fn numbers_are_compared_by_value_and_large_integers_exactly() {
        assert!(rules().same(&json!(1), &json!(1.0)));
        assert!(!rules().same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(!rules().same(&json!(0.1), &json!(0.100001)));
        assert!(JsonRules { tolerance: 1e-3, ..rules() }.same(&json!(0.1), &json!(0.100001)));
    }

    #[test]
    fn extra_and_missing_keys_differ_and_order_counts_only_where_asked() {
        let (a, b) = (json!({"x": 1, "y": 2}), json!({"y": 2, "x": 1}));
        assert!(rules().same(&a, &b));
        assert!(!JsonRules { key_order: true, ..rules() }.same(&a, &b));
        assert!(!rules().same(&a, &json!({"x": 1})));
        assert!(!rules().same(&a, &json!({"x": 1, "y": 2, "z": 3})));
    }

    #[test]
    fn a_multiset_counts_repetitions() {
        let same = |a: &i32, b: &i32| a == b;
        assert_eq!(multiset(&[1, 2, 2], &[2, 1, 2], same), None);
        assert!(multiset(&[1, 2, 2], &[1, 1, 2], same).is_some());
        assert!(multiset(&[1], &[1, 1], same).is_some());
    }

    #[test]
    fn a_text_difference_says_where_the_sides_part() {
        let (detail, diff) = text_difference("a\nbc\n", "a\nbd\n").unwrap();
        assert_eq!(detail, "parts at line 2, column 2");
        assert_eq!(diff, " a\n-bc\n+bd\n");
    }

    #[test]
    fn a_huge_difference_stays_readable() {
        let (_, diff) = text_difference("a\n", &"b\n".repeat(1_000_000)).unwrap();
        assert!(diff.lines().count() <= 2 * DIFF_LINES, "{}", diff.lines().count());
    }

    #[test]
    fn deeply_nested_json_is_a_difference_not_a_crash() {
        let (detail, _) = json_difference(&json!([]), rules(), &"[".repeat(100_000)).unwrap();
        assert!(detail.starts_with("not JSON"), "{detail}");
    }
}
