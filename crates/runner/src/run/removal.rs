//! Removing what a worker left, however it is left.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use slopbench_digest::Sha256;

use super::folder::rename;
use crate::Error;

/// Removes whatever is at `path`, if anything. A worker may have left folders that are closed even to their owner, and more
/// of them inside one another than a path or a stack can hold: each is moved up before it is emptied.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(metadata) if metadata.is_dir() => {
            // What an earlier process did not come to the end of.
            empty(&gone(path)).map_err(failed)?;
            fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(failed)?;
            rename(path, &gone(path).join("0"))?;
        }
        looked => looked.and_then(|_| fs::remove_file(path)).map_err(failed)?,
    }
    empty(&gone(path)).map_err(failed)
}

/// Beside `path`, for what is being removed of it.
fn gone(path: &Path) -> PathBuf {
    // A name of the same length whatever it is of: there may be no room for a longer one.
    let name = Sha256::of(path.file_name().unwrap_or_default().as_encoded_bytes());
    path.with_file_name(format!(".{}.gone", name.short()))
}

/// Removes a folder of folders, none of which is looked into deeper than one level.
fn empty(gone: &Path) -> io::Result<()> {
    let mut folders: Vec<PathBuf> = match fs::read_dir(gone) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
    let mut next = folders.iter().filter_map(number).max().map_or(0, |last| last + 1);
    while let Some(folder) = folders.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            // A link's own type: where it leads is none of our business.
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            // Most are empty, and need not be moved.
            if fs::remove_dir(entry.path()).is_ok() {
                continue;
            }
            // To be moved, a folder has to be open to its owner: its `..` changes.
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700))?;
            let up = gone.join(next.to_string());
            fs::rename(entry.path(), &up)?;
            folders.push(up);
            next += 1;
        }
        fs::remove_dir(&folder)?;
    }
    fs::remove_dir(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_deeper_than_any_path_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("deep");
        // From the inside out, as no path leads to the innermost.
        fs::create_dir(&root).unwrap();
        for _ in 0..5000 {
            let outer = dir.path().join("outer");
            fs::create_dir(&outer).unwrap();
            fs::write(outer.join("file"), "").unwrap();
            fs::rename(&root, outer.join("inner")).unwrap();
            fs::rename(&outer, &root).unwrap();
        }
        fs::set_permissions(&root, fs::Permissions::from_mode(0o000)).unwrap();
        remove(&root).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        remove(&root).unwrap();
    }

    #[test]
    fn a_removal_that_was_interrupted_is_ended_by_the_next_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("elsewhere"), "").unwrap();
        let path = dir.path().join("x");
        for folder in [path.join("a/b"), gone(&path).join("0/c"), gone(&path).join("7")] {
            fs::create_dir_all(&folder).unwrap();
            std::os::unix::fs::symlink(dir.path(), folder.join("link")).unwrap();
        }
        remove(&path).unwrap();
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["elsewhere"]);
    }
}
