//! Reading a tree in order.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, readlinkat, statat};

use crate::Cursor;

/// A walk through a tree, depth first, the names of each folder sorted by their bytes.
///
/// It takes three descriptors at most, and memory for the names of the folders on the way to where it is.
#[derive(Debug)]
pub struct Walk {
    cursor: Cursor,
    levels: Vec<Level>,
    path: Vec<u8>,
    name: CString,
    most: u64,
    listed: u64,
}

/// What a walk came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkStep {
    /// [`Walk::name`] lies in [`Walk::folder`]. A folder is passed by unless it is [entered](Walk::enter).
    Found(FileType),
    /// An entered folder has no more in it. [`Walk::name`] is its name, and [`Walk::folder`] where it lies.
    Left,
}

/// A folder on the way.
#[derive(Debug)]
struct Level {
    names: Names,
    /// How long its own path is.
    path: usize,
}

impl Walk {
    /// A walk through a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be listed.
    pub fn new(folder: OwnedFd) -> io::Result<Self> {
        Self::of_at_most(folder, u64::MAX)
    }

    /// The same, which lists no more names than these: beyond, [`Walk::is_over`] holds.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn of_at_most(folder: OwnedFd, most: u64) -> io::Result<Self> {
        let cursor = Cursor::new(folder);
        let mut walk = Self { cursor, levels: Vec::new(), path: Vec::new(), name: CString::default(), most, listed: 0 };
        walk.list()?;
        Ok(walk)
    }

    /// Whether there were more names than were to be listed. Then the walk is not through all of the tree.
    pub fn is_over(&self) -> bool {
        self.listed > self.most
    }

    /// Goes on to what comes next; nothing at the end.
    ///
    /// # Errors
    ///
    /// If the way up is lost, as when folders are moved meanwhile. The walk is over then.
    pub fn step(&mut self) -> io::Result<Option<WalkStep>> {
        let Some(level) = self.levels.last_mut() else { return Ok(None) };
        self.path.truncate(level.path);
        if let Some((name, kind)) = level.names.next() {
            if !self.path.is_empty() {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(name.to_bytes());
            self.name = name.to_owned();
            return kind.map_or_else(|| self.kind(), Ok).map(WalkStep::Found).map(Some);
        }
        self.levels.pop();
        if self.levels.is_empty() {
            return Ok(None);
        }
        self.cursor.up()?;
        let name = self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        self.name = CString::new(name)?;
        Ok(Some(WalkStep::Left))
    }

    /// Goes into the folder that was just found.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, listed and searched: then it is passed by.
    pub fn enter(&mut self) -> io::Result<()> {
        self.cursor.down(&self.name)?;
        let listed = self.list();
        if listed.is_err() {
            self.cursor.up()?;
        }
        listed
    }

    /// The folder that the walk is in.
    pub fn folder(&self) -> BorrowedFd<'_> {
        self.cursor.folder()
    }

    /// How many folders lie above it, up to the tree's own.
    pub fn depth(&self) -> usize {
        self.cursor.depth()
    }

    /// The name of what the last step came to.
    pub fn name(&self) -> &CStr {
        &self.name
    }

    /// Its path from the tree's own folder. May be longer than what a system call takes.
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.path))
    }

    /// What the system knows of it; of a link itself, not of where it leads.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn status(&self) -> io::Result<Stat> {
        Ok(statat(self.folder(), self.name(), AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Opens it for reading, if it is no link. Never waits, as for who writes to a pipe.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn file(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(self.folder(), self.name(), flags, Mode::empty())?.into())
    }

    /// Where it leads, if it is a link.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn target(&self) -> io::Result<OsString> {
        Ok(OsString::from_vec(readlinkat(self.folder(), self.name(), Vec::new())?.into_bytes()))
    }

    fn list(&mut self) -> io::Result<()> {
        let room = self.most.saturating_sub(self.listed);
        let names = Names::of(self.cursor.folder(), room)?;
        self.listed = self.listed.saturating_add(names.entries.len() as u64);
        self.levels.push(Level { names, path: self.path.len() });
        Ok(())
    }

    /// What a thing is, where its folder does not say. What is gone meanwhile is nothing in particular.
    fn kind(&self) -> io::Result<FileType> {
        Ok(self.status().map_or(FileType::Unknown, |status| FileType::from_raw_mode(status.st_mode)))
    }
}

/// The names in a folder, one behind the other: there may be a million.
#[derive(Debug, Default)]
struct Names {
    bytes: Vec<u8>,
    /// Where each begins, and what it names if the folder says.
    entries: Vec<(u32, FileType)>,
    next: usize,
}

impl Names {
    /// The names in a folder, sorted. Reading stops once there are more than `most`.
    fn of(folder: BorrowedFd<'_>, most: u64) -> io::Result<Self> {
        let mut names = Self::default();
        for entry in Dir::new(again(folder)?)? {
            let entry = entry?;
            if is_real(entry.file_name()) {
                let start = u32::try_from(names.bytes.len()).map_err(io::Error::other)?;
                names.bytes.extend_from_slice(entry.file_name().to_bytes_with_nul());
                names.entries.push((start, entry.file_type()));
            }
            if names.entries.len() as u64 > most {
                break;
            }
        }
        let Self { bytes, entries, .. } = &mut names;
        entries.sort_unstable_by(|(one, _), (other, _)| name_at(bytes, *one).cmp(name_at(bytes, *other)));
        Ok(names)
    }

    fn next(&mut self) -> Option<(&CStr, Option<FileType>)> {
        let (start, kind) = *self.entries.get(self.next)?;
        self.next += 1;
        Some((name_at(&self.bytes, start), Some(kind).filter(|kind| *kind != FileType::Unknown)))
    }
}

fn name_at(bytes: &[u8], start: u32) -> &CStr {
    let name = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    name.and_then(|name| CStr::from_bytes_until_nul(name).ok()).unwrap_or_default()
}

/// A descriptor of its own for the same folder: reading on from where another reader stopped would find nothing.
pub(crate) fn again(folder: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, c".", flags, Mode::empty())?)
}

pub(crate) fn is_real(name: &CStr) -> bool {
    !matches!(name.to_bytes(), b"." | b"..")
}
