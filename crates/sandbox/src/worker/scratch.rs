//! Emptying what a task could write to, where it cannot be made anew: without capabilities nothing can be mounted.

use std::ffi::{CStr, CString};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, SFlag, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::folder::unlock;

/// Empties a folder of the caller's own, whatever lies in it, and gives it back its mode.
///
/// Nobody else may be at work in it. Folders in folders are moved up before they are emptied, so that no depth takes more
/// than one descriptor.
pub(super) fn empty(folder: &Path) -> nix::Result<()> {
    // It may have been closed even to its owner.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).map_err(errno)?;
    let top = open(AT_FDCWD, &CString::new(folder.as_os_str().as_encoded_bytes()).map_err(|_| Errno::EINVAL)?)?;
    forget_attributes(&top)?;
    let mut moved = 0;
    loop {
        let entries = list(&top)?;
        if entries.is_empty() {
            return Ok(());
        }
        for (name, is_folder) in entries {
            if is_folder {
                unlock(&top, &name)?;
                flatten(&top, &name, &mut moved)?;
                unlinkat(&top, name.as_c_str(), UnlinkatFlags::RemoveDir)?;
            } else {
                unlinkat(&top, name.as_c_str(), UnlinkatFlags::NoRemoveDir)?;
            }
        }
    }
}

/// Empties one folder: its folders move up, all else goes.
fn flatten(top: &OwnedFd, name: &CStr, moved: &mut u64) -> nix::Result<()> {
    let folder = open(top, name)?;
    for (name, is_folder) in list(&folder)? {
        if !is_folder {
            unlinkat(&folder, name.as_c_str(), UnlinkatFlags::NoRemoveDir)?;
            continue;
        }
        // Moving a folder changes its entry `..`.
        unlock(&folder, &name)?;
        loop {
            *moved += 1;
            let place = CString::new(format!("moved-{moved}")).map_err(|_| Errno::EINVAL)?;
            match renameat(&folder, name.as_c_str(), top, place.as_c_str()) {
                // The task has used this very name.
                Err(Errno::EEXIST | Errno::ENOTEMPTY | Errno::ENOTDIR) => {}
                other => break other?,
            }
        }
    }
    Ok(())
}

/// Removes extended attributes and access lists: a task could leave itself a note there.
fn forget_attributes(folder: &OwnedFd) -> nix::Result<()> {
    let unsupported = |error: rustix::io::Errno| match error {
        rustix::io::Errno::NOTSUP => Ok(0),
        other => Err(Errno::from_raw(other.raw_os_error())),
    };
    let mut names = vec![0; 64 << 10];
    let length = rustix::fs::flistxattr(folder, names.as_mut_slice()).or_else(unsupported)?;
    for name in names.get(..length).unwrap_or_default().split(|byte| *byte == 0) {
        if name.starts_with(b"user.") || name.starts_with(b"system.") {
            rustix::fs::fremovexattr(folder, name).map_err(|error| Errno::from_raw(error.raw_os_error()))?;
        }
    }
    Ok(())
}

fn open(parent: impl std::os::fd::AsFd, name: &CStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// What lies in a folder, and whether it is a folder.
fn list(folder: &OwnedFd) -> nix::Result<Vec<(CString, bool)>> {
    // A descriptor of its own: reading on from where another reader stopped would find nothing.
    let again = open(folder, c".")?;
    let mut entries = Vec::new();
    for entry in Dir::from_fd(again)?.iter() {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let is_folder = match entry.file_type() {
            Some(kind) => kind == Type::Directory,
            None => {
                let mode = fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW)?.st_mode;
                mode & SFlag::S_IFMT.bits() == SFlag::S_IFDIR.bits()
            }
        };
        entries.push((name.to_owned(), is_folder));
    }
    Ok(entries)
}

fn errno(error: std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_stays_whatever_it_is() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        fs::create_dir_all(at("a/b/c/d")).unwrap();
        fs::create_dir_all(at("moved-1/moved-2")).unwrap();
        fs::write(at("moved-3"), "in the way").unwrap();
        fs::write(at("a/b/file"), "").unwrap();
        symlink(outside.path(), at("a/link")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        for closed in ["a/b", "a", ""] {
            fs::set_permissions(at(closed), fs::Permissions::from_mode(0o0)).unwrap();
        }
        empty(dir.path()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert_eq!(fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn no_depth_is_too_much() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = open(AT_FDCWD, &CString::new(dir.path().to_str().unwrap()).unwrap()).unwrap();
        for _ in 0..5000 {
            nix::sys::stat::mkdirat(&folder, c"d", Mode::S_IRWXU).unwrap();
            folder = open(&folder, c"d").unwrap();
        }
        drop(folder);
        empty(dir.path()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
