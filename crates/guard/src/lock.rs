//! The lock of a state: who writes it keeps other processes away.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::Error;
use crate::files::refuse_link;

/// The locked file. It is nobody's but the lock's: editors put new files in the place of those that they save.
pub(crate) const LOCK_FILE: &str = "lock";

/// How often, and how long after one another, a short lock is tried.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Keeps other processes away until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    /// A program that this process starts has the file, too, until it is that program: to close it is not enough.
    fn drop(&mut self) {
        // Closed it is in any case.
        let _ = self.0.unlock();
    }
}

/// Locks the state in `folder`.
///
/// [`Error::Busy`] if another process has it.
pub(crate) fn lock(folder: &Path) -> Result<Lock, Error> {
    let path = folder.join(LOCK_FILE);
    refuse_link(&path)?;
    // Network file systems lock only what is open for writing.
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(Error::file("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(Error::file("lock", &path)(source)),
    }
}

/// The same, but waits a moment for who is writing. Nothing where `is_wanted` is no longer so.
pub(crate) fn lock_while(folder: &Path, is_wanted: impl Fn() -> bool) -> Result<Option<Lock>, Error> {
    for _ in 0..TRIES {
        if !is_wanted() {
            return Ok(None);
        }
        match lock(folder) {
            Err(Error::Busy { .. }) => thread::sleep(BETWEEN_TRIES),
            locked => return locked.map(Some),
        }
    }
    Err(Error::Busy { path: folder.to_owned() })
}
