//! Overrides: what the owner of a project says beside the code, and what came of it.

use serde::{Deserialize, Serialize};

use crate::configuration::Configuration;
use crate::measurement::Match;

/// What the owner of a project asked for, and what came of it. Part of [`crate::measure_roots`]'s measurements only.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    /// `sha256:` and the digest of the `slopbench.toml`, if there is one.
    pub configuration: Option<String>,
    /// Every match that was accepted and is no part of the figures, by path, then by first line, last line and rule.
    pub suppressed: Vec<Suppressed>,
    /// Every suppression that does not fit, by path and line.
    pub misfits: Vec<Misfit>,
}

/// A match that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Suppressed<P = String> {
    /// The match.
    #[serde(flatten)]
    pub found: Match<P>,
    /// Where it says so.
    pub by: SuppressedBy,
    /// Why.
    pub reason: String,
}

/// Where a suppression is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuppressedBy {
    /// A comment in the file.
    Comment,
    /// `slopbench.toml`.
    Configuration,
}

/// A suppression that suppresses nothing, or is not understood and therefore ignored.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misfit<P = String> {
    /// The file it is written in; `()` until the files are collected.
    pub path: P,
    /// The line there.
    pub line: u32,
    /// What is wrong, and what to do.
    pub detail: String,
}

impl<P> Misfit<P> {
    /// A suppression in this line of a rule that has no match there.
    pub(crate) fn unused(path: P, line: u32, rule: &str) -> Self {
        Self { path, line, detail: format!("`{rule}` matches nothing here; remove the suppression") }
    }
}

impl Misfit<()> {
    /// The misfit in the file at `path`.
    pub(crate) fn at(self, path: &str) -> Misfit {
        Misfit { path: path.to_owned(), line: self.line, detail: self.detail }
    }
}

impl Suppressed<()> {
    /// The suppressed match in the file at `path`.
    pub(crate) fn at(self, path: &str) -> Suppressed {
        Suppressed { found: self.found.at(path), by: self.by, reason: self.reason }
    }
}

impl Overrides {
    pub(crate) fn new(configuration: &Configuration) -> Self {
        Self { configuration: configuration.digest().map(str::to_owned), ..Self::default() }
    }

    /// Adds the suppressions of a configuration that suppress nothing. To be called where all files were measured that the
    /// configuration, if it lies in the measured folder, can speak of.
    pub(crate) fn add_unused(&mut self, configuration: &Configuration) {
        let by_configuration = self.suppressed.iter().filter(|suppressed| suppressed.by == SuppressedBy::Configuration);
        let accepted: Vec<_> = by_configuration.map(|suppressed| &suppressed.found).collect();
        let unused = configuration.unused(&accepted).into_iter();
        let misfits = unused.map(|(rule, line)| Misfit::unused(configuration.file_name().to_owned(), line, rule));
        self.misfits.extend(misfits.collect::<Vec<_>>());
        self.misfits.sort();
    }
}
