//! What foreign code left in a folder, copied out: plain files, folders and inner links, and nothing by surprise.
//!
//! Nobody may be at work in the folder any more. No symbolic link is followed, whatever it is called; what is left out
//! is named with the reason.

use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open, readlinkat};
use nix::libc::nlink_t;
use nix::sys::stat::{FileStat, Mode, SFlag, fchmod, fstat, fstatat, mkdirat};
use nix::unistd::symlinkat;
use serde::{Deserialize, Serialize};
use slopbench_digest::Exclusion;

use crate::folder::beneath;

/// The longest path that the system takes, in bytes, without its end.
const LONGEST_PATH: usize = 4095;

/// How much is copied. What is an [`Exclusion`] is left out without a word: it is no part of what was written, and differs
/// from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The most files, folders and links.
    pub entries: u64,
    /// The most bytes in files.
    pub bytes: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { entries: 100_000, bytes: 1 << 30 }
    }
}

/// A copy that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Files, folders and links in it.
    pub entries: u64,
    /// Bytes in its files.
    pub bytes: u64,
    /// What was left out, in the order of the paths, with `\xNN` for bytes that are no UTF-8.
    pub skipped: Vec<Skipped>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    /// Its path in the folder.
    pub path: String,
    /// Why.
    pub reason: Reason,
}

/// Why something is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A device.
    Device,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A file that has another name somewhere that is not copied.
    HardLink,
    /// A link that leads out of the folder, or may: its target is absolute, or climbs after it descended.
    EscapingLink,
    /// A name that is no UTF-8.
    NotUtf8,
    /// A path of more than 4,095 bytes.
    TooLong,
    /// A file or folder that its owner may not read.
    Unreadable,
}

/// A copy that could not be made. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The system refused something.
    #[error("cannot copy {}: {source}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is more than the rules allow.
    #[error("{} holds more than {most} {what}; raise the limit if that is meant to be", folder.display())]
    TooMuch {
        /// Which folder.
        folder: PathBuf,
        /// The limit.
        most: u64,
        /// Of what.
        what: &'static str,
    },
}

impl Snapshot {
    /// Copies `folder` to `to`, which must not exist. Files are 0644, or 0755 if their owner may run them; folders 0755.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; then `to` is not there.
    pub fn take(folder: &Path, to: &Path, rules: &Rules) -> Result<Self, SnapshotError> {
        let named = |path: &Path, source: io::Error| SnapshotError::Io { path: path.to_owned(), source };
        fs::create_dir(to).map_err(|error| named(to, error))?;
        let copied = Copy::new(folder, to, rules).and_then(Copy::all);
        if copied.is_err() {
            // The first error is the one to be told.
            let _ = fs::remove_dir_all(to);
        }
        copied
    }
}

/// A copy in the making.
struct Copy<'a> {
    folder: &'a Path,
    rules: &'a Rules,
    from: OwnedFd,
    to: OwnedFd,
    /// Folders that are still to be copied, as paths: no depth takes more than one descriptor a side.
    pending: Vec<PathBuf>,
    /// Files of several names, by inode: the paths seen, and how many names there are.
    linked: BTreeMap<u64, (Vec<PathBuf>, nlink_t)>,
    snapshot: Snapshot,
}

impl<'a> Copy<'a> {
    fn new(folder: &'a Path, to: &Path, rules: &'a Rules) -> Result<Self, SnapshotError> {
        let root = |path: &Path| {
            let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
            let opened = open(path, flags, Mode::empty());
            opened.map_err(|errno| SnapshotError::Io { path: path.to_owned(), source: errno.into() })
        };
        let (from, to) = (root(folder)?, root(to)?);
        let (pending, linked) = (vec![PathBuf::new()], BTreeMap::new());
        Ok(Self { folder, rules, from, to, pending, linked, snapshot: Snapshot::default() })
    }

    fn all(mut self) -> Result<Snapshot, SnapshotError> {
        while let Some(path) = self.pending.pop() {
            self.folder(&path)?;
        }
        for (paths, names) in std::mem::take(&mut self.linked).into_values() {
            for path in &paths {
                match nlink_t::try_from(paths.len()) == Ok(names) {
                    true => self.file(path)?,
                    false => self.skip(path.as_os_str().as_bytes(), Reason::HardLink),
                }
            }
        }
        self.snapshot.skipped.sort();
        Ok(self.snapshot)
    }

    /// Copies what lies in one folder; its folders are left for later.
    fn folder(&mut self, path: &Path) -> Result<(), SnapshotError> {
        let flags = OFlag::O_DIRECTORY | OFlag::O_RDONLY;
        let opened = match path.as_os_str().is_empty() {
            true => self.from.try_clone().map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0))),
            false => beneath(&self.from, path, flags, Mode::empty()),
        };
        let folder = match opened {
            Err(Errno::EACCES | Errno::EPERM) => {
                self.skip(path.as_os_str().as_bytes(), Reason::Unreadable);
                return Ok(());
            }
            opened => opened.map_err(|errno| self.wrong(path, errno))?,
        };
        let mut listed = folder
            .try_clone()
            .map_err(|_| Errno::EMFILE)
            .and_then(Dir::from_fd)
            .map_err(|errno| self.wrong(path, errno))?;
        for entry in listed.iter() {
            let entry = entry.map_err(|errno| self.wrong(path, errno))?;
            let name = entry.file_name();
            if !matches!(name.to_bytes(), b"." | b"..") {
                self.entry(path, &folder, name)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, parent: &Path, folder: &OwnedFd, name: &CStr) -> Result<(), SnapshotError> {
        let path = parent.join(OsStr::from_bytes(name.to_bytes()));
        let bytes = path.as_os_str().as_bytes();
        let Ok(text) = name.to_str() else {
            self.skip(bytes, Reason::NotUtf8);
            return Ok(());
        };
        if Exclusion::of_name(text).is_some() {
            return Ok(());
        }
        if bytes.len() > LONGEST_PATH {
            self.skip(bytes, Reason::TooLong);
            return Ok(());
        }
        let status = fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW).map_err(|errno| self.wrong(&path, errno))?;
        match kind(&status) {
            SFlag::S_IFDIR => self.make(&path),
            SFlag::S_IFREG if status.st_nlink > 1 => {
                let (paths, names) = self.linked.entry(status.st_ino).or_default();
                paths.push(path);
                *names = status.st_nlink;
                Ok(())
            }
            SFlag::S_IFREG => self.file(&path),
            SFlag::S_IFLNK => self.link(&path, folder, name),
            special => {
                self.skip(bytes, reason(special));
                Ok(())
            }
        }
    }

    fn make(&mut self, path: &Path) -> Result<(), SnapshotError> {
        self.count(0)?;
        self.target(path, |parent, name| mkdirat(parent, name, Mode::from_bits_truncate(0o755)))?;
        self.pending.push(path.to_owned());
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), SnapshotError> {
        let flags = OFlag::O_RDONLY | OFlag::O_NONBLOCK;
        let source = match beneath(&self.from, path, flags, Mode::empty()) {
            Err(Errno::EACCES | Errno::EPERM) => {
                self.skip(path.as_os_str().as_bytes(), Reason::Unreadable);
                return Ok(());
            }
            opened => opened.map_err(|errno| self.wrong(path, errno))?,
        };
        let status = fstat(&source).map_err(|errno| self.wrong(path, errno))?;
        self.count(status.st_size.cast_unsigned())?;
        let mode = Mode::from_bits_truncate(if status.st_mode & 0o100 == 0 { 0o644 } else { 0o755 });
        let created = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL;
        let target = self.target(path, |parent, name| {
            let target = beneath(parent, name, created, mode)?;
            fchmod(&target, mode).map(|()| target)
        })?;
        let copied = io::copy(&mut File::from(source), &mut File::from(target));
        copied.map(drop).map_err(|source| SnapshotError::Io { path: self.folder.join(path), source })
    }

    fn link(&mut self, path: &Path, folder: &OwnedFd, name: &CStr) -> Result<(), SnapshotError> {
        let target = readlinkat(folder, name).map_err(|errno| self.wrong(path, errno))?;
        let depth = path.components().count() - 1;
        if !stays_inside(Path::new(&target), depth) {
            self.skip(path.as_os_str().as_bytes(), Reason::EscapingLink);
            return Ok(());
        }
        self.count(0)?;
        self.target(path, |parent, name| symlinkat(target.as_os_str(), parent, name))
    }

    /// Makes something at `path` in the copy.
    fn target<T>(&self, path: &Path, make: impl FnOnce(&OwnedFd, &Path) -> nix::Result<T>) -> Result<T, SnapshotError> {
        let name = Path::new(path.file_name().unwrap_or_default());
        let made = match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => {
                let parent = beneath(&self.to, parent, OFlag::O_DIRECTORY, Mode::empty());
                parent.and_then(|parent| make(&parent, name))
            }
            None => make(&self.to, name),
        };
        made.map_err(|errno| self.wrong(path, errno))
    }

    fn count(&mut self, bytes: u64) -> Result<(), SnapshotError> {
        self.snapshot.entries += 1;
        self.snapshot.bytes = self.snapshot.bytes.saturating_add(bytes);
        let limits = [
            (self.snapshot.entries, self.rules.entries, "files, folders and links"),
            (self.snapshot.bytes, self.rules.bytes, "bytes"),
        ];
        match limits.into_iter().find(|(found, most, _)| found > most) {
            Some((_, most, what)) => Err(SnapshotError::TooMuch { folder: self.folder.to_owned(), most, what }),
            None => Ok(()),
        }
    }

    fn skip(&mut self, path: &[u8], reason: Reason) {
        let mut text = String::new();
        for chunk in path.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        self.snapshot.skipped.push(Skipped { path: text, reason });
    }

    fn wrong(&self, path: &Path, errno: Errno) -> SnapshotError {
        SnapshotError::Io { path: self.folder.join(path), source: errno.into() }
    }
}

fn kind(status: &FileStat) -> SFlag {
    SFlag::from_bits_truncate(status.st_mode & SFlag::S_IFMT.bits())
}

/// Why what is neither file, folder nor link is left out.
fn reason(kind: SFlag) -> Reason {
    match kind {
        SFlag::S_IFIFO => Reason::Fifo,
        SFlag::S_IFSOCK => Reason::Socket,
        _ => Reason::Device,
    }
}

/// Whether a link's target lies in the tree whatever other links do, so long as they keep to this rule too: it climbs, no
/// higher than the tree's root, and then only descends. What climbs after a descent may have come down by another link,
/// and so climb from elsewhere.
fn stays_inside(target: &Path, depth: usize) -> bool {
    let mut parts = target.components().filter(|part| *part != Component::CurDir).peekable();
    let mut climbed = 0;
    while parts.next_if_eq(&Component::ParentDir).is_some() {
        climbed += 1;
    }
    climbed <= depth && parts.all(|part| matches!(part, Component::Normal(_)))
}
