//! The beginning of a new problem: two checkpoints that pass their own check, to be replaced piece by piece.

use std::{
    fs,
    path::{Path, PathBuf},
};

use include_dir::{Dir, include_dir};
use slopbench_tests::problem::ProblemKind;

use crate::Error;

static SCAFFOLD: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scaffold");

/// What stands for the problem's name in texts and in names of files.
const NAME: &str = "PROBLEM_NAME";

/// The longest name, in bytes.
const LONGEST: usize = 64;

/// Writes a new problem into a folder of problems, and gives its folder.
///
/// # Errors
///
/// [`Error::Unfit`] if the name is none, or there is something of this name; [`Error::File`] if it cannot be written.
pub fn scaffold(problems: &Path, name: &str, kind: ProblemKind) -> Result<PathBuf, Error> {
    let folder = problems.join(name);
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_name = name.split('_').all(word) && name.starts_with(|first: char| first.is_ascii_lowercase());
    if !is_name || name.len() > LONGEST {
        let message = "expected lower-case words joined by `_` as a problem's name, which begins with a letter";
        return Err(Error::unfit(folder, message));
    }
    if folder.exists() {
        return Err(Error::unfit(folder, "is there already; choose another name"));
    }
    let kind = match kind {
        ProblemKind::Cli => "cli",
        ProblemKind::Http => "http",
    };
    for (path, text) in files(SCAFFOLD.get_dir(kind).into_iter().collect()) {
        let below = path.strip_prefix(kind).unwrap_or(path).to_string_lossy().replace(NAME, name);
        crate::files::write(&folder.join(below), &text.replace(NAME, name))?;
    }
    Ok(fs::canonicalize(&folder).unwrap_or(folder))
}

/// Every text below some folders.
fn files(mut folders: Vec<&'static Dir<'static>>) -> Vec<(&'static Path, &'static str)> {
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        files.extend(folder.files().filter_map(|file| Some((file.path(), file.contents_utf8()?))));
        folders.extend(folder.dirs());
    }
    files
}
