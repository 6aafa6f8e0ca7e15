//! Comparing observed bytes with an expectation, and telling where they part.

use std::{collections::BTreeMap, fmt::Display};

use regex::bytes::Regex;
use serde::Serialize;
use slopbench_sandbox::Collected;

use crate::{
    excerpt::{EXCERPT_CHARS, excerpt},
    expect::{Expectation, JsonRules, MemberExpectations, Want, wanted},
    inspect::{self, QueryExpectation, WAL},
    json::Json,
    json_pattern::JsonPattern,
    matching,
    normalise::{Normaliser, normalise, read_csv, read_json, read_json_lines},
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

/// A detail and a diff; the caller knows what was compared.
type Difference = (String, String);

impl Expectation {
    /// `None` where `observed` is as expected; `what` names it in the answer.
    pub(crate) fn check(&self, what: &str, observed: &[u8]) -> Option<Mismatch> {
        let (detail, diff) = self.difference(observed)?;
        Some(Mismatch { what: what.to_owned(), detail, diff })
    }

    /// The same of the file at `path`, among what was found of `files`.
    pub(crate) fn check_file(&self, path: &str, files: &BTreeMap<String, Collected>) -> Option<Mismatch> {
        let problem = match (self.is_absent(), files.get(path).unwrap_or(&Collected::Missing)) {
            (false, Collected::File(bytes)) => {
                let (detail, diff) = match &self.want {
                    Want::Sqlite(queries) => queries_difference(queries, bytes, files.get(&format!("{path}{WAL}"))),
                    _ => self.difference(bytes),
                }?;
                return Some(Mismatch { what: format!("file {path}"), detail, diff });
            }
            (true, Collected::Missing) => return None,
            (true, _) => "expected not to exist, but it does",
            (false, Collected::Missing) => "expected a file, there is none",
            (false, Collected::NotAFile) => "expected a regular file, found something else",
            (false, Collected::TooLarge) => "the file is larger than the limit",
        };
        Some(Mismatch::sentence(&format!("file {path}"), problem.to_owned()))
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
            Want::Sqlite(queries) => queries_difference(queries, observed, None),
            Want::Archive(members) => members_difference(members, observed),
            Want::Absent => Some(("expected not to exist, but it does".to_owned(), String::new())),
            text_like => match std::str::from_utf8(observed) {
                Ok(text) => text_like.text_difference(text, &self.normalise),
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
    fn text_difference(&self, observed: &str, normalisers: &[Normaliser]) -> Option<Difference> {
        match self {
            Self::Text(expected) => text_difference(expected, &normalise(observed, normalisers)),
            Self::Json(expected, rules) => match read_json(observed, normalisers) {
                Ok(value) => json_difference(expected, *rules, &value),
                Err(error) => Some((format!("{error}: {}", excerpt(observed)), String::new())),
            },
            Self::JsonLines(expected, rules) => match read_json_lines(observed, normalisers) {
                Ok(values) => json_lines_difference(expected, *rules, &values),
                Err(error) => Some((error, String::new())),
            },
            Self::Csv { records, unordered } => csv_difference(records, *unordered, &normalise(observed, normalisers)),
            Self::Bytes(_) | Self::Pattern(_) | Self::Empty(_) | Self::Absent | Self::Sqlite(_) | Self::Archive(_) => {
                None
            }
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

fn queries_difference(queries: &[QueryExpectation], database: &[u8], wal: Option<&Collected>) -> Option<Difference> {
    let wal = wal.and_then(|wal| if let Collected::File(bytes) = wal { Some(bytes.as_slice()) } else { None });
    queries.iter().find_map(|QueryExpectation { query, rows }| {
        let found = inspect::query(database, wal, query).and_then(|found| Json::parse(&found, &str::to_owned));
        let (detail, diff) = match found {
            Ok(found) => json_difference(rows, JsonRules::default(), &found)?,
            Err(error) => (error, String::new()),
        };
        Some((format!("of {}: {detail}", excerpt(query)), diff))
    })
}

fn members_difference(expected: &MemberExpectations, observed: &[u8]) -> Option<Difference> {
    let found = match inspect::members(expected.kind, observed, &wanted(&expected.files)) {
        Ok(found) => found,
        Err(error) => return Some((format!("cannot be unpacked: {error}"), String::new())),
    };
    let mismatch = expected.files.iter().find_map(|(name, expectation)| expectation.check_file(name, &found));
    if let Some(Mismatch { what, detail, diff }) = mismatch {
        return Some((format!("in it, {what}: {detail}"), diff));
    }
    let other = found.keys().find(|name| expected.only && !expected.files.contains_key(*name))?;
    Some((format!("in it, file {} was not expected", excerpt(other)), String::new()))
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

fn json_difference(expected: &JsonPattern, rules: JsonRules, observed: &Json) -> Option<Difference> {
    let detail = match (expected, observed) {
        (JsonPattern::Array(expected), Json::Array(got)) if rules.unordered => {
            multiset(expected, got, |a, b| rules.difference(a, b).is_none())
        }
        _ => rules.difference(expected, observed).map(|difference| difference.in_words("$")),
    }?;
    Some((detail, diff(&(expected.pretty() + "\n"), &(observed.pretty() + "\n"))))
}

fn json_lines_difference(expected: &[JsonPattern], rules: JsonRules, observed: &[Json]) -> Option<Difference> {
    let detail = if rules.unordered {
        multiset(expected, observed, |a, b| rules.difference(a, b).is_none())
    } else {
        let differ =
            |number, a: &JsonPattern, b: &Json| Some(rules.difference(a, b)?.in_words(&format!("line {number}: $")));
        sequence(expected, observed, differ)
    }?;
    Some((detail, diff(&lines(expected), &lines(observed))))
}

fn lines<T: Display>(values: &[T]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn csv_difference(expected: &[Vec<String>], unordered: bool, observed: &str) -> Option<Difference> {
    let got = match read_csv(observed) {
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
fn sequence<A, B>(expected: &[A], got: &[B], differ: impl Fn(usize, &A, &B) -> Option<String>) -> Option<String> {
    let pairs = expected.iter().zip(got).enumerate();
    pairs
        .filter_map(|(index, (a, b))| differ(index + 1, a, b))
        .next()
        .or_else(|| (expected.len() != got.len()).then(|| records(expected.len(), got.len())))
}

/// Compares without regard to order. With a tolerance, an item may be the same as several that are not the same as each
/// other, so this takes a matching. The number of items is the case's own: see [`MOST_UNORDERED`](crate::expect::MOST_UNORDERED).
fn multiset<A, B>(expected: &[A], got: &[B], same: impl Fn(&A, &B) -> bool) -> Option<String> {
    if expected.len() != got.len() {
        return Some(records(expected.len(), got.len()));
    }
    let fits = |a: usize, b: usize| expected.get(a).zip(got.get(b)).is_some_and(|(a, b)| same(a, b));
    let lost = matching::unpaired(expected.len(), got.len(), fits)?;
    let count = expected.len();
    Some(format!("of the {count} records observed, none is left for the expected record {}", lost + 1))
}

fn records(expected: usize, got: usize) -> String {
    format!("expected {expected} records, got {got}")
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
    slopbench_diff::marked(&window(expected), &window(observed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiset_counts_repetitions() {
        let same = |a: &i32, b: &i32| a == b;
        assert_eq!(multiset(&[1, 2, 2], &[2, 1, 2], same), None);
        assert!(multiset(&[1, 2, 2], &[1, 1, 2], same).is_some());
        assert!(multiset(&[1], &[1, 1], same).is_some());
    }

    #[test]
    fn with_a_tolerance_a_multiset_is_matched_as_a_whole() {
        let near = |a: &f64, b: &f64| (a - b).abs() <= 0.5;
        assert_eq!(multiset(&[1.0, 2.0], &[1.5, 0.5], near), None);
        assert_eq!(multiset(&[1.0, 1.5, 2.0], &[2.5, 0.5, 1.5], near), None);
        assert!(multiset(&[1.0, 2.0], &[0.5, 0.6], near).is_some());
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
        let want = Want::Json(JsonPattern::Array(Vec::new()), JsonRules::default());
        let (detail, _) = want.text_difference(&"[".repeat(100_000), &[]).unwrap();
        assert!(detail.starts_with("not JSON"), "{detail}");
    }
}
