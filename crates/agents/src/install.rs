//! How agents come onto a machine: npm and pip, at the versions and with the digests of our lock files.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use include_dir::{Dir, include_dir};
use slopbench_gateway::provider;

use crate::definition::{Agent, Source};

static LOCKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/locks");

/// An agent that cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// No lock file pins this version.
    #[error("{agent} {version} is in no lock file; the versions to be had are {known}")]
    NotLocked {
        /// The agent's name.
        agent: String,
        /// The version asked for.
        version: String,
        /// The versions there are.
        known: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A program that installs cannot be started.
    #[error("cannot start {program}: {source}; install it")]
    Start {
        /// Which.
        program: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A program that installs failed.
    #[error("`{command}` failed: {message}")]
    Failed {
        /// What was run.
        command: String,
        /// What it said was wrong.
        message: String,
    },
}

/// The folder that [`install`] puts all of `agent` into.
pub fn folder(agent: &Agent, version: &str, root: &Path) -> PathBuf {
    root.join(format!("{}-{version}", agent.name))
}

/// Installs `agent` below `root`, unless it is there; gives its program's path. `begin` is told before it takes a while.
pub fn install(agent: &Agent, version: &str, root: &Path, begin: &dyn Fn()) -> Result<PathBuf, InstallError> {
    let name = format!("{}-{version}", agent.name);
    let place = folder(agent, version, root);
    let program = match &agent.install {
        Source::Npm { program, .. } => place.join("node_modules/.bin").join(program),
        Source::Pypi { program, .. } => place.join("bin").join(program),
    };
    let complete = place.join("complete");
    if complete.is_file() {
        return Ok(program);
    }
    let lock = lock(agent, version)?;
    begin();
    // Whoever else installs it has to be done first; then it is there.
    let _alone = alone(&root.join(format!("{name}.lock")))?;
    if complete.is_file() {
        return Ok(program);
    }
    for file in lock.files() {
        write(&place.join(file.path().file_name().unwrap_or_default()), file.contents())?;
    }
    match agent.install {
        // Not `npm ci`: it refuses where a registry lacks packages for other platforms.
        Source::Npm { .. } => run("npm", &["install", "--no-save", "--no-audit", "--no-fund"], &place)?,
        Source::Pypi { .. } => {
            run("python3", &["-m", "venv", "."], &place)?;
            run("bin/pip", &["install", "--quiet", "--require-hashes", "--requirement", "requirements.txt"], &place)?;
        }
    }
    // Last, so that an installation that was interrupted is done again.
    write(&complete, b"")?;
    Ok(program)
}

/// Whether `agent` can be installed at `version`, as far as our files know.
pub fn check(agent: &Agent, version: &str) -> Result<(), InstallError> {
    lock(agent, version).map(drop)
}

fn lock(agent: &Agent, version: &str) -> Result<&'static Dir<'static>, InstallError> {
    LOCKS.get_dir(format!("{}-{version}", agent.name)).ok_or_else(|| InstallError::NotLocked {
        agent: agent.name.clone(),
        version: version.to_owned(),
        known: agent.versions.join(", "),
    })
}

/// Nobody else has the lock `path` until the file is closed.
fn alone(path: &Path) -> Result<File, InstallError> {
    write(path, b"")?;
    let file = File::open(path).and_then(|file| file.lock().map(|()| file));
    file.map_err(|source| InstallError::Write { path: path.into(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), InstallError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(|source| InstallError::Write { path: path.into(), source })
}

fn run(program: &'static str, arguments: &[&str], folder: &Path) -> Result<(), InstallError> {
    // A program named by a path is one that an earlier step put into the folder.
    let path = if program.contains('/') { folder.join(program) } else { program.into() };
    let mut command = Command::new(path);
    command.args(arguments).current_dir(folder);
    // Packages may run scripts of theirs while they are installed.
    for variable in provider::variables() {
        command.env_remove(variable);
    }
    let started = command.output();
    let Output { status, stderr, .. } = started.map_err(|source| InstallError::Start { program, source })?;
    if status.success() {
        return Ok(());
    }
    let message = complaint(&String::from_utf8_lossy(&stderr)).to_owned();
    Err(InstallError::Failed { command: format!("{program} {}", arguments.join(" ")), message })
}

/// The one line of what npm or pip said that tells what went wrong: the first error that is a sentence.
fn complaint(said: &str) -> &str {
    const PREFIXES: &[&str] = &["npm error ", "npm ERR! ", "ERROR: "];
    let errors = said.lines().filter_map(|line| PREFIXES.iter().find_map(|prefix| line.strip_prefix(prefix)));
    let mut sentences = errors.filter(|error| error.split_whitespace().count() > 3);
    sentences
        .next()
        .or_else(|| said.lines().rfind(|line| !line.trim().is_empty()))
        .unwrap_or("it does not say why")
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_lock_file_and_every_lock_file_its_version() {
        let agents = Agent::all().unwrap();
        let versions = agents.iter().flat_map(|agent| agent.versions.iter().map(|v| format!("{}-{v}", agent.name)));
        let mut versions: Vec<_> = versions.collect();
        let mut locks: Vec<_> = LOCKS.dirs().map(|dir| dir.path().to_string_lossy().into_owned()).collect();
        versions.sort();
        locks.sort();
        assert_eq!(versions, locks);
    }

    #[test]
    fn a_version_without_a_lock_file_is_refused_before_anything_is_written() {
        let root = tempfile::tempdir().unwrap();
        let error = install(&Agent::named("codex").unwrap(), "0.1.0", root.path(), &|| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "codex 0.1.0 is in no lock file; the versions to be had are 0.65.0, 0.72.0, 0.80.0, 0.98.0, 0.100.0, 0.110.0, 0.169.0"
        );
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
