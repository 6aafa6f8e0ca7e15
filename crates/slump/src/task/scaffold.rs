//! The beginning of a new task: every file in its form, and nothing in it that `check` is content with.

use std::{
    fs,
    path::{Path, PathBuf},
};

use include_dir::{Dir, include_dir};

use crate::Error;

static SCAFFOLD: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scaffold");

/// Writes a new task into the folder of tasks `dir`, and gives its folder.
///
/// # Errors
///
/// [`Error::Name`] if the name is none or taken, [`Error::Write`] if a file cannot be written.
pub fn scaffold_task(dir: &Path, name: &str) -> Result<PathBuf, Error> {
    expect_name(name)?;
    let folder = dir.join(name);
    if folder.exists() {
        return Err(unfit(name, "is there already; choose another name"));
    }
    let failed = |path: &Path, source| Error::Write { path: path.to_path_buf(), source };
    fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
    for file in SCAFFOLD.files() {
        let path = folder.join(file.path());
        fs::write(&path, file.contents()).map_err(|source| failed(&path, source))?;
    }
    Ok(folder)
}

/// A task's name is lower-case words joined by `_`.
pub(crate) fn expect_name(name: &str) -> Result<(), Error> {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    match name.split('_').all(word) && name.starts_with(|first: char| first.is_ascii_lowercase()) {
        true => Ok(()),
        false => Err(unfit(name, "is no name for a task; expected lower-case words joined by _")),
    }
}

fn unfit(name: &str, message: &'static str) -> Error {
    Error::Name { name: name.to_owned(), message }
}
