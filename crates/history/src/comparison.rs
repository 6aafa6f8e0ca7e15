//! What a comparison is: the one definition of the format `slopbench.comparison/2`.
//!
//! Files are the same if they have the same path: a file that moved vanished in one place and is new in another.
//! A line stayed if the line diff says so ([Myers's algorithm](https://doi.org/10.1007/BF01840446), as `git diff` takes it).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Number;
use slopbench_metrics::measurement::{Match, Measures, RulesId, SkippedFile};

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ComparisonFormat {
    /// The only version that is read.
    #[default]
    #[serde(rename = "slopbench.comparison/2")]
    V2,
}

/// What changed from one state of some code to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Which format this is.
    pub format: ComparisonFormat,
    /// The rules that were matched.
    pub rules: RulesId,
    /// The earlier state.
    pub before: ComparedState,
    /// The later state.
    pub after: ComparedState,
    /// For each figure of [`ComparedState::total`] that is a number in both: after - before.
    pub delta: BTreeMap<String, Number>,
    /// How much of the code was written anew.
    pub churn: Churn,
    /// Every source file that is not the same in both, by path.
    pub files: Vec<FileChange>,
    /// Every callable that is not in both, or has not the same mass in both, by path and name.
    pub callables: Vec<CallableChange>,
    /// Every rule that has new matches or lost some, by id.
    pub rule_changes: Vec<RuleChange>,
    /// Rule matches of the later state that the earlier one does not have: their first line is new, or the same rule did
    /// not match from there. By path, first line, last line and rule.
    pub new_matches: Vec<Match>,
}

/// One of the two states.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedState {
    /// The path or revision, as it was asked for.
    pub name: String,
    /// The figures of its source files together.
    pub total: Measures,
    /// Every file, link and submodule that was left out although it looks like source, by path.
    pub skipped: Vec<SkippedFile>,
}

/// Lines that were written and removed, of all source files, also of those that cannot be measured.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Churn {
    /// Lines that are in the later state only.
    pub lines_added: u64,
    /// Lines that are in the earlier state only.
    pub lines_removed: u64,
    /// Physical lines of the earlier state.
    pub lines_before: u64,
    /// (`lines_added` + `lines_removed`) / `lines_before`; absent if there was no line before.
    pub churn: Option<f64>,
}

/// A source file that is not the same in both states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// Path below either root.
    pub path: String,
    /// What happened to it.
    pub change: Existence,
    /// Its lines that are in the later state only.
    pub lines_added: u64,
    /// Its lines that are in the earlier state only.
    pub lines_removed: u64,
    /// Lines of clones that are new, or were no clones before.
    pub new_clone_lines: u64,
    /// Lines of clones that are gone, or are no clones any more.
    pub vanished_clone_lines: u64,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Existence {
    /// There was none of this path.
    New,
    /// It is in both, with other bytes.
    Changed,
    /// There is none of this path any more.
    Vanished,
}

/// A callable that is not the same in both states. Callables are the same if they have the same path and qualified name; of
/// several with one name, the first is the same as the first, and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallableChange {
    /// Path of its file.
    pub path: String,
    /// The names of the classes and callables around it and its own, joined with `.`.
    pub qualified_name: String,
    /// What happened to it.
    pub change: Growth,
    /// Whether it counts towards erosion (CC > 10) now and did not before.
    pub became_complex: bool,
    /// What it was.
    pub before: Option<Weight>,
    /// What it is.
    pub after: Option<Weight>,
}

/// What happened to a callable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Growth {
    /// It was not there.
    New,
    /// Its mass is larger.
    Grew,
    /// Its mass is smaller.
    Shrank,
    /// It is no longer there.
    Vanished,
}

/// How heavy a callable is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Its first line.
    pub start_line: u32,
    /// Its complexity.
    pub cc: u32,
    /// Its lines of code.
    pub sloc: u32,
    /// Its complexity mass.
    pub mass: f64,
}

/// How often a rule matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleChange {
    /// The rule's id.
    pub rule: String,
    /// Its matches in the earlier state.
    pub before: u64,
    /// Its matches in the later state.
    pub after: u64,
    /// Matches of the later state that the earlier one does not have.
    pub new: u64,
    /// Matches of the earlier state that the later one does not have.
    pub vanished: u64,
}
