//! What Ruff found, as it says it in JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{LintError, RuleFamilies};

/// What becomes of files that are linted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LintOutcome {
    /// They were read, but for what could not be parsed.
    Found(LintFindings),
    /// They were not, so that nobody knows how many findings there are: why, in one sentence.
    Unread(String),
}

/// The findings of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintFindings {
    /// How many files were read.
    pub files: u64,
    /// How many findings there are.
    pub errors: u64,
    /// The same by rule, such as `SIM102`; no rule without one.
    pub rules: BTreeMap<String, u64>,
    /// The files that Ruff cannot parse, in which nothing is found.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unparsed: BTreeSet<String>,
}

/// One finding; what else Ruff says of it is passed over.
#[derive(Deserialize)]
struct Finding {
    /// The rule, or what is wrong with a file that cannot be parsed.
    code: Option<String>,
    filename: String,
}

/// Reads what Ruff wrote of `files` files below the folder `below`, some of which it may not have parsed.
pub(crate) fn read(json: &[u8], files: usize, below: &str, families: &RuleFamilies) -> Result<LintFindings, LintError> {
    let findings: Vec<Finding> =
        serde_json::from_slice(json).map_err(|error| LintError::Answer(format!("expected its findings: {error}")))?;
    let mut rules: BTreeMap<String, u64> = BTreeMap::new();
    let mut unparsed = BTreeSet::new();
    for Finding { code, filename } in findings {
        match code {
            Some(code) if families.has(&code) => *rules.entry(code).or_default() += 1,
            Some(code) if code != INVALID => {
                return Err(LintError::Answer(format!("{code} is of no family that it was asked for")));
            }
            _ => _ = unparsed.insert(filename.split_once(below).map_or(filename.clone(), |(_, path)| path.to_owned())),
        }
    }
    let files = files.saturating_sub(unparsed.len()) as u64;
    Ok(LintFindings { files, errors: rules.values().sum(), rules, unparsed })
}

/// The code of what is wrong with a file that cannot be parsed.
const INVALID: &str = "invalid-syntax";

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by hand: three findings of two rules in two files.
    const FOUND: &[u8] = include_bytes!("../tests/fixtures/found.json");

    fn families() -> RuleFamilies {
        RuleFamilies::built_in().unwrap()
    }

    #[test]
    fn findings_are_counted_by_rule() {
        let expected = [("PLR2004".to_owned(), 2), ("SIM102".to_owned(), 1)].into();
        let expected = LintFindings { files: 4, errors: 3, rules: expected, ..LintFindings::default() };
        assert_eq!(read(FOUND, 4, "/files/", &families()).unwrap(), expected);
        let none = LintFindings { files: 4, ..LintFindings::default() };
        assert_eq!(read(b"[]", 4, "/files/", &families()).unwrap(), none, "0 is a count, too");
    }

    #[test]
    fn files_that_are_not_parsed_are_named_and_not_counted() {
        let found = String::from_utf8(FOUND.to_vec()).unwrap();
        for code in ["\"invalid-syntax\"", "null"] {
            let unread = found.replace("\"SIM102\"", code);
            let found = read(unread.as_bytes(), 4, "/files/", &families()).unwrap();
            assert_eq!((found.files, found.errors, found.unparsed), (3, 2, ["app.py".to_owned()].into()));
        }
    }

    #[test]
    fn an_answer_to_another_question_is_refused() {
        let other = String::from_utf8(FOUND.to_vec()).unwrap().replace("SIM102", "D100");
        for (json, expected) in [(other.as_bytes(), "D100 is of no family"), (b"{}", "expected its findings")] {
            let error = read(json, 4, "/files/", &families()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
