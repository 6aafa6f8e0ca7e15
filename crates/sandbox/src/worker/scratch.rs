//! Emptying what a task could write to, where it cannot be made anew: without capabilities nothing can be mounted.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Empties a folder of the caller's own, whatever lies in it, and gives it back its mode.
///
/// Nobody else may be at work in it.
pub(super) fn empty(folder: &Path) -> io::Result<()> {
    // It may have been closed even to its owner.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    let top = slopbench_walk::open(folder)?;
    forget_attributes(&top)?;
    slopbench_walk::empty(top)
}

/// Removes extended attributes and access lists: a task could leave itself a note there.
fn forget_attributes(folder: &OwnedFd) -> io::Result<()> {
    let unsupported = |error: rustix::io::Errno| match error {
        rustix::io::Errno::NOTSUP => Ok(0),
        other => Err(other),
    };
    let mut names = vec![0; 64 << 10];
    let length = rustix::fs::flistxattr(folder, names.as_mut_slice()).or_else(unsupported)?;
    for name in names.get(..length).unwrap_or_default().split(|byte| *byte == 0) {
        if name.starts_with(b"user.") || name.starts_with(b"system.") {
            rustix::fs::fremovexattr(folder, name)?;
        }
    }
    Ok(())
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
}
