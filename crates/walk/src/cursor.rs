//! Going down and up in a tree with two descriptors.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, fstat, openat};

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder; a symbolic link to one is an error.
///
/// # Errors
///
/// What the system says.
pub fn open(path: &Path) -> io::Result<OwnedFd> {
    Ok(openat(rustix::fs::CWD, path, FOLDER, Mode::empty())?)
}

/// An open folder of a tree, with the way back up to the tree's own folder.
#[derive(Debug)]
pub struct Cursor {
    here: OwnedFd,
    /// The folder above, unless this one was come to from below. A folder that may be listed but not searched has no `..`,
    /// and nothing can be entered in it: one folder is enough to be kept.
    parent: Option<OwnedFd>,
    /// What the folders above are, the tree's own first.
    above: Vec<Identity>,
}

/// Device and inode.
type Identity = (u64, u64);

impl Cursor {
    /// A cursor in a tree's own folder.
    pub fn new(folder: OwnedFd) -> Self {
        Self { here: folder, parent: None, above: Vec::new() }
    }

    /// The folder that the cursor is in.
    pub fn folder(&self) -> BorrowedFd<'_> {
        self.here.as_fd()
    }

    /// How many folders lie above it, up to the tree's own.
    pub fn depth(&self) -> usize {
        self.above.len()
    }

    /// Goes into a folder of this one.
    ///
    /// # Errors
    ///
    /// What the system says; then the cursor stays.
    pub fn down(&mut self, name: &CStr) -> io::Result<()> {
        let below = openat(&self.here, name, FOLDER, Mode::empty())?;
        self.above.push(identity(&self.here)?);
        self.parent = Some(std::mem::replace(&mut self.here, below));
        Ok(())
    }

    /// Goes back into the folder above.
    ///
    /// # Errors
    ///
    /// What the system says; also if the folder was moved since the cursor came through, or if there is none above.
    pub fn up(&mut self) -> io::Result<()> {
        let expected = self.above.pop().ok_or_else(|| io::Error::other("there is no folder above the tree's own"))?;
        let parent = match self.parent.take() {
            Some(parent) => parent,
            None => openat(&self.here, c"..", FOLDER, Mode::empty())?,
        };
        if identity(&parent)? != expected {
            return Err(io::Error::other("a folder was moved while the tree was walked"));
        }
        self.here = parent;
        Ok(())
    }
}

fn identity(folder: &OwnedFd) -> io::Result<Identity> {
    let status = fstat(folder)?;
    Ok((status.st_dev, status.st_ino))
}
