//! The files of a state, each written as a whole. The folder may be a stranger's, or one that an agent writes in: no link in it is followed
//! to a file that is written.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

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

/// Writes one file whole.
pub(crate) fn put(path: &Path, content: &str) -> Result<(), Error> {
    slopbench_walk::put(path, content.as_bytes()).map_err(Error::file("write", path))
}

/// The same, and after a power cut the file is there, too.
pub(crate) fn put_for_good(path: &Path, content: &str) -> Result<(), Error> {
    slopbench_walk::put_for_good(path, content.as_bytes()).map_err(Error::file("write", path))
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
