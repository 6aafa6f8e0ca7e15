//! Where two JSON values part.

use std::fmt;

use indexmap::IndexMap;

use crate::{excerpt::cut, expect::JsonRules, json::Json};

/// The first difference of two values: put into words only if someone is to read it, for most pairs of a multiset differ.
pub(crate) struct JsonDifference<'a> {
    /// From the inside out.
    path: Vec<PathStep<'a>>,
    kind: DifferenceKind<'a>,
}

enum PathStep<'a> {
    Key(&'a str),
    Index(usize),
}

enum DifferenceKind<'a> {
    Values(&'a Json, &'a Json),
    Lengths(usize, usize),
    Missing(&'a str),
    Unexpected(&'a str),
    KeyOrder(&'a IndexMap<String, Json>, &'a IndexMap<String, Json>),
}

impl<'a> JsonDifference<'a> {
    fn new(kind: DifferenceKind<'a>) -> Self {
        Self { path: Vec::new(), kind }
    }

    fn below(mut self, step: PathStep<'a>) -> Self {
        self.path.push(step);
        self
    }

    /// In a sentence; `root` stands for the whole value.
    pub(crate) fn in_words(&self, root: &str) -> String {
        let path: String = self.path.iter().rev().map(PathStep::to_string).collect();
        format!("{root}{path}: {}", self.kind)
    }
}

impl fmt::Display for PathStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, ".{key}"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for DifferenceKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = |map: &IndexMap<String, Json>| cut(&format!("{:?}", map.keys().collect::<Vec<_>>()));
        match self {
            Self::Values(a, b) => write!(f, "expected {}, got {}", cut(&a.to_string()), cut(&b.to_string())),
            Self::Lengths(a, b) => write!(f, "expected {a} items, got {b}"),
            Self::Missing(key) => write!(f, "key {key:?} is missing"),
            Self::Unexpected(key) => write!(f, "key {key:?} was not expected"),
            Self::KeyOrder(a, b) => write!(f, "expected keys in the order {}, got {}", keys(a), keys(b)),
        }
    }
}

impl JsonRules {
    /// The first difference; numbers are equal by value (`1` and `1.0` are).
    pub(crate) fn difference<'a>(self, expected: &'a Json, got: &'a Json) -> Option<JsonDifference<'a>> {
        match (expected, got) {
            (Json::Object(a), Json::Object(b)) => self.object_difference(a, b),
            (Json::Array(a), Json::Array(b)) => {
                let mut items = a.iter().zip(b).enumerate();
                let differ = |(index, (a, b))| Some(self.difference(a, b)?.below(PathStep::Index(index)));
                let lengths = || JsonDifference::new(DifferenceKind::Lengths(a.len(), b.len()));
                items.find_map(differ).or_else(|| (a.len() != b.len()).then(lengths))
            }
            (Json::Number(a), Json::Number(b)) if a.is_near(b, self.tolerance) => None,
            (Json::String(a), Json::String(b)) if a == b => None,
            (Json::Bool(a), Json::Bool(b)) if a == b => None,
            (Json::Null, Json::Null) => None,
            _ => Some(JsonDifference::new(DifferenceKind::Values(expected, got))),
        }
    }

    fn object_difference<'a>(
        self,
        expected: &'a IndexMap<String, Json>,
        got: &'a IndexMap<String, Json>,
    ) -> Option<JsonDifference<'a>> {
        let mut members = expected.iter();
        let differ = |(key, value): (&'a String, &'a Json)| match got.get(key) {
            None => Some(JsonDifference::new(DifferenceKind::Missing(key))),
            Some(other) => Some(self.difference(value, other)?.below(PathStep::Key(key))),
        };
        if let Some(difference) = members.find_map(differ) {
            return Some(difference);
        }
        if let Some(key) = got.keys().find(|key| !expected.contains_key(*key)) {
            return Some(JsonDifference::new(DifferenceKind::Unexpected(key)));
        }
        let in_order = !self.key_order || expected.keys().eq(got.keys());
        (!in_order).then(|| JsonDifference::new(DifferenceKind::KeyOrder(expected, got)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// What parts two texts under these rules, in words.
    fn parts(rules: JsonRules, a: &str, b: &str) -> Option<String> {
        let [a, b] = [a, b].map(|text| Json::parse(text, &str::to_owned).unwrap());
        rules.difference(&a, &b).map(|difference| difference.in_words("$"))
    }

    const PLAIN: JsonRules = JsonRules { unordered: false, key_order: false, tolerance: 0.0 };

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        for (a, b, expected) in [
            (r#"[{"start":{"col":4}}]"#, r#"[{"start":{"col":5}}]"#, "$[0].start.col: expected 4, got 5"),
            ("[1,[2]]", "[1,[2,3]]", "$[1]: expected 1 items, got 2"),
            (r#"{"x":1}"#, "{}", "$: key \"x\" is missing"),
            ("[{}]", r#"[{"x":1}]"#, "$[0]: key \"x\" was not expected"),
            ("null", "false", "$: expected null, got false"),
            (
                "18446744073709551616",
                "18446744073709551617",
                "$: expected 18446744073709551616, got 18446744073709551617",
            ),
        ] {
            assert_eq!(parts(PLAIN, a, b).unwrap(), expected);
        }
    }

    #[test]
    fn the_order_of_keys_counts_only_where_asked() {
        let (a, b) = (r#"{"x":1,"y":2}"#, r#"{"y":2,"x":1}"#);
        assert_eq!(parts(PLAIN, a, b), None);
        let found = parts(JsonRules { key_order: true, ..PLAIN }, a, b).unwrap();
        assert_eq!(found, r#"$: expected keys in the order ["x", "y"], got ["y", "x"]"#);
    }

    #[test]
    fn a_tolerance_holds_for_numbers_at_any_depth() {
        let (a, b) = (r#"{"x":[0.1]}"#, r#"{"x":[0.100001]}"#);
        assert_eq!(parts(JsonRules { tolerance: 1e-3, ..PLAIN }, a, b), None);
        assert!(parts(PLAIN, a, b).is_some());
    }
}
