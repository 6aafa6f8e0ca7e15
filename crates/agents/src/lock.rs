//! What pins a version of an agent: the lock files of a package manager, or the files of a folder.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use include_dir::{Dir, include_dir};
use slopbench_digest::{Listing, ReadError, Sha256};
use slopbench_gateway::catalogue::{EntryIdentity, Origin};

static LOCKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/locks");

/// What pins a version of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentLock {
    /// Where it comes from, and the digest of all of it.
    pub identity: EntryIdentity,
    /// What it is.
    pub content: LockContent,
}

/// What is pinned, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockContent {
    /// A package manager's lock files, by name.
    Files(BTreeMap<String, Vec<u8>>),
    /// A folder of this machine.
    Folder(PathBuf),
}

/// A version of an agent that nothing pins.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// No lock file does.
    #[error(
        "{agent} {version} is in no lock file; the versions to be had are {}: lock it with `slopbench agents lock \
         {agent}@{version}`", known.join(", ")
    )]
    NotLocked {
        /// The agent's name.
        agent: String,
        /// The version asked for.
        version: String,
        /// The versions there are.
        known: Vec<String>,
    },
    /// It is not what the agent's definition names.
    #[error("what pins {agent} {version} has the digest {found}, and its definition names another one")]
    Other {
        /// The agent's name.
        agent: String,
        /// The version.
        version: String,
        /// The digest of what is there.
        found: Sha256,
    },
    /// A folder cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl LockError {
    pub(crate) fn not_locked(agent: &str, version: &str, known: Vec<String>) -> Self {
        Self::NotLocked { agent: agent.to_owned(), version: version.to_owned(), known }
    }
}

impl AgentLock {
    /// The built-in lock files of an agent's version.
    pub(crate) fn built_in(agent: &str, version: &str) -> Option<Self> {
        let files = LOCKS.get_dir(format!("{agent}-{version}"))?.files();
        let name = |file: &include_dir::File<'_>| Some(file.path().file_name()?.to_str()?.to_owned());
        let files = files.filter_map(|file| Some((name(file)?, file.contents().to_vec())));
        Some(Self::of_files(files.collect(), Origin::BuiltIn))
    }

    /// These lock files, by name.
    pub(crate) fn of_files(files: BTreeMap<String, Vec<u8>>, origin: Origin) -> Self {
        let listing = Listing(files.iter().map(|(name, bytes)| (name.clone(), Sha256::of(bytes))).collect());
        Self { identity: EntryIdentity { origin, digest: listing.digest() }, content: LockContent::Files(files) }
    }

    /// The lock files in `folder`.
    pub(crate) fn load(folder: &Path, origin: Origin) -> io::Result<Self> {
        let read = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
        };
        Ok(Self::of_files(fs::read_dir(folder)?.map(read).collect::<io::Result<_>>()?, origin))
    }

    /// All that a folder holds.
    pub(crate) fn of_folder(folder: &Path, origin: Origin) -> Result<Self, ReadError> {
        let digest = Listing::of_dir(folder, "")?.digest();
        // Sessions are in other folders than ours.
        let real = folder.canonicalize().map_err(|source| ReadError { path: folder.to_path_buf(), source })?;
        Ok(Self { identity: EntryIdentity { origin, digest }, content: LockContent::Folder(real) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::AgentCatalogue;

    #[test]
    fn every_version_has_its_lock_file_and_every_lock_file_its_version() {
        let catalogue = AgentCatalogue::built_in().unwrap();
        let names = catalogue.agents.iter().flat_map(|(name, entry)| {
            entry.value.versions.iter().map(move |version| format!("{name}-{}", version.version))
        });
        let mut versions: Vec<_> = names.collect();
        let mut locks: Vec<_> = LOCKS.dirs().map(|dir| dir.path().to_string_lossy().into_owned()).collect();
        versions.sort();
        locks.sort();
        assert_eq!(versions, locks);
    }
}
