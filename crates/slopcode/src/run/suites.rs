//! The locks of tests' environments that a run keeps, each in a file named by its digest, which the plan's instrument names.

use std::{
    fs,
    path::{Path, PathBuf},
};

use slopbench_digest::Sha256;
use slopbench_environments::EnvironmentRecord;
use slopbench_runner::{read_json, write};

use super::plan::RunFolder;
use crate::{Error, SuiteLocks};

/// What the parts of an instrument begin with that are locks of tests.
const PART: &str = "tests of ";

/// Where a run keeps locks.
const FOLDER: &str = "suites";

impl SuiteLocks {
    /// Those that a run was planned with, as far as it has them.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if one is not as it was kept.
    pub fn kept(folder: &RunFolder) -> Result<Self, Error> {
        let mut kept = Self::default();
        for (part, digest) in folder.plan.instrument.parts_of(PART) {
            let (Some(problem), Ok(digest)) = (part.strip_prefix(PART), digest.parse()) else { continue };
            let path = place(folder, digest);
            if path.is_file() {
                kept.insert(problem, read_lock(&path, digest)?);
            }
        }
        Ok(kept)
    }

    /// Has a run keep these, beside those of before.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if they cannot be written.
    pub fn keep(&self, folder: &RunFolder) -> Result<(), Error> {
        for (_, record) in self.iter() {
            let path = place(folder, record.identity()?.digest);
            if !path.is_file() {
                write(&path, &record.to_bytes()?)?;
            }
        }
        Ok(())
    }

    /// The parts of the instrument that they are: the digest of each problem's.
    ///
    /// # Errors
    ///
    /// [`Error::Environment`], which is a bug.
    pub fn parts(&self) -> Result<Vec<(String, String)>, Error> {
        let part = |(problem, record): (&str, &EnvironmentRecord)| {
            Ok((format!("{PART}{problem}"), record.identity()?.digest.to_string()))
        };
        self.iter().map(part).collect()
    }
}

fn place(folder: &RunFolder, digest: Sha256) -> PathBuf {
    folder.store.root.join(FOLDER).join(format!("{}.json", digest.to_string().replace(':', "-")))
}

/// Reads the lock that lies in a file, whose digest is named elsewhere.
fn read_lock(path: &Path, expected: Sha256) -> Result<EnvironmentRecord, Error> {
    let record: EnvironmentRecord = read_json(path)?;
    match record.identity()?.digest == expected {
        true => Ok(record),
        false => {
            let what = format!("it is not the lock {expected} that the plan names");
            Err(slopbench_runner::Error::Edited { path: path.to_path_buf(), what }.into())
        }
    }
}

/// All locks that a run keeps, those of accepted differences among them.
pub(super) fn all(folder: &RunFolder) -> Result<Vec<EnvironmentRecord>, Error> {
    let entries = fs::read_dir(folder.store.root.join(FOLDER)).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| Ok(read_json(&path)?))
        .collect()
}
