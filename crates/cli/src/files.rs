//! Files that a command line names.

use std::{fs, io, path::Path};

use crate::Failure;

/// Writes a file that was named, or is in a folder that was.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| unwritable(path, &error))
}

/// Why a file that was named cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::configuration(format!("cannot read {}: {error}; name a file that can be read", path.display()))
}

/// Why such a file or folder is not there.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::configuration(format!("cannot write {}: {error}; name a place that can be written", path.display()))
}
