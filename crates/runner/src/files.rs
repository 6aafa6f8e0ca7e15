//! Files that are there whole or not at all.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use serde::de::DeserializeOwned;

use crate::Error;

/// What a file's name ends with while it is written.
pub(crate) const PART: &str = "part";

/// Reads one of a run's own files.
///
/// # Errors
///
/// [`Error::Edited`] if it cannot be read or is not of its format: somebody changed it.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let bytes = fs::read(path).map_err(|error| Error::edited(path, error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::edited(path, error.to_string()))
}

/// Writes a file whole or not at all, and its folders. Beside it, it has a name of its own and not one that nobody can foresee: what a
/// killed process left there is written over by the next, or removed with the file.
///
/// # Errors
///
/// [`Error::Write`] if it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let part = path.with_extension(PART);
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(failed)
}

/// Removes a file and what a killed process wrote of it.
///
/// # Errors
///
/// [`Error::Write`] if it cannot be removed.
pub(crate) fn unwrite(path: &Path) -> Result<(), Error> {
    remove(&path.with_extension(PART))?;
    remove(path)
}

/// Renames a file or a folder, and makes the folders above its new place.
///
/// # Errors
///
/// [`Error::Write`] if it cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::rename(from, to)).map_err(|source| Error::Write { path: to.to_path_buf(), source })
}

/// Removes a file, or a folder of any shape that an agent wrote to; nothing where there is neither.
///
/// # Errors
///
/// [`Error::Write`] if something cannot be removed.
pub fn remove(path: &Path) -> Result<(), Error> {
    slopbench_walk::remove(path).map_err(|source| Error::Write { path: path.to_path_buf(), source })
}

/// Makes a folder into which nobody else finds the way: a program that an agent leaves there could be marked to run as us.
pub(crate) fn make_private(path: &Path) -> Result<(), Error> {
    let made = fs::create_dir_all(path).and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o700)));
    made.map_err(|source| Error::Write { path: path.to_path_buf(), source })
}
