//! The files of solutions.

use std::{collections::BTreeMap, fs, path::Path};

use slopbench_digest::Listing;

use crate::Error;

/// The Python files of a solution, by path.
pub(crate) type Sources = BTreeMap<String, String>;

pub(crate) fn sources(solution: &Path) -> Result<Sources, Error> {
    let listing = Listing::of_dir(solution, "")?;
    let python = listing.0.into_keys().filter(|path| path.ends_with(".py"));
    python
        .map(|path| {
            let file = solution.join(&path);
            Ok((path, fs::read_to_string(&file).map_err(Error::file(file))?))
        })
        .collect()
}

/// Writes a file, and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    fs::write(path, text).map_err(Error::file(path))
}

/// Copies a solution's folder.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::file(to))?;
    for entry in fs::read_dir(from).map_err(Error::file(from))? {
        let entry = entry.map_err(Error::file(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(Error::file(path))?;
        }
    }
    Ok(())
}
