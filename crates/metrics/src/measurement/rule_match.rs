//! Where a rule matches.

use serde::{Deserialize, Serialize};

/// One match of one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match<P = String> {
    /// Path of the file; `()` until the files are collected.
    pub path: P,
    /// First matched line.
    pub start_line: u32,
    /// Last matched line.
    pub end_line: u32,
    /// The rule's id.
    pub rule: String,
}

impl Match<()> {
    /// The match in the file at `path`.
    pub(crate) fn at(self, path: &str) -> Match {
        Match { path: path.to_owned(), start_line: self.start_line, end_line: self.end_line, rule: self.rule }
    }
}
