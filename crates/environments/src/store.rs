//! What is kept below the user's cache folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use slopbench_digest::Sha256;
use slopbench_walk::{FileType, Walk, WalkStep};

use crate::build::remove;
use crate::wheels::WheelFolder;
use crate::{EnvironmentRecord, Error, RECORD};

/// What of a stored environment is shown to solutions.
pub(crate) const CONTENT: &str = "environment";

/// Longer than anybody is at work on one environment.
const LONGEST_WORK: Duration = Duration::from_secs(24 * 60 * 60);

/// The folder of all environments of a user.
#[derive(Clone, Debug)]
pub struct EnvironmentStore(pub PathBuf);

/// A built environment, for people to look at.
#[derive(Clone, Debug, Serialize)]
pub struct StoredEnvironment {
    /// The name of its folder.
    pub name: String,
    /// The digest of its lock.
    pub digest: Sha256,
    /// What it was locked for.
    pub interpreter: String,
    /// Its packages, as in `numpy 2.4.6`.
    pub packages: Vec<String>,
    /// What its files hold, in bytes.
    pub bytes: u64,
    /// How long ago it was built, in seconds.
    pub age_seconds: u64,
}

impl EnvironmentStore {
    /// Where built environments are.
    pub(crate) fn built(&self) -> PathBuf {
        self.0.join("built")
    }

    /// What requirements were resolved to that are resolved once.
    pub(crate) fn locks(&self) -> PathBuf {
        self.0.join("locks")
    }

    pub(crate) fn wheels(&self) -> WheelFolder {
        WheelFolder { place: self.0.join("wheels"), scratch: self.scratch() }
    }

    /// What sources of packages became.
    pub(crate) fn sources(&self) -> PathBuf {
        self.0.join("sources")
    }

    pub(crate) fn tools(&self) -> PathBuf {
        self.0.join("tools")
    }

    /// For what is at work, on the same disk as all else.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.0.join("scratch")
    }

    /// Where uv keeps what it read of the index.
    pub(crate) fn metadata(&self) -> PathBuf {
        self.0.join("metadata")
    }

    /// All that are built, in the order of their folders' names.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn list(&self) -> Result<Vec<StoredEnvironment>, Error> {
        let built = self.built();
        let entries = match fs::read_dir(&built) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(Error::io(&built))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry.map_err(Error::io(&built))?.path();
            // Without a record it is another process's unfinished work.
            if let Some(environment) = StoredEnvironment::read(&path)? {
                found.push(environment);
            }
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }

    /// Removes what was built longer ago than this and nobody uses, and says what. Without an age, wheels, the resolver and
    /// what it read of the index go as well.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn prune(&self, older_than: Option<Duration>) -> Result<Vec<StoredEnvironment>, Error> {
        let mut removed = Vec::new();
        for environment in self.list()? {
            let is_old = older_than.is_none_or(|age| environment.age_seconds >= age.as_secs());
            if is_old && remove(&self.built(), &environment)? {
                removed.push(environment);
            }
        }
        self.sweep()?;
        if older_than.is_none() {
            for folder in [self.wheels().place, self.sources(), self.tools(), self.metadata()] {
                match slopbench_walk::remove(&folder) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::io(&folder)(error)),
                    _ => {}
                }
            }
        }
        Ok(removed)
    }

    /// Removes what processes that were killed left half-done.
    fn sweep(&self) -> Result<(), Error> {
        let scratch = self.scratch();
        for entry in fs::read_dir(&scratch).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
            if age.is_some_and(|age| age > LONGEST_WORK) {
                slopbench_walk::remove(&entry.path()).map_err(Error::io(&scratch))?;
            }
        }
        Ok(())
    }
}

impl StoredEnvironment {
    fn read(path: &Path) -> Result<Option<Self>, Error> {
        let bytes = match fs::read(path.join(RECORD)) {
            Ok(bytes) => bytes,
            Err(_) => return Ok(None),
        };
        let record: EnvironmentRecord = serde_json::from_slice(&bytes)?;
        let built = fs::metadata(path).and_then(|metadata| metadata.modified()).map_err(Error::io(path))?;
        Ok(Some(Self {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            digest: Sha256::of(&bytes),
            interpreter: record.interpreter.to_string(),
            packages: record.packages().map(|(name, package)| format!("{name} {}", package.version)).collect(),
            bytes: size(&path.join(CONTENT)).map_err(Error::io(path))?,
            age_seconds: SystemTime::now().duration_since(built).map_or(0, |age| age.as_secs()),
        }))
    }
}

/// What all files below a folder hold, in bytes.
fn size(folder: &Path) -> io::Result<u64> {
    let mut walk = slopbench_walk::open(folder).and_then(Walk::new)?;
    let mut sum = 0_u64;
    while let Some(step) = walk.step()? {
        match step {
            WalkStep::Found(FileType::Directory) => walk.enter()?,
            WalkStep::Found(FileType::RegularFile) => sum += walk.status()?.st_size.unsigned_abs(),
            _ => {}
        }
    }
    Ok(sum)
}
