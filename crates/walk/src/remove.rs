//! Clearing a tree away.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, chmodat, fchmod, fstat, statat, unlinkat};
use rustix::io::Errno;

use crate::walk::{again, is_real};
use crate::{Cursor, open};

/// How many names of folders are kept, on all the way down together.
const KEPT: usize = 16 << 10;

/// Removes a folder with all that is in it, or whatever else lies at `path`. What is not there is no error.
///
/// The caller owns all of it, or is root, and nobody else is at work there. Folders that were closed even to their owner
/// are opened.
///
/// # Errors
///
/// What the system says.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_dir() => {
            chmodat(rustix::fs::CWD, path, Mode::RWXU, AtFlags::empty())?;
            empty(open(path)?)?;
            fs::remove_dir(path)
        }
        Ok(_) => fs::remove_file(path),
    }
}

/// Removes all that lies in a folder, as [`remove`] does.
///
/// # Errors
///
/// What the system says.
pub fn empty(folder: OwnedFd) -> io::Result<()> {
    let mut cursor = Cursor::new(folder);
    unlock(cursor.folder())?;
    let mut levels = vec![Swept::default()];
    while let Some(level) = levels.last_mut() {
        if let Some(name) = level.folders.last() {
            enter(&mut cursor, name)?;
            levels.push(Swept::default());
            continue;
        }
        *level = sweep(&cursor)?;
        // Only what a look found empty is empty: a look need not see all there is.
        if level.is_empty() {
            levels.pop();
            if let Some(name) = levels.last_mut().and_then(|level| level.folders.pop()) {
                cursor.up()?;
                unlinkat(cursor.folder(), name.as_c_str(), AtFlags::REMOVEDIR)?;
            }
        }
    }
    Ok(())
}

/// What a look at a folder found.
#[derive(Default)]
struct Swept {
    /// Folders in it, not necessarily all. While the last one is emptied, the others wait.
    folders: Vec<CString>,
    /// How much else was removed.
    removed: u64,
}

impl Swept {
    fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.removed == 0
    }
}

/// Removes what is no folder, and lists some of the folders: fewer the deeper they lie, so that no tree takes much memory.
fn sweep(cursor: &Cursor) -> io::Result<Swept> {
    let most = 1 + KEPT / (cursor.depth() + 1);
    let mut swept = Swept::default();
    for entry in Dir::new(again(cursor.folder())?)? {
        let entry = entry?;
        let name = entry.file_name();
        if !is_real(name) {
            continue;
        }
        if !is_folder(cursor.folder(), name, entry.file_type())? {
            unlinkat(cursor.folder(), name, AtFlags::empty())?;
            swept.removed += 1;
        } else if swept.folders.len() < most {
            swept.folders.push(name.to_owned());
        }
    }
    Ok(swept)
}

fn is_folder(folder: BorrowedFd<'_>, name: &CStr, told: FileType) -> io::Result<bool> {
    match told {
        FileType::Unknown => {
            let status = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(FileType::from_raw_mode(status.st_mode).is_dir())
        }
        told => Ok(told.is_dir()),
    }
}

fn enter(cursor: &mut Cursor, name: &CStr) -> io::Result<()> {
    match cursor.down(name) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // By its name, as it cannot be opened: it was listed as a folder, and nobody is left who could make a link of it.
            chmodat(cursor.folder(), name, Mode::RWXU, AtFlags::empty())?;
            cursor.down(name)?;
        }
        entered => entered?,
    }
    unlock(cursor.folder())
}

/// Gives a folder's owner all rights to it.
fn unlock(folder: BorrowedFd<'_>) -> io::Result<()> {
    let mode = Mode::from_raw_mode(fstat(folder)?.st_mode);
    if mode.contains(Mode::RWXU) {
        return Ok(());
    }
    match fchmod(folder, Mode::RWXU) {
        // Not ours: then what lies in it may be ours to remove all the same.
        Err(Errno::PERM) => Ok(()),
        changed => Ok(changed?),
    }
}
