//! How agents come onto a machine: npm and pip, at the versions and with the digests of lock files.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use slopbench_gateway::catalogue::Origin;

use crate::{
    catalogue::AgentCatalogue,
    definition::{Agent, InstallSource},
    lock::{AgentLock, LockContent, LockError},
};

/// An agent that cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Nothing pins this version.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Nothing is to be locked of a folder.
    #[error("{0} is a folder of this machine, which is pinned by what it holds: there is nothing to lock")]
    Folder(String),
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

/// An agent on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// What is run.
    pub program: PathBuf,
    /// All that is installed of it.
    pub folder: PathBuf,
}

/// Installs `agent` below `root`, unless it is there. `begin` is told before it takes a while.
///
/// # Errors
///
/// [`InstallError`] if nothing pins the version, or its package manager fails.
pub fn install(
    catalogue: &AgentCatalogue,
    agent: &Agent,
    version: &str,
    root: &Path,
    begin: &dyn Fn(),
) -> Result<Installed, InstallError> {
    let lock = catalogue.lock(agent, version)?;
    let (place, files) = match &lock.content {
        LockContent::Folder(folder) => (folder.clone(), None),
        LockContent::Files(files) => (root.join(folder_name(agent, version, &lock)), Some(files)),
    };
    let program = match &agent.install {
        InstallSource::Npm { program, .. } => place.join("node_modules/.bin").join(program),
        InstallSource::Pypi { program, .. } => place.join("bin").join(program),
        InstallSource::Folder { program, .. } => place.join(program),
    };
    if let Some(files) = files {
        fill(&place, agent, files, &catalogue.models.variables(), begin)?;
    }
    Ok(Installed { program, folder: place })
}

/// Another lock of the same version is another installation.
fn folder_name(agent: &Agent, version: &str, lock: &AgentLock) -> String {
    match lock.identity.origin {
        Origin::BuiltIn => format!("{}-{version}", agent.name),
        _ => format!("{}-{version}-{}", agent.name, lock.identity.digest.short()),
    }
}

/// Makes the installation `place` as `files` pin it; `secret` are variables that packages are not to see.
fn fill(
    place: &Path,
    agent: &Agent,
    files: &BTreeMap<String, Vec<u8>>,
    secret: &[String],
    begin: &dyn Fn(),
) -> Result<(), InstallError> {
    let complete = place.join("complete");
    if complete.is_file() {
        return Ok(());
    }
    begin();
    // Whoever else installs it has to be done first; then it is there.
    let mut lock = place.as_os_str().to_owned();
    lock.push(".lock");
    let _alone = alone(Path::new(&lock))?;
    if complete.is_file() {
        return Ok(());
    }
    for (name, bytes) in files {
        write(&place.join(name), bytes)?;
    }
    match agent.install {
        // Not `npm ci`: it refuses where a registry lacks packages for other platforms.
        InstallSource::Npm { .. } => run("npm", &["install", "--no-save", "--no-audit", "--no-fund"], place, secret)?,
        _ => {
            run("python3", &["-m", "venv", "."], place, secret)?;
            let pip = ["install", "--quiet", "--require-hashes", "--requirement", "requirements.txt"];
            run("bin/pip", &pip, place, secret)?;
        }
    }
    // Last, so that an installation that was interrupted is done again.
    write(&complete, b"")
}

/// Nobody else has the lock `path` until the file is closed.
fn alone(path: &Path) -> Result<File, InstallError> {
    write(path, b"")?;
    let file = File::open(path).and_then(|file| file.lock().map(|()| file));
    file.map_err(|source| InstallError::Write { path: path.into(), source })
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), InstallError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(|source| InstallError::Write { path: path.into(), source })
}

pub(crate) fn run(
    program: &'static str,
    arguments: &[&str],
    folder: &Path,
    secret: &[String],
) -> Result<(), InstallError> {
    // A program named by a path is one that an earlier step put into the folder.
    let path = if program.contains('/') { folder.join(program) } else { program.into() };
    let mut command = Command::new(path);
    command.args(arguments).current_dir(folder);
    // Packages may run scripts of theirs while they are installed.
    for variable in secret {
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
    fn a_version_without_a_lock_file_is_refused_before_anything_is_written() {
        let (root, catalogue) = (tempfile::tempdir().unwrap(), AgentCatalogue::built_in().unwrap());
        let codex = &catalogue.agents.get("codex").unwrap().value;
        let error = install(&catalogue, codex, "0.1.0", root.path(), &|| ()).unwrap_err().to_string();
        let expected = "codex 0.1.0 is in no lock file; the versions to be had are 0.65.0, 0.72.0, 0.80.0, 0.98.0, 0.100.0, \
                        0.110.0, 0.169.0: lock it with `slopbench agents lock codex@0.1.0`";
        assert_eq!(error, expected);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
