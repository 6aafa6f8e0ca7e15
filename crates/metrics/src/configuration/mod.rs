//! `slopbench.toml`: what the owner of a project wants measured, and which matches they accept.
//!
//! ```toml
//! # Paths are globs, relative to this file; a folder stands for everything in it.
//! exclude = ["docs", "**/*_pb2.py"]
//! fail-on = ["erosion>0.5"]
//!
//! [rules]
//! path = "rules"                # in place of the built-in rules
//! disable = ["chained-get"]
//!
//! [[suppress]]
//! rule = "bare-except"
//! paths = ["src/plugins"]
//! reason = "A plugin may raise anything."
//! ```
//!
//! Only [`crate::measure_roots`] reads it. [`crate::measure()`] and [`crate::measure_sources`] do not, so a program
//! under test cannot silence what it is measured by.

mod error;
mod path_pattern;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};

use slopbench_digest::Sha256;

use crate::measurement::Match;
use crate::roots::folder_below;
use crate::rules::RuleSet;
use crate::threshold::Threshold;
pub use error::{ConfigurationError, RulesError};
use settings::{Settings, Suppress};

/// The configuration's name.
pub const FILE_NAME: &str = "slopbench.toml";

/// What a `slopbench.toml` says; by default nothing.
#[derive(Debug, Default)]
pub struct Configuration {
    /// As it was found or given; empty if there is no file.
    file: PathBuf,
    digest: Option<String>,
    /// Where the measured paths lie below the folder that the globs are relative to: empty, or ends with `/`.
    prefix: String,
    settings: Settings,
}

impl Configuration {
    /// Reads the `slopbench.toml` in `base` or the nearest folder above, up to the root of the repository. Outside of a
    /// repository only `base` itself is looked into. No file is no configuration.
    ///
    /// # Errors
    ///
    /// Names the file and line if it cannot be read or is not as [the format](self) says.
    pub fn find(base: &Path) -> Result<Self, ConfigurationError> {
        let failed = |source: std::io::Error| failure(base, None, source.to_string());
        let base = fs::canonicalize(base).map_err(failed)?;
        let above: Vec<_> = base.ancestors().collect();
        let within = above.iter().position(|folder| folder.join(".git").exists()).unwrap_or(0);
        let Some(folder) = above.iter().take(within + 1).find(|folder| folder.join(FILE_NAME).is_file()) else {
            return Ok(Self::default());
        };
        Ok(Self { prefix: folder_below(&base, folder), ..Self::load(&folder.join(FILE_NAME))? })
    }

    /// Reads `file`; its globs are relative to whatever is measured.
    ///
    /// # Errors
    ///
    /// As [`Self::find`], and if there is no such file.
    pub fn load(file: &Path) -> Result<Self, ConfigurationError> {
        let text = fs::read_to_string(file).map_err(|source| failure(file, None, source.to_string()))?;
        let settings = text.parse().map_err(|(line, message)| failure(file, line, message))?;
        let digest = Some(Sha256::of(text.as_bytes()).to_string());
        Ok(Self { file: file.to_owned(), digest, prefix: String::new(), settings })
    }

    /// The rules that it names, or the built-in ones, without those that it disables; `path` goes before what it names.
    ///
    /// # Errors
    ///
    /// If the rules cannot be read, or one that is disabled does not exist.
    pub fn rules(&self, path: Option<&Path>) -> Result<RuleSet, RulesError> {
        let disable = &self.settings.disable;
        let own = self.settings.rules.as_ref().map(|own| self.file.with_file_name("").join(own));
        let mut unseen: Vec<_> = disable.iter().collect();
        let rules = RuleSet::select(path.or(own.as_deref()), |id| {
            unseen.retain(|(disabled, _)| disabled != id);
            !disable.iter().any(|(disabled, _)| disabled == id)
        })?;
        match unseen.first() {
            None => Ok(rules),
            Some((unknown, line)) => {
                let message = format!("there is no rule `{unknown}`; `slopbench rules list` names them");
                Err(failure(&self.file, Some(*line), message).into())
            }
        }
    }

    /// The file, as it was found or given; nothing if there is none.
    pub fn file(&self) -> Option<&Path> {
        self.digest.as_ref().map(|_| self.file.as_path())
    }

    /// The conditions under which a measurement fails.
    pub fn fail_on(&self) -> &[Threshold] {
        &self.settings.fail_on
    }

    /// Whether the file or folder at `path`, relative to what is measured, is to be left out.
    pub fn excludes(&self, path: &str) -> bool {
        self.settings.exclude.iter().any(|pattern| pattern.covers(&self.path_here(path)))
    }

    /// `sha256:` and the digest of the file, if there is one.
    pub(crate) fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// Why matches of the rule in the file at `path` are accepted, if they are.
    pub(crate) fn accepts(&self, path: &str, rule: &str) -> Option<&str> {
        let path = self.path_here(path);
        self.settings.suppress.iter().find(|suppress| suppress.covers(&path, rule)).map(|suppress| &*suppress.reason)
    }

    /// The rule and line of every suppression that accepts none of these matches; none where globs are relative to a folder
    /// above what was measured, since they may speak of files beside it.
    pub(crate) fn unused(&self, accepted: &[&Match]) -> Vec<(&str, u32)> {
        let is_used = |suppress: &Suppress| accepted.iter().any(|found| suppress.covers(&found.path, &found.rule));
        let all = self.settings.suppress.iter().filter(|_| self.prefix.is_empty());
        let unused = all.filter(|suppress| !is_used(suppress));
        unused.map(|suppress| (&*suppress.rule, suppress.line)).collect()
    }

    /// The file's name, without its folder.
    pub(crate) fn file_name(&self) -> &str {
        self.file.file_name().and_then(|name| name.to_str()).unwrap_or(FILE_NAME)
    }

    fn path_here(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

impl Suppress {
    fn covers(&self, path: &str, rule: &str) -> bool {
        self.rule == rule && self.paths.iter().any(|pattern| pattern.covers(path))
    }
}

fn failure(file: &Path, line: Option<u32>, message: String) -> ConfigurationError {
    ConfigurationError { file: file.to_owned(), line, message }
}
