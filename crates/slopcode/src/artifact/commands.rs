//! The job of commands: what commands of this very tool leave in a folder.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, ReadError};
use slopbench_runner::Fault;

use crate::Error;

/// What stands for the folder of results in an argument.
const OUT: &str = "{out}";

/// Of what a failed command said, this many lines at the end are told.
const TOLD: usize = 5;

/// Commands, carried out one after the other in the artifact's folder, so that their arguments name its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandJob {
    commands: Vec<ArchivedCommand>,
    /// Which of the files below `{out}` are the results, as patterns; the others may hold clocks.
    results: Vec<String>,
    /// Which of the archived results are there before the first command, where they are verified.
    #[serde(default)]
    replayed: Vec<String>,
}

/// One of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArchivedCommand {
    /// `{out}` in them stands for the folder of results, which is empty before the first command.
    arguments: Vec<String>,
    /// More of them, where archived results are verified.
    #[serde(default)]
    to_verify: Vec<String>,
}

impl CommandJob {
    /// Which paths below the artifact's folder are those of results.
    pub(super) fn results(&self, definition: &Path) -> Result<GlobSet, Error> {
        patterns(&self.results, definition)
    }

    /// Carries out the commands of a definition with `tool`; its results are verified if they are `archived`.
    pub(super) fn carry_out(
        &self,
        tool: &Tool<'_>,
        definition: &Path,
        archived: Option<&Listing>,
    ) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let temporary = |source| Error::Write { path: std::env::temp_dir(), source };
        let (out, dir) = (tempfile::tempdir().map_err(temporary)?, definition.parent().unwrap_or(Path::new(".")));
        let replayed = patterns(&self.replayed, definition)?;
        for path in archived.into_iter().flat_map(|archived| archived.0.keys()).filter(|path| replayed.is_match(path)) {
            slopbench_runner::write(&out.path().join(path), &read(&dir.join(path))?)?;
        }
        for command in &self.commands {
            let more = archived.into_iter().flat_map(|_| &command.to_verify);
            let out = out.path().display().to_string();
            let arguments = command.arguments.iter().chain(more).map(|argument| argument.replace(OUT, &out));
            tool.carry_out(dir, arguments.collect())?;
        }
        let results = self.results(definition)?;
        let left = Listing::of_dir(out.path(), "")?.0.into_keys().filter(|path| results.is_match(path));
        left.map(|path| Ok((path.clone(), read(&out.path().join(path))?))).collect()
    }
}

/// The binary of this tool, which carries out commands.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Its file.
    pub binary: &'a Path,
    /// The repository that its commands are in.
    pub root: &'a Path,
}

impl Tool<'_> {
    fn carry_out(&self, dir: &Path, arguments: Vec<String>) -> Result<(), Error> {
        let shown: Vec<_> = arguments.iter().map(String::as_str).take_while(|argument| *argument != "--").collect();
        let failed = |fault, said: String| Error::Command { command: shown.join(" "), fault, said };
        let root = self.root.canonicalize().map_err(|source| ReadError { path: self.root.to_path_buf(), source })?;
        let mut command = Command::new(self.binary);
        command.arg("--root").arg(root).args(&arguments).current_dir(dir);
        let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output();
        let output = output.map_err(|error| failed(Fault::Infrastructure, error.to_string()))?;
        // 1 and 2 are a check that failed and bad input: what was archived may be why.
        let fault = match output.status.code() {
            Some(0) => return Ok(()),
            Some(1 | 2) => Fault::Configuration,
            _ => Fault::Infrastructure,
        };
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<_> = said.lines().collect();
        let said = lines[lines.len().saturating_sub(TOLD)..].join("\n");
        Err(failed(fault, format!("{}: {said}", output.status)))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    Ok(fs::read(path).map_err(|source| ReadError { path: path.to_path_buf(), source })?)
}

/// Patterns in the file `definition`.
fn patterns(written: &[String], definition: &Path) -> Result<GlobSet, Error> {
    let build = || {
        let mut set = GlobSetBuilder::new();
        for pattern in written {
            set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
        }
        set.build()
    };
    build().map_err(|error: globset::Error| Error::Artifact {
        path: definition.to_path_buf(),
        line: None,
        message: error.to_string(),
    })
}
