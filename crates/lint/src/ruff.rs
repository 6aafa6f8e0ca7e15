//! Ruff itself, and how it is asked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_environments::{Environments, PinnedTool, TOOL_FILES, TOOL_OUTPUT};
use slopbench_sandbox::ProgramEnd;

use crate::{LintError, LintOutcome, RuleFamilies, findings};

const PIN: &str = include_str!("../pin.toml");

/// How Ruff is asked beside what it is asked for: without configuration, cache, or any comment's or ignore file's say. Whatever it is
/// shown is read as Python, as that was decided before.
const ARGUMENTS: [&str; 11] = [
    "check",
    "--isolated",
    "--ignore-noqa",
    "--no-respect-gitignore",
    "--no-cache",
    "--no-preview",
    "--config=exclude = []",
    "--config=include = ['*']",
    "--output-format=json",
    "--output-file",
    TOOL_OUTPUT,
];

/// What it exits with where there is no finding, and where there is one.
const EXITS: [i32; 2] = [0, 1];

/// The pinned linter with the rules that count.
#[derive(Clone, Debug)]
pub struct Ruff {
    tool: PinnedTool,
    families: RuleFamilies,
}

/// Who found something, and by which rules: with the same, the same files have the same findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinterIdentity {
    /// The program and its version, as in `ruff 0.17.6`.
    pub linter: String,
    /// The digest of the wheel that brings it.
    pub wheel: String,
    /// The prefixes of the families that count.
    pub families: Vec<String>,
    /// The version of Python whose syntax it reads.
    pub target: String,
}

impl LinterIdentity {
    /// Whether both count the same. The wheel is not asked: each kind of machine has its own of one version.
    pub fn counts_as(&self, other: &Self) -> bool {
        (&self.linter, &self.families, &self.target) == (&other.linter, &other.families, &other.target)
    }
}

impl std::fmt::Display for LinterIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} for {}, {}", self.linter, self.target, self.families.join(", "))
    }
}

impl Ruff {
    /// The pinned version, as this machine needs it.
    ///
    /// # Errors
    ///
    /// [`LintError::Environment`] if there is none for a machine of this kind.
    pub fn pinned() -> Result<Self, LintError> {
        Ok(Self { tool: PinnedTool::parse("ruff", PIN)?, families: RuleFamilies::built_in()? })
    }

    /// As a program that can be fetched.
    pub fn tool(&self) -> &PinnedTool {
        &self.tool
    }

    /// Who it is, for results.
    pub fn identity(&self) -> LinterIdentity {
        LinterIdentity {
            linter: self.tool.label(),
            wheel: self.tool.digest().to_string(),
            families: self.families.prefixes(),
            target: self.families.target.clone(),
        }
    }

    /// Lints files of Python, texts by path.
    ///
    /// # Errors
    ///
    /// [`LintError::Environment`] if Ruff cannot be fetched or run here, [`LintError::Answer`] if it says something else than
    /// findings.
    pub fn lint(
        &self,
        environments: &Environments<'_>,
        files: &BTreeMap<String, String>,
    ) -> Result<LintOutcome, LintError> {
        if let Some(path) = files.keys().find(|path| path.contains(char::REPLACEMENT_CHARACTER)) {
            return Ok(LintOutcome::Unread(format!("the name of {path:?} is no text, and stands for another")));
        }
        let (select, target) =
            (self.families.prefixes().join(","), format!("--target-version={}", self.families.target));
        let arguments = [&ARGUMENTS[..], &["--select", &select, &target, TOOL_FILES]].concat();
        let ended = environments.inspect(&self.tool, files, &arguments)?;
        let said = ended.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        let ProgramEnd::Exited(code) = ended.end else {
            return Ok(LintOutcome::Unread(format!("Ruff did not come to its end ({:?}): {said}", ended.end)));
        };
        match ended.output {
            // It warns of a file that it leaves out, and of no other thing.
            Some(_) if ended.stderr.contains("Failed to lint") => Ok(LintOutcome::Unread(said.to_owned())),
            Some(json) if EXITS.contains(&code) => {
                findings::read(&json, files.len(), &format!("/{TOOL_FILES}/"), &self.families).map(LintOutcome::Found)
            }
            _ => Err(LintError::Answer(format!("it ends with {code}: {said}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_machine_has_the_wheel_of_the_version() {
        let wheels: Vec<_> = PIN.lines().filter_map(|line| line.strip_prefix("file = ")).collect();
        let version = Ruff::pinned().unwrap().tool.version().to_owned();
        assert_eq!(wheels.len(), 2);
        for (wheel, machine) in wheels.iter().zip(["x86_64", "aarch64"]) {
            assert!(wheel.starts_with(&format!("\"ruff-{version}-")) && wheel.contains(machine), "{wheel}");
        }
    }
}
