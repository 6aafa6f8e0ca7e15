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
    let unfit = |message| Error::Name { name: name.to_owned(), message };
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if !name.split('_').all(word) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err(unfit("is no name for a task; expected lower-case words joined by _"));
    }
    let folder = dir.join(name);
    if folder.exists() {
        return Err(unfit("is there already; choose another name"));
    }
    let failed = |path: &Path, source| Error::Write { path: path.to_path_buf(), source };
    fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
    for file in SCAFFOLD.files() {
        let path = folder.join(file.path());
        fs::write(&path, file.contents()).map_err(|source| failed(&path, source))?;
    }
    Ok(folder)
}
