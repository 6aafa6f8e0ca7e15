//! Fixtures: snippets that a rule must match and snippets that it must not, in ast-grep's own test format.
//!
//! Beside them, a fixture may have the key `runs`, which ast-grep passes over: a program that shows that the rule's two
//! examples behave alike.
//!
//! A fixture file is named `*-test.yml` (or `.yaml`) and says `id`, `valid` and `invalid`. It lies beside the rules or
//! in a folder below them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

use super::load::{self, YamlFile};
use super::{RuleError, RuleSet};
use crate::{languages, measure_sources};

/// Rules with their fixtures.
#[derive(Debug)]
pub struct Fixtures {
    rules: RuleSet,
    files: Vec<(String, Fixture)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    id: Spanned<String>,
    #[serde(default)]
    valid: Vec<Spanned<String>>,
    #[serde(default)]
    invalid: Vec<Spanned<String>>,
    /// A Python program with `...` where an example goes; see [`Example`].
    runs: Option<String>,
    #[serde(default)]
    aside: Vec<String>,
    #[serde(default)]
    unreached: Vec<u32>,
}

/// The two examples of a rule's note, and a program in which they can be run and compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The rule's id.
    pub rule: String,
    /// The code as it is: the first `invalid` snippet.
    pub bad: String,
    /// The code as it could be: the first `valid` snippet.
    pub good: String,
    /// The fixture's `runs`: a Python program with `...` where an example goes, which gives it its inputs.
    pub program: String,
    /// Variables whose values afterwards may differ; the rule's note says so.
    pub aside: Vec<String>,
    /// Lines of the bad example that no input reaches, from 1.
    pub unreached: Vec<u32>,
}

/// What running fixtures showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FixtureReport {
    /// Snippets that were tried.
    pub snippets: usize,
    /// Whatever did not behave.
    pub complaints: Vec<Complaint>,
    /// Rules without a fixture.
    pub untested: Vec<String>,
}

/// One thing that did not behave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// The fixture file.
    pub file: String,
    /// The line in it where the snippet begins, or that of the fixture's `id`.
    pub line: u64,
    /// The rule's id.
    pub rule: String,
    /// What is wrong.
    pub problem: FixtureProblem,
}

/// What can be wrong with a snippet or a fixture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FixtureProblem {
    /// An `invalid` snippet that the rule does not match.
    Missed,
    /// A `valid` snippet that the rule matches, at this line of the snippet.
    FalseMatch(u32),
    /// A snippet that is no program, and why.
    NoProgram(String),
    /// There is no rule with this id.
    UnknownRule,
    /// The fixture lacks snippets of one kind.
    OneSided,
}

impl fmt::Display for FixtureProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missed => f.write_str("the rule does not match this `invalid` snippet"),
            Self::FalseMatch(line) => write!(f, "the rule matches this `valid` snippet, at its line {line}"),
            Self::NoProgram(detail) => write!(f, "the snippet cannot be measured: {detail}"),
            Self::UnknownRule => f.write_str("no active rule has this id"),
            Self::OneSided => f.write_str("the fixture needs both `valid` and `invalid` snippets"),
        }
    }
}

impl Fixtures {
    /// The rules that come with the crate, and their fixtures.
    ///
    /// # Errors
    ///
    /// Never for a released crate, whose rules are tested.
    pub fn builtin() -> Result<Self, RuleError> {
        Self::new(RuleSet::builtin()?, load::embedded(super::BUILTIN_FIXTURES, load::is_fixture))
    }

    /// The rules at `path`, as [`RuleSet::load`] reads them, and the fixtures below it; of a single rule file, the
    /// fixtures below its folder that are its own.
    ///
    /// # Errors
    ///
    /// Those of [`RuleSet::load`], also where a fixture cannot be read; and if there is no fixture at all.
    pub fn load(path: &Path) -> Result<Self, RuleError> {
        let rules = RuleSet::load(path)?;
        let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
        let mut this = Self::new(rules, load::below(folder, load::is_fixture)?)?;
        if path.is_file() {
            this.files.retain(|(_, fixture)| this.rules.ids().contains(&fixture.id.value));
        }
        if this.files.is_empty() {
            return Err(RuleError {
                file: path.to_owned(),
                line: None,
                message: "no fixture for it".to_owned(),
                help: "write `<id>-test.yml` with `id`, `valid` and `invalid` beside the rules or below them",
            });
        }
        Ok(this)
    }

    fn new(rules: RuleSet, files: Vec<YamlFile>) -> Result<Self, RuleError> {
        let read = |file: YamlFile| Ok((file.at.display().to_string(), parse(&file)?));
        Ok(Fixtures { rules, files: files.into_iter().map(read).collect::<Result<_, _>>()? })
    }

    /// The examples that can be run, in the order of the fixture files.
    pub fn examples(&self) -> Vec<Example> {
        let runnable = self.files.iter().filter_map(|(_, fixture)| {
            Some(Example {
                rule: fixture.id.value.clone(),
                bad: fixture.invalid.first()?.value.clone(),
                good: fixture.valid.first()?.value.clone(),
                program: fixture.runs.clone()?,
                aside: fixture.aside.clone(),
                unreached: fixture.unreached.clone(),
            })
        });
        runnable.collect()
    }

    /// Tries every snippet, as the only file that is measured.
    pub fn run(&self) -> FixtureReport {
        let tested: BTreeSet<&String> = self.files.iter().map(|(_, fixture)| &fixture.id.value).collect();
        FixtureReport {
            snippets: self.files.iter().map(|(_, fixture)| fixture.valid.len() + fixture.invalid.len()).sum(),
            complaints: self.files.iter().flat_map(|(file, fixture)| self.complaints(file, fixture)).collect(),
            untested: self.rules.ids().iter().filter(|id| !tested.contains(id)).cloned().collect(),
        }
    }

    fn complaints(&self, file: &str, fixture: &Fixture) -> Vec<Complaint> {
        let id = &fixture.id.value;
        let complaint = |line: &Spanned<String>, problem| Complaint {
            file: file.to_owned(),
            line: line.referenced.line(),
            rule: id.clone(),
            problem,
        };
        let Some(rule) = self.rules.descriptions().iter().find(|rule| rule.id == *id) else {
            return vec![complaint(&fixture.id, FixtureProblem::UnknownRule)];
        };
        if fixture.valid.is_empty() || fixture.invalid.is_empty() {
            return vec![complaint(&fixture.id, FixtureProblem::OneSided)];
        }
        let snippets = fixture.valid.iter().map(|snippet| (snippet, false));
        let snippets = snippets.chain(fixture.invalid.iter().map(|snippet| (snippet, true)));
        let tried = snippets.filter_map(|(snippet, matches)| {
            let problem = self.problem(id, &rule.language, &snippet.value, matches)?;
            Some(complaint(snippet, problem))
        });
        tried.collect()
    }

    /// What is wrong with the rule on one snippet that it should match, or not, in the first of its languages where
    /// something is.
    fn problem(&self, id: &str, languages: &str, snippet: &str, should_match: bool) -> Option<FixtureProblem> {
        languages.split(", ").find_map(|language| self.problem_in(language, id, snippet, should_match))
    }

    fn problem_in(&self, language: &str, id: &str, snippet: &str, should_match: bool) -> Option<FixtureProblem> {
        let table = languages::ALL.iter().find(|known| known.grammar.to_string() == language);
        let extension = table.and_then(|known| known.extensions.first()).unwrap_or(&"");
        let sources = [(format!("snippet.{extension}"), snippet.as_bytes().to_owned())];
        let measurement = measure_sources(&sources, &self.rules);
        if let Some(skipped) = measurement.skipped.first() {
            return Some(FixtureProblem::NoProgram(skipped.detail.clone()));
        }
        let found = measurement.matches.iter().find(|found| found.rule == id);
        match (found, should_match) {
            (Some(found), false) => Some(FixtureProblem::FalseMatch(found.start_line)),
            (None, true) => Some(FixtureProblem::Missed),
            _ => None,
        }
    }
}

fn parse(file: &YamlFile) -> Result<Fixture, RuleError> {
    let text = load::text(file)?;
    ast_grep_config::from_str(text).map_err(|invalid| {
        load::invalid_yaml(file, &invalid, "write one YAML document with `id`, `valid` and `invalid`")
    })
}
