//! What foreign code left in a folder, copied out: plain files, folders and inner links, and nothing by surprise.
//!
//! Nobody may be at work in the folder any more. No symbolic link is followed, whatever it is called; what is left out
//! is named with the reason.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::libc::nlink_t;
use nix::sys::stat::{Mode, fchmod, mkdirat};
use nix::unistd::symlinkat;
use serde::{Deserialize, Serialize};
use slopbench_digest::Exclusion;
use slopbench_walk::{Cursor, FileType, Walk, WalkStep};

use crate::folder::beneath;

/// The longest path that is copied, in bytes. Whoever reads the copy puts the path of a folder before it, and no system
/// call takes more than 4,095 of them.
const LONGEST_PATH: usize = 1024;

/// How many of the things that are left out are named; the others are counted.
const NAMED: usize = 100;

/// The most names that are looked at for each that may be copied: what is left out takes memory, too.
const LOOKS: u64 = 5;

/// What is copied, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyRules {
    /// The most files, folders and links.
    pub entries: u64,
    /// The most bytes in files.
    pub bytes: u64,
    /// Whether what is an [`Exclusion`] is copied, too, as of an agent's home. Else it is left out without a word: it is no
    /// part of what was written, and differs from run to run.
    pub whole: bool,
}

impl Default for CopyRules {
    fn default() -> Self {
        Self { entries: 100_000, bytes: 1 << 30, whole: false }
    }
}

/// A copy that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Files, folders and links in it.
    pub entries: u64,
    /// Bytes in its files.
    pub bytes: u64,
    /// What was left out.
    pub skipped: Skips,
}

/// What was left out of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skips {
    /// How much, by reason.
    pub count: BTreeMap<SkipReason, u64>,
    /// At most a hundred of them, in the order of the paths.
    pub named: Vec<SkippedEntry>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SkippedEntry {
    /// Its path in the folder, with `\xNN` for bytes that are no UTF-8.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why something is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
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
    /// A path of more than 1,024 bytes.
    TooLong,
    /// A file or folder that its owner may not read, or that the system does not let us read.
    Unreadable,
}

/// A copy that could not be made. Nothing of it is left.
///
/// [`TooMuch`](Self::TooMuch) is the doing of whoever filled the folder, and comes again however often the copy is tried;
/// [`Io`](Self::Io) is the machine's. Whatever else is odd in a folder is left out.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The machine failed.
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
    pub fn take(folder: &Path, to: &Path, rules: &CopyRules) -> Result<Self, SnapshotError> {
        let named = |path: &Path, source: io::Error| SnapshotError::Io { path: path.to_owned(), source };
        fs::create_dir(to).map_err(|error| named(to, error))?;
        let copied = Copy::all(folder, to, rules);
        if copied.is_err() {
            // The first error is the one to be told.
            let _ = slopbench_walk::remove(to);
        }
        copied
    }
}

/// A copy in the making.
struct Copy<'a> {
    folder: &'a Path,
    rules: &'a CopyRules,
    /// Where in the folder.
    walk: Walk,
    /// The same place in the copy.
    to: Cursor,
    /// Files of several names, by device and inode: the paths seen, and how many names there are.
    linked: BTreeMap<(u64, u64), (Vec<PathBuf>, nlink_t)>,
    snapshot: Snapshot,
}

impl<'a> Copy<'a> {
    fn all(folder: &'a Path, to: &Path, rules: &'a CopyRules) -> Result<Snapshot, SnapshotError> {
        let named = |path: &Path| {
            let path = path.to_owned();
            |source| SnapshotError::Io { path, source }
        };
        let from = slopbench_walk::open(folder);
        let walk = from.and_then(|from| Walk::of_at_most(from, rules.entries.saturating_mul(LOOKS)));
        let to = slopbench_walk::open(to).map(Cursor::new).map_err(named(to))?;
        let walk = match walk {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let mut snapshot = Snapshot::default();
                snapshot.skip(Path::new("."), SkipReason::Unreadable);
                return Ok(snapshot);
            }
            walk => walk.map_err(named(folder))?,
        };
        let (linked, snapshot) = (BTreeMap::new(), Snapshot::default());
        let mut copy = Self { folder, rules, walk, to, linked, snapshot };
        copy.walk()?;
        copy.linked()?;
        copy.snapshot.skipped.named.sort();
        Ok(copy.snapshot)
    }

    fn walk(&mut self) -> Result<(), SnapshotError> {
        loop {
            self.keep_to(self.walk.is_over(), self.rules.entries.saturating_mul(LOOKS), "names")?;
            match self.walk.step().map_err(|error| self.wrong(error))? {
                None => return Ok(()),
                Some(WalkStep::Left) => self.to.up().map_err(|error| self.wrong(error))?,
                Some(WalkStep::Found(kind)) => self.found(kind)?,
            }
        }
    }

    fn found(&mut self, kind: FileType) -> Result<(), SnapshotError> {
        match self.walk.name().to_str() {
            Err(_) => return self.skip(SkipReason::NotUtf8),
            Ok(name) if !self.rules.whole && Exclusion::of_name(name).is_some() => return Ok(()),
            Ok(_) => {}
        }
        if self.walk.path().as_os_str().len() > LONGEST_PATH {
            return self.skip(SkipReason::TooLong);
        }
        match kind {
            FileType::Directory => self.enter(),
            FileType::RegularFile => self.file(),
            FileType::Symlink => self.link(),
            special => self.skip(reason(special)),
        }
    }

    fn enter(&mut self) -> Result<(), SnapshotError> {
        if let Err(error) = self.walk.enter() {
            return self.refused(error);
        }
        self.count(0)?;
        let made = mkdirat(self.to.folder(), self.walk.name(), Mode::from_bits_truncate(0o755));
        made.map_err(io::Error::from).and_then(|()| self.to.down(self.walk.name())).map_err(|error| self.wrong(error))
    }

    fn file(&mut self) -> Result<(), SnapshotError> {
        let opened = self.walk.file().and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, source) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.refused(error),
        };
        if metadata.nlink() > 1 {
            let (paths, names) = self.linked.entry((metadata.dev(), metadata.ino())).or_default();
            paths.push(self.walk.path().to_owned());
            *names = metadata.nlink();
            return Ok(());
        }
        self.count(metadata.len())?;
        let target = create(self.to.folder(), Path::new(self.walk.name().to_str().unwrap_or_default()), &metadata);
        copy(source, target).map_err(|error| self.wrong(error))
    }

    fn link(&mut self) -> Result<(), SnapshotError> {
        let target = match self.walk.target() {
            Ok(target) => target,
            Err(error) => return self.refused(error),
        };
        if !stays_inside(Path::new(&target), self.walk.path().components().count() - 1) {
            return self.skip(SkipReason::EscapingLink);
        }
        self.count(0)?;
        let made = symlinkat(target.as_os_str(), self.to.folder(), self.walk.name());
        made.map_err(|errno| self.wrong(errno.into()))
    }

    /// Copies files of several names, if all of these were found.
    fn linked(&mut self) -> Result<(), SnapshotError> {
        for (paths, names) in std::mem::take(&mut self.linked).into_values() {
            for path in &paths {
                match nlink_t::try_from(paths.len()) == Ok(names) {
                    true => self.copy_at(path)?,
                    false => self.snapshot.skip(path, SkipReason::HardLink),
                }
            }
        }
        Ok(())
    }

    /// Copies a file by its path. The walk is through: both cursors are at the top again.
    fn copy_at(&mut self, path: &Path) -> Result<(), SnapshotError> {
        let wrong = |source| SnapshotError::Io { path: self.folder.join(path), source };
        let flags = OFlag::O_RDONLY | OFlag::O_NONBLOCK;
        let source = beneath(self.walk.folder(), path, flags, Mode::empty()).map(File::from);
        let source = source.map_err(|errno| wrong(errno.into()))?;
        let metadata = source.metadata().map_err(wrong)?;
        let target = create(self.to.folder(), path, &metadata);
        copy(source, target).map_err(wrong)?;
        self.count(metadata.len())
    }

    fn count(&mut self, bytes: u64) -> Result<(), SnapshotError> {
        let Snapshot { entries, bytes: sum, .. } = &mut self.snapshot;
        *entries += 1;
        *sum = sum.saturating_add(bytes);
        let (entries, sum) = (*entries, *sum);
        self.keep_to(entries > self.rules.entries, self.rules.entries, "files, folders and links")?;
        self.keep_to(sum > self.rules.bytes, self.rules.bytes, "bytes")
    }

    fn keep_to(&self, is_over: bool, most: u64, what: &'static str) -> Result<(), SnapshotError> {
        match is_over {
            true => Err(SnapshotError::TooMuch { folder: self.folder.to_owned(), most, what }),
            false => Ok(()),
        }
    }

    fn skip(&mut self, reason: SkipReason) -> Result<(), SnapshotError> {
        self.snapshot.skip(self.walk.path(), reason);
        Ok(())
    }

    /// What the system does not let us read is left out, unless it is the machine that fails.
    fn refused(&mut self, error: io::Error) -> Result<(), SnapshotError> {
        const MACHINE: [Errno; 5] = [Errno::EIO, Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM, Errno::EINTR];
        match error.raw_os_error().map(Errno::from_raw) {
            Some(errno) if !MACHINE.contains(&errno) => self.skip(SkipReason::Unreadable),
            _ => Err(self.wrong(error)),
        }
    }

    fn wrong(&self, source: io::Error) -> SnapshotError {
        SnapshotError::Io { path: self.folder.join(self.walk.path()), source }
    }
}

impl Snapshot {
    fn skip(&mut self, path: &Path, reason: SkipReason) {
        *self.skipped.count.entry(reason).or_default() += 1;
        if self.skipped.named.len() < NAMED {
            self.skipped.named.push(SkippedEntry { path: text(path), reason });
        }
    }
}

fn text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// Makes a file of the copy, with no more of its mode than that its owner may run it.
fn create(folder: impl AsFd, path: &Path, metadata: &fs::Metadata) -> io::Result<File> {
    let mode = Mode::from_bits_truncate(if metadata.mode() & 0o100 == 0 { 0o644 } else { 0o755 });
    let created = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let target = openat(folder, path, created, mode)?;
    fchmod(&target, mode)?;
    Ok(target.into())
}

fn copy(mut source: File, target: io::Result<File>) -> io::Result<()> {
    io::copy(&mut source, &mut target?).map(drop)
}

/// Why what is neither file, folder nor link is left out.
fn reason(kind: FileType) -> SkipReason {
    match kind {
        FileType::Fifo => SkipReason::Fifo,
        FileType::Socket => SkipReason::Socket,
        _ => SkipReason::Device,
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
