//! What a case expects, checked once when it is loaded.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use regex::bytes::Regex;
use slopbench_sandbox::signal_number;
use toml::Spanned;

use crate::{
    error::Flaw,
    exit_code::ExitCode,
    expect_format::{ArchiveFile, ComparisonFile, ExpectFile, QueryFile},
    http::Captures,
    inspect::{ArchiveKind, QueryExpectation, WAL, check_query},
    json_pattern::JsonPattern,
    normalise::{Normaliser, normalise, normalise_string, read_csv, read_pattern, read_pattern_lines},
    paths::check_path,
};

/// How many items may be compared without regard to order. Each is compared with each observed, in the worst case.
pub(crate) const MOST_UNORDERED: usize = 1000;

/// Everything one case expects. What is not named here is not compared.
#[derive(Debug, Default)]
pub struct Expectations {
    pub(crate) exit_code: Option<ExitCode>,
    /// The signal that ends the program, by its number.
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: Option<Expectation>,
    pub(crate) stderr: Option<Expectation>,
    pub(crate) files: BTreeMap<String, Expectation>,
}

/// What some observed bytes must be.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub(crate) normalise: Vec<Normaliser>,
    pub(crate) want: Want,
}

/// A way of comparing, with the expected side already normalised and parsed.
#[derive(Clone, Debug)]
pub(crate) enum Want {
    Text(String),
    Bytes(Vec<u8>),
    Json(JsonPattern, JsonRules),
    JsonLines(Vec<JsonPattern>, JsonRules),
    Csv { records: Vec<Vec<String>>, unordered: bool },
    Pattern(Regex),
    Sqlite(Vec<QueryExpectation>),
    Archive(MemberExpectations),
    Empty(bool),
    Absent,
}

/// What an archive must hold.
#[derive(Clone, Debug)]
pub(crate) struct MemberExpectations {
    pub(crate) kind: ArchiveKind,
    /// Whether it may hold no other file.
    pub(crate) only: bool,
    pub(crate) files: BTreeMap<String, Expectation>,
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

impl Expectation {
    /// With captured values in their places, normalised as the rest is. Only texts and JSON have any.
    pub(crate) fn filled(&self, captures: &Captures) -> Self {
        let string = |text: &str| normalise_string(text, &self.normalise);
        let want = match &self.want {
            Want::Text(text) => Want::Text(normalise(&captures.fill(text), &self.normalise)),
            Want::Json(value, rules) => Want::Json(value.filled(captures, &string), *rules),
            other => other.clone(),
        };
        Self { normalise: self.normalise.clone(), want }
    }
}

impl Expectations {
    pub(crate) fn new(file: Spanned<ExpectFile>) -> Result<Self, Flaw> {
        let nothing = Flaw::at(&file, "the case expects nothing; give exit_code, signal, stdout, stderr or files");
        let ExpectFile { exit_code, signal, stdout, stderr, files } = file.into_inner();
        if let Some(signal) = signal.as_ref().filter(|_| exit_code.is_some()) {
            return Err(Flaw::at(signal, "a program ends with exit_code or by signal, not both"));
        }
        let signal = signal.map(|name| number(&name)).transpose()?;
        if exit_code.is_none() && signal.is_none() && stdout.is_none() && stderr.is_none() && files.is_empty() {
            return Err(nothing);
        }
        let stream = |file: Option<Spanned<ComparisonFile>>| file.map(|file| expectation(file, false)).transpose();
        Ok(Self { exit_code, signal, stdout: stream(stdout)?, stderr: stream(stderr)?, files: expected_files(files)? })
    }

    /// The files to look at: those that something is expected of, and what belongs to them.
    pub(crate) fn paths(&self) -> Vec<String> {
        wanted(&self.files).into_iter().collect()
    }
}

/// What is expected of each of some files.
fn expected_files(
    files: BTreeMap<Spanned<String>, Spanned<ComparisonFile>>,
) -> Result<BTreeMap<String, Expectation>, Flaw> {
    let expected = |(path, file): (Spanned<String>, Spanned<ComparisonFile>)| {
        check_path(&path)?;
        Ok((path.into_inner(), expectation(file, true)?))
    };
    files.into_iter().map(expected).collect()
}

/// The names of these files, and of what belongs to them.
pub(crate) fn wanted(files: &BTreeMap<String, Expectation>) -> BTreeSet<String> {
    let logs = files.iter().filter(|(_, expectation)| matches!(expectation.want, Want::Sqlite(_)));
    files.keys().cloned().chain(logs.map(|(path, _)| format!("{path}{WAL}"))).collect()
}

const WAYS: &str = "text, base64, json, json_lines, csv, pattern, empty, or (of files) sqlite, archive, absent";

pub(crate) fn expectation(spanned: Spanned<ComparisonFile>, is_file: bool) -> Result<Expectation, Flaw> {
    let not_one_way = Flaw::at(&spanned, format!("give exactly one way of comparing: {WAYS}"));
    let mut file = spanned.into_inner();
    let options = Options::new(&file);
    let normalisers = file.normalise.take().map(Spanned::into_inner).unwrap_or_default();
    let mut wants = Vec::new();
    wants.extend(file.text.as_deref().map(|text| Ok(Want::Text(normalise(text, &normalisers)))));
    wants.extend(file.base64.as_ref().map(bytes));
    wants.extend(file.json.as_ref().map(|text| json(text, &normalisers, options.json)));
    wants.extend(file.json_lines.as_ref().map(|text| json_lines(text, &normalisers, options.json)));
    wants.extend(file.csv.as_ref().map(|text| csv(text, &normalisers, options.json.unordered)));
    wants.extend(file.pattern.as_ref().map(pattern));
    wants.extend(file.sqlite.take().map(|queries| sqlite(queries, is_file)));
    wants.extend(file.archive.take().map(|members| archive(members, is_file)));
    wants.extend(file.empty.map(|empty| Ok(Want::Empty(empty))));
    wants.extend(file.absent.as_ref().map(|value| absent(value, is_file)));
    let want = match (wants.pop(), wants.is_empty()) {
        (Some(want), true) => want?,
        _ => return Err(not_one_way),
    };
    options.check(&want)?;
    Ok(Expectation { normalise: normalisers, want })
}

/// The options beside a way of comparing, and where each was written.
struct Options {
    json: JsonRules,
    unordered: Option<Flaw>,
    json_only: Option<Flaw>,
    text_only: Option<Flaw>,
    sorts: Option<Flaw>,
    out_of_range: Option<Flaw>,
}

impl Options {
    fn new(file: &ComparisonFile) -> Self {
        let flag = |value: &Option<Spanned<bool>>| value.as_ref().is_some_and(|value| *value.as_ref());
        let json = JsonRules {
            unordered: flag(&file.unordered),
            key_order: flag(&file.key_order),
            tolerance: file.tolerance.as_ref().map_or(0.0, |value| *value.as_ref()),
        };
        let unordered = file.unordered.as_ref().map(|at| Flaw::at(at, "unordered goes with json, json_lines or csv"));
        let key_order = file.key_order.as_ref().map(|at| Flaw::at(at, "key_order goes with json or json_lines"));
        let tolerance = file.tolerance.as_ref().map(|at| Flaw::at(at, "tolerance goes with json or json_lines"));
        let normalise = file.normalise.as_ref();
        let text_only = normalise.map(|at| Flaw::at(at, "normalise goes with what is text, not with base64 or absent"));
        let sorts = normalise.filter(|list| list.as_ref().contains(&Normaliser::SortLines));
        let sorts = sorts.map(|at| Flaw::at(at, "sort_lines would sort JSON as it is written: give unordered = true"));
        let sensible = |value: &f64| value.is_finite() && *value >= 0.0;
        let out_of_range = file.tolerance.as_ref().filter(|value| !sensible(value.as_ref()));
        let out_of_range = out_of_range.map(|at| Flaw::at(at, "a tolerance is a finite number from 0 on"));
        Self { json, unordered, json_only: key_order.or(tolerance), text_only, sorts, out_of_range }
    }

    fn check(self, want: &Want) -> Result<(), Flaw> {
        if let Some(flaw) = self.out_of_range {
            return Err(flaw);
        }
        let misplaced = match want {
            Want::Json(..) | Want::JsonLines(..) => self.sorts,
            Want::Csv { .. } => self.json_only,
            Want::Bytes(_) | Want::Sqlite(_) | Want::Archive(_) | Want::Absent => {
                self.text_only.or(self.unordered).or(self.json_only)
            }
            _ => self.unordered.or(self.json_only),
        };
        misplaced.map_or(Ok(()), Err)
    }
}

fn bytes(text: &Spanned<String>) -> Result<Want, Flaw> {
    decode_base64(text).map(Want::Bytes)
}

/// Decodes base64; white space between the digits is allowed.
pub(crate) fn decode_base64(text: &Spanned<String>) -> Result<Vec<u8>, Flaw> {
    let digits: String = text.as_ref().split_whitespace().collect();
    BASE64_STANDARD.decode(digits).map_err(|error| Flaw::at(text, format!("not base64: {error}")))
}

fn json(text: &Spanned<String>, normalisers: &[Normaliser], rules: JsonRules) -> Result<Want, Flaw> {
    let value = read_pattern(text.as_ref(), normalisers)
        .map_err(|error| Flaw::at(text, format!("the expected value is {error}")))?;
    match &value {
        JsonPattern::Array(items) => check_count(text, rules.unordered, items.len())?,
        _ if rules.unordered => return Err(Flaw::at(text, "unordered with json needs an array at the top")),
        _ => {}
    }
    Ok(Want::Json(value, rules))
}

fn json_lines(text: &Spanned<String>, normalisers: &[Normaliser], rules: JsonRules) -> Result<Want, Flaw> {
    let values = read_pattern_lines(text.as_ref(), normalisers)
        .map_err(|error| Flaw::at(text, format!("the expected text is not JSON Lines: {error}")))?;
    check_count(text, rules.unordered, values.len())?;
    Ok(Want::JsonLines(values, rules))
}

fn csv(text: &Spanned<String>, normalisers: &[Normaliser], unordered: bool) -> Result<Want, Flaw> {
    let records = read_csv(&normalise(text.as_ref(), normalisers))
        .map_err(|error| Flaw::at(text, format!("the expected text is not CSV: {error}")))?;
    check_count(text, unordered, records.len())?;
    Ok(Want::Csv { records, unordered })
}

fn check_count(text: &Spanned<String>, unordered: bool, count: usize) -> Result<(), Flaw> {
    if unordered && count > MOST_UNORDERED {
        let message = format!("at most {MOST_UNORDERED} items are compared without regard to order, these are {count}");
        return Err(Flaw::at(text, message));
    }
    Ok(())
}

fn pattern(text: &Spanned<String>) -> Result<Want, Flaw> {
    Regex::new(text.as_ref()).map(Want::Pattern).map_err(|error| Flaw::at(text, error.to_string()))
}

fn sqlite(queries: Spanned<Vec<QueryFile>>, is_file: bool) -> Result<Want, Flaw> {
    if !is_file || queries.as_ref().is_empty() {
        return Err(Flaw::at(&queries, "sqlite is for files, each with at least one query and its rows"));
    }
    let query = |QueryFile { query, rows }| {
        check_query(query.as_ref()).map_err(|error| Flaw::at(&query, error))?;
        let pattern = read_pattern(rows.as_ref(), &[]);
        let pattern = pattern.map_err(|error| Flaw::at(&rows, format!("the expected rows are {error}")))?;
        Ok(QueryExpectation { query: query.into_inner(), rows: pattern })
    };
    queries.into_inner().into_iter().map(query).collect::<Result<_, _>>().map(Want::Sqlite)
}

fn archive(members: Spanned<ArchiveFile>, is_file: bool) -> Result<Want, Flaw> {
    let nothing = "archive is for files, with `files` that it holds, or `only = true`";
    if !is_file || members.as_ref().files.is_empty() && !members.as_ref().only {
        return Err(Flaw::at(&members, nothing));
    }
    let ArchiveFile { kind, only, files } = members.into_inner();
    Ok(Want::Archive(MemberExpectations { kind, only, files: expected_files(files)? }))
}

fn absent(value: &Spanned<bool>, is_file: bool) -> Result<Want, Flaw> {
    match (is_file, *value.as_ref()) {
        (true, true) => Ok(Want::Absent),
        (true, false) => Err(Flaw::at(value, "say what the file holds instead of absent = false")),
        (false, _) => Err(Flaw::at(value, "absent is for files; an empty stream is empty = true")),
    }
}

/// The number of a signal that a case names.
pub(crate) fn number(name: &Spanned<String>) -> Result<i32, Flaw> {
    let unknown = || Flaw::at(name, format!("`{}` is no signal's name: expected one as SIGTERM", name.as_ref()));
    signal_number(name.as_ref()).ok_or_else(unknown)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::json::Json;

    /// An expectation as a case has it.
    fn expectation_of(text: &str) -> Expectation {
        let file: BTreeMap<String, Spanned<ComparisonFile>> = toml::from_str(text).unwrap();
        let file = file.into_values().next().unwrap();
        expectation(file, true).unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn captured_values_are_normalised_as_the_rest_is() {
        let mut captures = Captures::default();
        captures.keep("name", Json::String("Ada  L".to_owned()));
        captures.keep("whole", Json::parse(r#"{"Key": "V"}"#, &str::to_owned).unwrap());
        for (expected, observed) in [
            (r#"body = { text = "by ${name}\n", normalise = ["lowercase", "collapse_spaces"] }"#, "By ADA L\n"),
            (r#"body = { text = "by ${name}", normalise = ["trim"] }"#, " by Ada  L\n"),
            (
                r#"body = { json = '["${name}", "of ${name}"]', normalise = ["lowercase"] }"#,
                r#"["ADA  l", "OF ada  l"]"#,
            ),
            (r#"body = { json = '["${whole}"]', normalise = ["lowercase"] }"#, r#"[{"KEY": "v"}]"#),
        ] {
            let found = expectation_of(expected).filled(&captures).check("body", observed.as_bytes());
            assert!(found.is_none(), "{expected}: {found:?}");
        }
    }

    #[test]
    fn what_an_answer_leaves_ambiguous_is_a_mismatch_that_says_so() {
        let same = expectation_of(r#"body = { json = '{"a": 1}' }"#);
        let found = same.check("body", br#"{"a": 2, "a": 1}"#).unwrap();
        assert_eq!(found.detail, r#"ambiguous JSON: the key "a" stands twice in one object: "{\"a\": 2, \"a\": 1}""#);
        let lines = expectation_of("body = { json_lines = '{}' }");
        let found = lines.check("body", br#"{"a": 2, "a": 1}"#).unwrap();
        assert!(found.detail.starts_with("line 1: ambiguous JSON: the key \"a\""), "{found:?}");
    }

    #[test]
    fn integers_of_any_size_are_compared_exactly() {
        let same = expectation_of("body = { json = '[18446744073709551616]' }");
        assert!(same.check("body", b"[18446744073709551616]").is_none());
        let found = same.check("body", b"[18446744073709551617]").unwrap();
        assert_eq!(found.detail, "$[0]: expected 18446744073709551616, got 18446744073709551617");
    }

    #[test]
    fn a_multiset_with_a_tolerance_is_matched_as_a_whole() {
        let near = expectation_of("body = { json = '[1.0, 2.0]', unordered = true, tolerance = 0.5 }");
        assert!(near.check("body", b"[1.5, 0.5]").is_none());
        let found = near.check("body", b"[0.5, 0.6]").unwrap();
        assert_eq!(found.detail, "of the 2 records observed, none is left for the expected record 2");
        assert_eq!(near.check("body", b"[1, 2, 3]").unwrap().detail, "expected 2 records, got 3");
    }
}
