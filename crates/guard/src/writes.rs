//! Several files written together: all of them, or none.
//!
//! What is to be written is written down first, in `pending.json`; whoever opens the state after a crash goes on with it.
//! A file that a person has changed meanwhile is not written over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;

/// Where it is written down what is to be written.
const PENDING: &str = "pending.json";

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
}

/// Writes all of them, or nothing if one is not what it was before; gives its path then.
pub(crate) fn write_all(folder: &Path, writes: &[FileWrite]) -> Result<Option<String>, Error> {
    for write in writes {
        if current(&folder.join(&write.path))? != write.before {
            return Ok(Some(write.path.clone()));
        }
    }
    put(&folder.join(PENDING), &serde_json::to_string(writes)?)?;
    finish(folder)?;
    Ok(None)
}

/// Does what a process has written down and not come to.
pub(crate) fn finish(folder: &Path) -> Result<(), Error> {
    let pending = folder.join(PENDING);
    let Some(content) = current(&pending)? else { return Ok(()) };
    let writes: Vec<FileWrite> = serde_json::from_str(&content).map_err(|error| {
        let message = format!("{error}; remove the file, and the update that it is of has not taken place");
        Error::format(&pending, error.line(), message)
    })?;
    for write in writes {
        let path = folder.join(&write.path);
        if current(&path)? == write.before {
            put(&path, &write.after)?;
        }
    }
    fs::remove_file(&pending).map_err(Error::file("remove", &pending))
}

/// Writes one file beside its place, and moves it there.
pub(crate) fn put(path: &Path, content: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part: PathBuf = path.with_file_name(name);
    fs::write(&part, content).and_then(|()| fs::rename(&part, path)).map_err(Error::file("write", path))
}

fn current(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &str, before: Option<&str>, after: &str) -> FileWrite {
        FileWrite { path: path.to_owned(), before: before.map(str::to_owned), after: after.to_owned() }
    }

    #[test]
    fn nothing_is_written_where_one_file_is_another_by_now() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "a person's").unwrap();
        let writes = [write("a", None, "1"), write("b", Some("0"), "1")];
        assert_eq!(write_all(folder.path(), &writes).unwrap().as_deref(), Some("b"));
        assert!(!folder.path().join("a").exists());
        assert_eq!(fs::read_to_string(folder.path().join("b")).unwrap(), "a person's");
    }

    #[test]
    fn what_a_crash_left_undone_is_done_and_a_persons_edit_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let writes = [write("done", Some("0"), "1"), write("new/undone", None, "1"), write("edited", Some("0"), "1")];
        fs::write(at("done"), "1").unwrap();
        fs::write(at("edited"), "a person's").unwrap();
        fs::write(at(PENDING), serde_json::to_string(&writes).unwrap()).unwrap();
        finish(folder.path()).unwrap();
        let read = |name| fs::read_to_string(at(name)).unwrap();
        assert_eq!([read("done"), read("new/undone"), read("edited")], ["1", "1", "a person's"]);
        assert!(!at(PENDING).exists());
    }
}
