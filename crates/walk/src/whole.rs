//! Files that are written whole or not at all.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use tempfile::{Builder, NamedTempFile};

/// Writes a file beside its place, under a name that nobody can foresee, and moves it there: no link is followed, and two who write it
/// do not disturb each other. The folders above it are made.
///
/// # Errors
///
/// [`io::Error`] if it cannot be written; what was there is as it was.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    persist(beside(path, bytes)?, path)
}

/// The same, and after a power cut the file is there, too.
///
/// # Errors
///
/// As [`put`]; or it is there, and nobody knows for how long.
pub fn put_for_good(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = beside(path, bytes)?;
    file.as_file().sync_all()?;
    persist(file, path)?;
    File::open(folder_of(path))?.sync_all()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    // As a file that is made without further ado: others may read it where the umask lets them.
    let permissions = Permissions::from_mode(0o666);
    let mut file = Builder::new().prefix(".").suffix(".part").permissions(permissions).tempfile_in(folder)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_what_was_there_and_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let (elsewhere, path) = (dir.path().join("elsewhere"), dir.path().join("new/folder/file"));
        fs::write(&elsewhere, "theirs").unwrap();
        put(&path, b"first").unwrap();
        fs::remove_file(&path).unwrap();
        for name in ["file", "file.part"] {
            std::os::unix::fs::symlink(&elsewhere, path.with_file_name(name)).unwrap();
        }
        put_for_good(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"theirs");
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain), "who may read it is as for any file");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2, "nothing else is left");
        assert!(put(&elsewhere.join("file"), b"x").is_err());
    }
}
