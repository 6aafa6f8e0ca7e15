//! The files of a state, each written as a whole. The folder may be a stranger's, or one that an agent writes in: no link in it is followed
//! to a file that is written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::Error;

/// One file to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileWrite {
    /// Below the state's folder.
    pub(crate) path: String,
    /// What it holds before; nothing if it is not there.
    pub(crate) before: Option<String>,
    /// What it is to hold.
    pub(crate) after: String,
    /// What it is to hold where not all can be written; what it held before, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) otherwise: Option<String>,
}

/// Writes one file beside its place, under a name that nobody can foresee, and moves it there.
pub(crate) fn put(path: &Path, content: &str) -> Result<(), Error> {
    written_beside(path, content).and_then(|file| persist(file, path))
}

/// The same, and after a power cut the file is there, too.
pub(crate) fn put_for_good(path: &Path, content: &str) -> Result<(), Error> {
    let file = written_beside(path, content)?;
    file.as_file().sync_all().map_err(Error::file("write", path))?;
    persist(file, path)?;
    let folder = folder_of(path);
    // Where a folder cannot be opened as a file is, there is no way to ask for it.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file("write", folder))?;
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn written_beside(path: &Path, content: &str) -> Result<NamedTempFile, Error> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".part");
    // As a file that is made without further ado: others may read it where the umask lets them.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(Error::file("write", path))?;
    file.write_all(content.as_bytes()).map_err(Error::file("write", path))?;
    Ok(file)
}

fn persist(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    file.persist(path).map(drop).map_err(|error| Error::file("write", path)(error.error))
}

/// Links in a state lead out of it, to what its owner does not see.
pub(crate) fn refuse_link(path: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            Err(Error::format(path, 1, "it is a link; put what it leads to in its place"))
        }
        _ => Ok(()),
    }
}

/// What a file holds; nothing if it is not there.
pub(crate) fn current(path: &Path) -> Result<Option<String>, Error> {
    refuse_link(path)?;
    match fs::read_to_string(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", path)(error)),
    }
}
