//! The TOML files as they are written; `problems/README.md` explains every key.

use std::{collections::BTreeMap, fs, num::NonZeroU32, path::Path, time::Duration};

use serde::{Deserialize, de::DeserializeOwned};
use slopbench_sandbox::Limits;
use slopbench_text::line_of;
use toml::Spanned;

use crate::{
    Category, LoadError, error::Flaw, expect_format::ExpectFile, http::format::ServerFile, kind::ProblemKind,
    program_run::SignalFile,
};

pub(crate) const PROBLEM_FORMAT: &str = "slopbench.problem/2";
pub(crate) const CASE_FORMAT: &str = "slopbench.case/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProblemFile {
    pub(crate) format: Spanned<String>,
    pub(crate) title: String,
    pub(crate) kind: Spanned<ProblemKind>,
    pub(crate) entry: Spanned<String>,
    pub(crate) assets: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    pub(crate) server: Option<Spanned<ServerFile>>,
    pub(crate) checkpoints: Spanned<Vec<CheckpointFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointFile {
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    #[serde(default)]
    pub(crate) supersedes: Vec<SupersededFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SupersededFile {
    pub(crate) case: Spanned<String>,
    pub(crate) reason: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile<Step> {
    pub(crate) format: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) category: Spanned<Category>,
    #[serde(default)]
    pub(crate) covers: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) args: Vec<Spanned<String>>,
    pub(crate) stdin: Option<Spanned<String>>,
    pub(crate) signal: Option<Spanned<SignalFile>>,
    #[serde(default)]
    pub(crate) env: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub(crate) files: BTreeMap<Spanned<String>, String>,
    #[serde(default)]
    pub(crate) files_base64: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub(crate) symlinks: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    pub(crate) steps: Option<Spanned<Vec<Step>>>,
    pub(crate) expect: Option<Spanned<ExpectFile>>,
}

/// What a problem that says nothing of limits gets.
pub(crate) const DEFAULT_LIMITS: Limits = Limits {
    wall: Duration::from_secs(20),
    cpu: Duration::from_secs(10),
    memory: 512 << 20,
    processes: 32,
    file_size: 32 << 20,
    disk: 64 << 20,
    output: 4096 << 10,
};

/// Limits as written: what is absent is inherited.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsFile {
    wall_ms: Option<NonZeroU32>,
    cpu_ms: Option<Spanned<NonZeroU32>>,
    memory_mb: Option<NonZeroU32>,
    processes: Option<NonZeroU32>,
    disk_mb: Option<NonZeroU32>,
    file_mb: Option<NonZeroU32>,
    output_kb: Option<NonZeroU32>,
}

impl LimitsFile {
    /// These limits where given, `base` elsewhere.
    ///
    /// What limits a program that computes is its processor time, which does not depend on what else the machine does: the
    /// wall clock, for those that wait, leaves it at least twice as much.
    pub(crate) fn over(&self, base: Limits) -> Result<Limits, Flaw> {
        let number = |given: NonZeroU32| u64::from(given.get());
        let millis = |given: NonZeroU32| Duration::from_millis(number(given));
        let mega = |given: NonZeroU32| number(given) << 20;
        let wall = self.wall_ms.map_or(base.wall, millis);
        let most = wall / 2;
        let cpu = match &self.cpu_ms {
            Some(given) if millis(*given.as_ref()) > most => {
                let most = most.as_millis();
                let message = format!("cpu_ms is at most half of wall_ms, here {most}: lower it, or raise wall_ms");
                return Err(Flaw::at(given, message));
            }
            Some(given) => millis(*given.as_ref()),
            None => base.cpu.min(most),
        };
        Ok(Limits {
            wall,
            cpu,
            memory: self.memory_mb.map_or(base.memory, mega),
            processes: self.processes.map_or(base.processes, NonZeroU32::get),
            file_size: self.file_mb.map_or(base.file_size, mega),
            disk: self.disk_mb.map_or(base.disk, mega),
            output: self.output_kb.map_or(base.output, |given| number(given) << 10),
        })
    }
}

/// Reads and parses a TOML file; gives its text too, for errors found later.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<(T, String), LoadError> {
    let bytes = fs::read(path).map_err(|error| LoadError::read(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        LoadError { line: Some(line), ..LoadError::new(path, "not valid UTF-8; save the file as UTF-8") }
    })?;
    let file = toml::from_str(&text).map_err(|error| LoadError::toml(path, &text, &error))?;
    Ok((file, text))
}

/// Checks a `format` field.
pub(crate) fn check_format(format: &Spanned<String>, expected: &str) -> Result<(), Flaw> {
    if format.as_ref() == expected {
        return Ok(());
    }
    Err(Flaw::at(format, format!("this version reads format \"{expected}\", not \"{}\"", format.as_ref())))
}
