//! What a case expects, checked once when it is loaded.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use regex::bytes::Regex;
use serde_json::Value;
use toml::Spanned;

use crate::{
    case::check_path,
    compare::{JsonRules, parse_csv, parse_json_lines},
    error::Flaw,
    format::{ComparisonFile, ExpectFile},
    http::Captures,
    normalise::{Normaliser, normalise},
};

/// Everything one case expects. What is not named here is not compared.
#[derive(Debug, Default)]
pub struct Expectations {
    pub(crate) exit_code: Option<u8>,
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
    Json(Value, JsonRules),
    JsonLines(Vec<Value>, JsonRules),
    Csv { records: Vec<Vec<String>>, unordered: bool },
    Pattern(Regex),
    Empty(bool),
    Absent,
}

impl Expectation {
    /// With captured values in their places. Only texts and JSON have any.
    pub(crate) fn filled(&self, captures: &Captures) -> Self {
        let want = match &self.want {
            Want::Text(text) => Want::Text(captures.fill(text)),
            Want::Json(value, rules) => Want::Json(captures.fill_json(value), *rules),
            other => other.clone(),
        };
        Self { normalise: self.normalise.clone(), want }
    }
}

impl Expectations {
    pub(crate) fn new(file: Spanned<ExpectFile>) -> Result<Self, Flaw> {
        let nothing = Flaw::at(&file, "the case expects nothing; give exit_code, stdout, stderr or files");
        let ExpectFile { exit_code, stdout, stderr, files } = file.into_inner();
        if exit_code.is_none() && stdout.is_none() && stderr.is_none() && files.is_empty() {
            return Err(nothing);
        }
        let stream = |file: Option<Spanned<ComparisonFile>>| file.map(|file| expectation(file, false)).transpose();
        let mut expected_files = BTreeMap::new();
        for (path, file) in files {
            check_path(&path)?;
            expected_files.insert(path.into_inner(), expectation(file, true)?);
        }
        Ok(Self { exit_code, stdout: stream(stdout)?, stderr: stream(stderr)?, files: expected_files })
    }
}

const WAYS: &str = "text, base64, json, json_lines, csv, pattern, empty, or absent (files only)";

pub(crate) fn expectation(spanned: Spanned<ComparisonFile>, is_file: bool) -> Result<Expectation, Flaw> {
    let not_one_way = Flaw::at(&spanned, format!("give exactly one way of comparing: {WAYS}"));
    let file = spanned.into_inner();
    let options = Options::new(&file);
    let mut wants = Vec::new();
    wants.extend(file.text.as_deref().map(|text| Ok(Want::Text(normalise(text, &file.normalise)))));
    wants.extend(file.base64.as_ref().map(bytes));
    wants.extend(file.json.as_ref().map(|text| json(text, &file.normalise, options.json)));
    wants.extend(file.json_lines.as_ref().map(|text| json_lines(text, &file.normalise, options.json)));
    wants.extend(file.csv.as_ref().map(|text| csv(text, &file.normalise, options.json.unordered)));
    wants.extend(file.pattern.as_ref().map(pattern));
    wants.extend(file.empty.map(|empty| Ok(Want::Empty(empty))));
    wants.extend(file.absent.as_ref().map(|value| absent(value, is_file)));
    let want = match (wants.pop(), wants.is_empty()) {
        (Some(want), true) => want?,
        _ => return Err(not_one_way),
    };
    options.check(&want)?;
    Ok(Expectation { normalise: file.normalise, want })
}

/// The options beside a way of comparing, and where each was written.
struct Options {
    json: JsonRules,
    unordered: Option<Flaw>,
    json_only: Option<Flaw>,
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
        let sensible = |value: &f64| value.is_finite() && *value >= 0.0;
        let out_of_range = file.tolerance.as_ref().filter(|value| !sensible(value.as_ref()));
        let out_of_range = out_of_range.map(|at| Flaw::at(at, "a tolerance is a finite number from 0 on"));
        Self { json, unordered, json_only: key_order.or(tolerance), out_of_range }
    }

    fn check(self, want: &Want) -> Result<(), Flaw> {
        if let Some(flaw) = self.out_of_range {
            return Err(flaw);
        }
        let misplaced = match want {
            Want::Json(..) | Want::JsonLines(..) => None,
            Want::Csv { .. } => self.json_only,
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
    let value = serde_json::from_str(&normalise(text.as_ref(), normalisers))
        .map_err(|error| Flaw::at(text, format!("the expected value is not JSON: {error}")))?;
    if rules.unordered && !matches!(value, Value::Array(_)) {
        return Err(Flaw::at(text, "unordered with json needs an array at the top"));
    }
    Ok(Want::Json(value, rules))
}

fn json_lines(text: &Spanned<String>, normalisers: &[Normaliser], rules: JsonRules) -> Result<Want, Flaw> {
    parse_json_lines(&normalise(text.as_ref(), normalisers))
        .map(|values| Want::JsonLines(values, rules))
        .map_err(|error| Flaw::at(text, format!("the expected text is not JSON Lines: {error}")))
}

fn csv(text: &Spanned<String>, normalisers: &[Normaliser], unordered: bool) -> Result<Want, Flaw> {
    parse_csv(&normalise(text.as_ref(), normalisers))
        .map(|records| Want::Csv { records, unordered })
        .map_err(|error| Flaw::at(text, format!("the expected text is not CSV: {error}")))
}

fn pattern(text: &Spanned<String>) -> Result<Want, Flaw> {
    Regex::new(text.as_ref()).map(Want::Pattern).map_err(|error| Flaw::at(text, error.to_string()))
}

fn absent(value: &Spanned<bool>, is_file: bool) -> Result<Want, Flaw> {
    match (is_file, *value.as_ref()) {
        (true, true) => Ok(Want::Absent),
        (true, false) => Err(Flaw::at(value, "say what the file holds instead of absent = false")),
        (false, _) => Err(Flaw::at(value, "absent is for files; an empty stream is empty = true")),
    }
}
