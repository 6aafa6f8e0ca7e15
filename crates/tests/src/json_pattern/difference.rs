//! Where a JSON value parts from what it must be.

use std::fmt;

use indexmap::IndexMap;

use super::{JsonPattern, Matcher};
use crate::{
    excerpt::cut,
    expect::{JsonRules, MOST_UNORDERED},
    json::Json,
    matching,
};

/// How many items may be observed where an array is to have certain ones among others: each is compared with each of them.
const MOST_SEARCHED: usize = 10 * MOST_UNORDERED;

/// The first difference of a value and its pattern: put into words only if someone is to read it, for most pairs of a multiset differ.
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
    Values(&'a JsonPattern, &'a Json),
    Lengths(usize, usize),
    Missing(&'a str),
    Unexpected(&'a str),
    KeyOrder(&'a IndexMap<String, JsonPattern>, &'a IndexMap<String, Json>),
    /// Of so many items, none is left for this one.
    Unpaired(usize, &'a JsonPattern),
    TooMany(usize),
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
        fn keys<T>(map: &IndexMap<String, T>) -> String {
            cut(&format!("{:?}", map.keys().collect::<Vec<_>>()))
        }
        match self {
            Self::Values(a, b) => write!(f, "expected {}, got {}", cut(&a.to_string()), cut(&b.to_string())),
            Self::Lengths(a, b) => write!(f, "expected {a} items, got {b}"),
            Self::Missing(key) => write!(f, "key {key:?} is missing"),
            Self::Unexpected(key) => write!(f, "key {key:?} was not expected"),
            Self::KeyOrder(a, b) => write!(f, "expected keys in the order {}, got {}", keys(a), keys(b)),
            Self::Unpaired(count, item) => write!(f, "of {count} items, none is left for {}", cut(&item.to_string())),
            Self::TooMany(count) => write!(f, "expected some of at most {MOST_SEARCHED} items, got {count}"),
        }
    }
}

impl JsonRules {
    /// The first difference; numbers are equal by value (`1` and `1.0` are).
    pub(crate) fn difference<'a>(self, expected: &'a JsonPattern, got: &'a Json) -> Option<JsonDifference<'a>> {
        let values = || JsonDifference::new(DifferenceKind::Values(expected, got));
        match (expected, got) {
            (JsonPattern::Matcher(matcher), got) => match (matcher.as_ref(), got) {
                (Matcher::Members(members), Json::Object(got)) => self.member_difference(members, got),
                (Matcher::Items(items), Json::Array(got)) => self.unpaired(items, got),
                (Matcher::Unordered(items), Json::Array(got)) => self.unordered_difference(items, got),
                (simple, got) => (!simple.fits(got)).then(values),
            },
            (JsonPattern::Object(a), Json::Object(b)) => self.object_difference(a, b),
            (JsonPattern::Array(a), Json::Array(b)) => {
                let mut items = a.iter().zip(b).enumerate();
                let differ = |(index, (a, b))| Some(self.difference(a, b)?.below(PathStep::Index(index)));
                items.find_map(differ).or_else(|| lengths(a, b))
            }
            (JsonPattern::Scalar(expected), got) => (!self.is_same(expected, got)).then(values),
            _ => Some(values()),
        }
    }

    /// Whether two values without parts are the same.
    fn is_same(self, expected: &Json, got: &Json) -> bool {
        match (expected, got) {
            (Json::Number(a), Json::Number(b)) => a.is_near(b, self.tolerance),
            (Json::String(a), Json::String(b)) => a == b,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Null, Json::Null) => true,
            _ => false,
        }
    }

    fn object_difference<'a>(
        self,
        expected: &'a IndexMap<String, JsonPattern>,
        got: &'a IndexMap<String, Json>,
    ) -> Option<JsonDifference<'a>> {
        if let Some(difference) = self.member_difference(expected, got) {
            return Some(difference);
        }
        if let Some(key) = got.keys().find(|key| !expected.contains_key(*key)) {
            return Some(JsonDifference::new(DifferenceKind::Unexpected(key)));
        }
        let in_order = !self.key_order || expected.keys().eq(got.keys());
        (!in_order).then(|| JsonDifference::new(DifferenceKind::KeyOrder(expected, got)))
    }

    /// The same of the expected members alone.
    fn member_difference<'a>(
        self,
        expected: &'a IndexMap<String, JsonPattern>,
        got: &'a IndexMap<String, Json>,
    ) -> Option<JsonDifference<'a>> {
        expected.iter().find_map(|(key, value)| match got.get(key) {
            None => Some(JsonDifference::new(DifferenceKind::Missing(key))),
            Some(other) => Some(self.difference(value, other)?.below(PathStep::Key(key))),
        })
    }

    /// Compares as multisets. The number of items is the case's own: see [`MOST_UNORDERED`].
    pub(crate) fn unordered_difference<'a>(
        self,
        expected: &'a [JsonPattern],
        got: &'a [Json],
    ) -> Option<JsonDifference<'a>> {
        lengths(expected, got).or_else(|| self.unpaired(expected, got))
    }

    /// Looks for an item of its own for each that is expected. One may fit several that are not the same, so this takes a
    /// matching.
    fn unpaired<'a>(self, expected: &'a [JsonPattern], got: &'a [Json]) -> Option<JsonDifference<'a>> {
        if got.len() > MOST_SEARCHED {
            return Some(JsonDifference::new(DifferenceKind::TooMany(got.len())));
        }
        let same = |(a, b): (&JsonPattern, &Json)| self.difference(a, b).is_none();
        let fits = |a: usize, b: usize| expected.get(a).zip(got.get(b)).is_some_and(same);
        let lost = expected.get(matching::unpaired(expected.len(), got.len(), fits)?)?;
        Some(JsonDifference::new(DifferenceKind::Unpaired(got.len(), lost)))
    }
}

impl Matcher {
    /// Whether a value fits, of matchers without patterns in them.
    fn fits(&self, got: &Json) -> bool {
        match (self, got) {
            (Self::Type(kind), got) => kind.holds(got),
            (Self::Within(bounds), Json::Number(got)) => bounds.iter().all(|(bound, limit)| bound.holds(got, limit)),
            (Self::Near { number, absolute, relative }, Json::Number(got)) => {
                number.is_near(got, absolute.max(relative * number.double().abs()))
            }
            (Self::Text(regex), Json::String(got)) => regex.is_match(got),
            _ => false,
        }
    }
}

fn lengths<'a>(expected: &[JsonPattern], got: &[Json]) -> Option<JsonDifference<'a>> {
    let kind = DifferenceKind::Lengths(expected.len(), got.len());
    (expected.len() != got.len()).then(|| JsonDifference::new(kind))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// What parts a text from a pattern under these rules, in words.
    fn parts(rules: JsonRules, a: &str, b: &str) -> Option<String> {
        let (a, b) = (JsonPattern::parse(a, &str::to_owned).unwrap(), Json::parse(b, &str::to_owned).unwrap());
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
            (r#"{"x":{"?ge":0,"?lt":3}}"#, r#"{"x":3}"#, r#"$.x: expected {"?ge":0,"?lt":3}, got 3"#),
            (r#"{"?subset":{"x":[{"?type":"null"}]}}"#, r#"{"x":[0]}"#, r#"$.x[0]: expected {"?type":"null"}, got 0"#),
            (r#"[{"?unordered":[1,2]}]"#, "[[2,3]]", "$[0]: of 2 items, none is left for 1"),
            (r#"{"?unordered":[1,2]}"#, "[2]", "$: expected 2 items, got 1"),
            (r#"{"?subset":[1,1]}"#, "[1,2,3]", "$: of 3 items, none is left for 1"),
            (r#"{"?subset":{"x":1}}"#, "[]", r#"$: expected {"?subset":{"x":1}}, got []"#),
        ] {
            assert_eq!(parts(PLAIN, a, b).unwrap(), expected);
        }
    }

    /// A pattern, what fits it, and what does not.
    #[test]
    fn a_matcher_takes_what_fits_and_nothing_else() {
        for (pattern, fitting, others) in [
            (r#"{"?type":"any"}"#, &["null", "[1]", "{}"][..], &[][..]),
            (r#"{"?type":"integer"}"#, &["1", "-0", "1.0", "1e3", "184467440737095516160"], &["1.5", "\"1\"", "null"]),
            (r#"{"?type":"number"}"#, &["1", "1.5"], &["true", "\"1\""]),
            (r#"{"?type":"boolean"}"#, &["true", "false"], &["0", "null"]),
            (r#"{"?type":"object"}"#, &["{}"], &["[]"]),
            (r#"{"?type":"array"}"#, &["[]"], &["{}"]),
            (r#"{"?type":"string"}"#, &["\"\""], &["1"]),
            (r#"{"?gt":1,"?le":2.5}"#, &["1.5", "2", "2.5"], &["1", "1.0", "2.6", "\"2\"", "null"]),
            (r#"{"?lt":-9007199254740993}"#, &["-9007199254740994", "-1e300"], &["-9007199254740993", "5"]),
            (r#"{"?near":100,"?relative":0.01}"#, &["99", "101.0", "100"], &["98.9", "101.1", "\"100\""]),
            (r#"{"?near":-100,"?absolute":1,"?relative":0.001}"#, &["-99", "-101"], &["-98.9", "100"]),
            (r#"{"?pattern":"^[0-9a-f]{4}$"}"#, &["\"00ff\""], &["\"00f\"", "1000"]),
            (r#"{"?subset":{"a":1}}"#, &[r#"{"a":1}"#, r#"{"b":2,"a":1.0}"#], &[r#"{"b":2}"#, r#"{"a":2}"#]),
            (r#"{"?subset":[2,1]}"#, &["[1,2]", "[1,3,2]"], &["[1,1]", "[]"]),
            (r#"{"?unordered":[1,{"?gt":0}]}"#, &["[1,2]", "[2,1]", "[1,1]"], &["[2,2]", "[1]", "[1,2,3]"]),
            (
                r#"[{"?unordered":[{"x":{"?unordered":[1,2]}},3]}]"#,
                &[r#"[[3,{"x":[2,1]}]]"#],
                &[r#"[[3,{"x":[2,2]}]]"#],
            ),
            (r#"{"?exactly":{"?type":"any"}}"#, &[r#"{"?type":"any"}"#], &["1", "{}"]),
        ] {
            for fits in fitting {
                assert_eq!(parts(PLAIN, pattern, fits), None, "{pattern}");
            }
            for other in others {
                assert!(parts(PLAIN, pattern, other).is_some(), "{pattern} takes {other}");
            }
        }
    }

    #[test]
    fn what_is_searched_is_bounded() {
        let long = format!("[{}1]", "1,".repeat(MOST_SEARCHED));
        let found = parts(PLAIN, r#"{"?subset":[1]}"#, &long).unwrap();
        assert_eq!(found, "$: expected some of at most 10000 items, got 10001");
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
