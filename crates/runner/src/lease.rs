//! Who may do what in a run's folder. All locks end with the process that has them, however that ends.
//!
//! ```text
//! lock                the coordinator's
//! leases/active       shared by all who do units: who has it alone knows that nobody is at work
//! leases/<digest>     a unit's
//! leases/on-<host>    of stages that need a machine's processors for themselves
//! ```

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use slopbench_digest::Sha256;

use crate::Error;

const LEASES: &str = "leases";
const ACTIVE: &str = "active";

/// The one process that coordinates a run.
#[derive(Debug)]
pub struct Coordinator {
    _lock: File,
}

/// The one process that does a unit.
#[derive(Debug)]
pub struct Lease {
    _active: File,
    _unit: File,
}

/// A time in which nobody does units.
#[derive(Debug)]
pub(crate) struct Quiet {
    leases: PathBuf,
    _active: File,
}

#[derive(Clone, Copy)]
enum LockKind {
    Shared,
    Exclusive,
}

/// The locks of the run in the folder `root`.
pub(crate) struct Locks<'a>(pub(crate) &'a Path);

impl Locks<'_> {
    pub(crate) fn coordinate(&self) -> Result<Coordinator, Error> {
        let lock = try_acquire(&self.0.join("lock"), LockKind::Exclusive)?;
        Ok(Coordinator { _lock: lock.ok_or_else(|| Error::Coordinated(self.0.to_path_buf()))? })
    }

    pub(crate) fn lease(&self, unit: &str) -> Result<Lease, Error> {
        let active = self.be_active()?;
        let name = Sha256::of(unit.as_bytes()).short();
        let leased = || Error::Leased { root: self.0.to_path_buf(), unit: unit.to_owned() };
        let unit = try_acquire(&self.path(&name), LockKind::Exclusive)?.ok_or_else(leased)?;
        Ok(Lease { _active: active, _unit: unit })
    }

    /// Keeps garbage from being collected until the end of what this gives.
    pub(crate) fn be_active(&self) -> Result<File, Error> {
        acquire(&self.path(ACTIVE), LockKind::Shared)
    }

    pub(crate) fn have_machine(&self) -> Result<File, Error> {
        let host = nix::unistd::gethostname().unwrap_or_default();
        let digest = Sha256::of(host.as_encoded_bytes()).short();
        acquire(&self.path(&format!("on-{digest}")), LockKind::Exclusive)
    }

    pub(crate) fn quiet(&self) -> Result<Option<Quiet>, Error> {
        let active = try_acquire(&self.path(ACTIVE), LockKind::Exclusive)?;
        Ok(active.map(|active| Quiet { leases: self.0.join(LEASES), _active: active }))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(LEASES).join(name)
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // Unlocked leases are worth nothing. The one that is held goes last: from then on others make theirs anew.
        let leases = fs::read_dir(&self.leases).into_iter().flatten().flatten();
        for lease in leases.filter(|lease| lease.file_name() != ACTIVE) {
            let _ = fs::remove_file(lease.path());
        }
        let _ = fs::remove_file(self.leases.join(ACTIVE));
        let _ = fs::remove_dir(&self.leases);
    }
}

fn acquire(path: &Path, kind: LockKind) -> Result<File, Error> {
    loop {
        let file = make(path)?;
        let locked = match kind {
            LockKind::Shared => file.lock_shared(),
            LockKind::Exclusive => file.lock(),
        };
        locked.map_err(|source| Error::Write { path: path.to_path_buf(), source })?;
        if is_there(&file, path) {
            return Ok(file);
        }
    }
}

fn try_acquire(path: &Path, kind: LockKind) -> Result<Option<File>, Error> {
    loop {
        let file = make(path)?;
        let locked = match kind {
            LockKind::Shared => file.try_lock_shared(),
            LockKind::Exclusive => file.try_lock(),
        };
        match locked {
            Ok(()) if is_there(&file, path) => return Ok(Some(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(Error::Write { path: path.to_path_buf(), source }),
        }
    }
}

fn make(path: &Path) -> Result<File, Error> {
    let folder = path.parent().unwrap_or(path);
    loop {
        match fs::create_dir_all(folder).and_then(|()| File::create(path)) {
            // Somebody tidied up between the two.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            made => return made.map_err(|source| Error::Write { path: path.to_path_buf(), source }),
        }
    }
}

/// Whether the locked file is still the one that others find.
fn is_there(file: &File, path: &Path) -> bool {
    let identity = |data: &fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(ours), Ok(theirs)) if identity(&ours) == identity(&theirs))
}
