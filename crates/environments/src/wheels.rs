//! The wheels of all locks, by their digests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use slopbench_digest::Sha256;

use crate::index::{PackageIndex, WantedWheel};
use crate::room::ScratchFolder;
use crate::stop::Stop;
use crate::{Error, LockedPackage};

/// The most that all wheels of a lock may have, in bytes.
pub(crate) const MOST_FETCHED: u64 = 1 << 30;

/// A folder of wheels, each in a folder named by its digest.
#[derive(Clone, Debug)]
pub(crate) struct WheelFolder {
    pub(crate) place: PathBuf,
    /// For what is fetched and not yet compared, on the same disk.
    pub(crate) scratch: PathBuf,
}

impl WheelFolder {
    pub(crate) fn path(&self, file: &str, sha256: Sha256) -> PathBuf {
        self.place.join(sha256.to_string().replace(':', "-")).join(file)
    }

    /// Sees to it that all of these wheels are there, whose digests may be unknown, and says what they are. Beyond
    /// [`MOST_FETCHED`] it is a refusal.
    pub(crate) fn fetch(&self, index: &PackageIndex, wanted: &[(String, Option<Sha256>)]) -> Result<Vec<Sha256>, Stop> {
        let scratch = ScratchFolder::new(&self.scratch)?;
        let is_missing =
            |(file, sha256): &&(String, Option<Sha256>)| sha256.is_none_or(|sha256| !self.path(file, sha256).is_file());
        let missing = wanted.iter().filter(is_missing).map(|(file, sha256)| WantedWheel {
            file: file.clone(),
            sha256: *sha256,
            path: scratch.path().join(file),
        });
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() && !index.fetch(&missing, MOST_FETCHED)? {
            return Err(Stop::Refused(too_large("they are", MOST_FETCHED)));
        }
        wanted.iter().map(|(file, sha256)| Ok(self.keep(&scratch.path().join(file), file, *sha256)?)).collect()
    }

    /// The same of wheels that are locked. Those that were built are on no index.
    pub(crate) fn fetch_locked<'p>(
        &self,
        index: &PackageIndex,
        packages: impl Iterator<Item = &'p LockedPackage>,
    ) -> Result<(), Error> {
        let mut wanted = Vec::new();
        for package in packages {
            let (file, sha256) = (package.file.clone(), package.sha256);
            match &package.built_from {
                Some(_) if !self.path(&file, sha256).is_file() => return Err(Error::Unbuilt { file }),
                Some(_) => {}
                None => wanted.push((file, Some(sha256))),
            }
        }
        match self.fetch(index, &wanted) {
            Ok(_) => Ok(()),
            Err(Stop::Failed(error)) => Err(error),
            // It was there, or there would be no lock.
            Err(Stop::Refused(cause)) => Err(Error::Index { cause }),
        }
    }

    /// Keeps a wheel that was fetched, if it was.
    fn keep(&self, fetched: &Path, file: &str, expected: Option<Sha256>) -> Result<Sha256, Error> {
        let sha256 = match expected {
            Some(sha256) if !fetched.is_file() => sha256,
            _ => Sha256::of_file(fetched)?,
        };
        if let Some(expected) = expected.filter(|expected| *expected != sha256) {
            let cause = format!("{file} has the digest {sha256}, and {expected} is locked");
            return Err(Error::Index { cause });
        }
        if fetched.is_file() {
            self.adopt(fetched, file, sha256)?;
        }
        Ok(sha256)
    }

    /// Copies a file to its place.
    pub(crate) fn adopt(&self, from: &Path, file: &str, sha256: Sha256) -> Result<(), Error> {
        let path = self.path(file, sha256);
        let folder = path.parent().unwrap_or(&self.place);
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let part = tempfile::NamedTempFile::new_in(folder).map_err(Error::io(folder))?;
        copy(from, part.path())?;
        part.persist(&path).map_err(|error| Error::io(&path)(error.error))?;
        Ok(())
    }

    /// The wheel of a lock, whose digest is compared.
    pub(crate) fn checked(&self, package: &LockedPackage) -> Result<PathBuf, Error> {
        let path = self.path(&package.file, package.sha256);
        let (expected, actual) = (package.sha256, Sha256::of_file(&path)?);
        if actual != expected {
            return Err(Error::Digest { path, expected, actual });
        }
        Ok(path)
    }
}

/// The sentence for packages beyond a limit in bytes.
pub(crate) fn too_large(what: &str, most: u64) -> String {
    format!("its packages cannot be installed: {what} more than {} MiB", most >> 20)
}

/// The content of `from` under another name, readable by everyone: what is installed is shown to other users.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::copy(from, to).map_err(Error::io(from))?;
    let file = File::open(to).map_err(Error::io(to))?;
    file.set_permissions(fs::Permissions::from_mode(0o644)).map_err(Error::io(to))
}
