//! Counting what a session holds of the machine's disk: the names below its folders, at any depth, and what its processes
//! hold open or mapped though it has no name any more.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::{AT_FDCWD, OFlag, openat};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat, makedev};
use nix::unistd::Pid;
use slopbench_walk::{Walk, WalkStep};

use crate::layout::PAGE;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) bytes: u64,
    /// Whether there is something that could not be counted: a process may close itself to its own user, and how large a
    /// file is that is mapped only, without a name, cannot be seen.
    pub(super) hides: bool,
}

/// What is held of the disk below these folders, and by all that descends from `keeper`.
pub(super) fn held(folders: &[PathBuf], keeper: Pid) -> Held {
    let mut count = Count::default();
    for folder in folders {
        // Folders may be moved while it is at work in them.
        count.held.hides |= count.folder(folder).is_err();
    }
    descendants(keeper).iter().for_each(|pid| count.process(*pid));
    count.held
}

/// Which file something is: device and inode.
type Identity = (u64, u64);

/// A count in the making.
#[derive(Default)]
struct Count {
    held: Held,
    /// Files of several names, or of none: they take their space once.
    seen: HashSet<Identity>,
    /// The devices of what has a name. What has none counts if it lies there: others are memory.
    devices: HashSet<u64>,
    /// Folders on the way that were closed: how deep each lies, and its mode.
    closed: Vec<(usize, Mode)>,
}

impl Count {
    /// No link is followed. Folders that are closed to us are opened for the count, as their owner may.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let walk = || slopbench_walk::open(folder).and_then(Walk::new);
        let mut walk = walk().or_else(|_| change_mode(AT_FDCWD, folder, OPEN).and_then(|()| walk()))?;
        self.devices.insert(fs::symlink_metadata(folder)?.dev());
        self.closed.clear();
        while let Some(step) = walk.step()? {
            match step {
                WalkStep::Found(kind) => {
                    let Ok(status) = walk.status() else { continue };
                    self.devices.insert(status.st_dev);
                    if kind.is_dir() || status.st_nlink == 1 || self.seen.insert((status.st_dev, status.st_ino)) {
                        // A name takes some, too, though its file be empty.
                        self.held.bytes += (status.st_blocks.cast_unsigned() * 512).max(PAGE);
                    }
                    if kind.is_dir() {
                        self.enter(&mut walk, Mode::from_bits_truncate(status.st_mode));
                    }
                }
                WalkStep::Left => self.close(&walk),
            }
        }
        Ok(())
    }

    fn enter(&mut self, walk: &mut Walk, mode: Mode) {
        let depth = walk.depth();
        match walk.enter() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let name = Path::new(OsStr::from_bytes(walk.name().to_bytes()));
                let entered = change_mode(walk.folder(), name, mode | OPEN).and_then(|()| walk.enter());
                match entered {
                    Ok(()) => self.closed.push((depth, mode)),
                    Err(_) => self.held.hides = true,
                }
            }
            // Gone.
            _ => {}
        }
    }

    /// Gives the folder that was just left back its mode.
    fn close(&mut self, walk: &Walk) {
        if let Some((_, mode)) = self.closed.pop_if(|(depth, _)| *depth == walk.depth()) {
            let name = Path::new(OsStr::from_bytes(walk.name().to_bytes()));
            // It may be gone.
            let _ = change_mode(walk.folder(), name, mode);
        }
    }

    /// What no name leads to any more, but a process does.
    fn process(&mut self, pid: Pid) {
        let process = Path::new("/proc").join(pid.to_string());
        for thread in numbers(&process.join("task")) {
            // Each may have descriptors of its own.
            self.descriptors(&process.join("task").join(thread.to_string()).join("fd"));
        }
        self.mappings(&process.join("maps"));
    }

    fn descriptors(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten(),
            Err(error) => {
                self.held.hides |= error.kind() == io::ErrorKind::PermissionDenied;
                return;
            }
        };
        // Through the link, which leads to the file itself.
        for file in entries.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            let counts = file.nlink() == 0 && self.devices.contains(&file.dev());
            if counts && self.seen.insert((file.dev(), file.ino())) {
                self.held.bytes += file.blocks() * 512;
            }
        }
    }

    fn mappings(&mut self, maps: &Path) {
        let Ok(text) = fs::read(maps) else { return };
        let text = String::from_utf8_lossy(&text);
        let mut unnamed = text.lines().filter(|line| line.ends_with(" (deleted)")).filter_map(file_of);
        self.held.hides |= unnamed.any(|file| self.devices.contains(&file.0) && !self.seen.contains(&file));
    }
}

/// What an owner needs to read a folder.
const OPEN: Mode = Mode::S_IRUSR.union(Mode::S_IXUSR);

/// Changes a folder's mode. Not by its name alone: it could be made a link meanwhile.
fn change_mode(parent: impl AsFd, name: &Path, mode: Mode) -> io::Result<()> {
    let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    Ok(fchmodat(AT_FDCWD, path.as_str(), mode, FchmodatFlags::FollowSymlink)?)
}

/// The file of a line of /proc/pid/maps: "addresses rights offset major:minor inode path".
fn file_of(line: &str) -> Option<Identity> {
    let mut fields = line.split_ascii_whitespace().skip(3);
    let (major, minor) = fields.next()?.split_once(':')?;
    let [major, minor] = [major, minor].map(|number| u64::from_str_radix(number, 16));
    Some((makedev(major.ok()?, minor.ok()?), fields.next()?.parse().ok()?))
}

/// All processes that a process started, and those that they started, and so on. Who lost their parent are its own.
fn descendants(keeper: Pid) -> Vec<Pid> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for pid in numbers(Path::new("/proc")).map(Pid::from_raw) {
        if let Some(parent) = parent_of(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = children.remove(&keeper).unwrap_or_default();
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let theirs = children.remove(pid).unwrap_or_default();
        found.extend(theirs);
        next += 1;
    }
    found
}

/// The fourth field of proc_pid_stat(5). The second is a name in brackets, which may hold anything.
fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(1)?.parse().ok().map(Pid::from_raw)
}

fn numbers(folder: &Path) -> impl Iterator<Item = i32> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::File;
    use std::process::Command;

    use nix::sys::signal::{Signal, kill};

    use super::*;

    #[test]
    fn a_file_of_two_names_counts_once_and_a_link_as_itself() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let size = || held(&[folder.path().to_owned()], Pid::this()).bytes;
        fs::create_dir(at("below")).unwrap();
        let empty = size();
        fs::write(at("below/file"), vec![1; 1 << 20]).unwrap();
        fs::hard_link(at("below/file"), at("again")).unwrap();
        std::os::unix::fs::symlink("/usr", at("link")).unwrap();
        let size = size() - empty;
        assert!((1 << 20..(1 << 20) + 16_384).contains(&size), "{empty} {size}");
    }

    #[test]
    fn what_has_no_name_any_more_counts_while_it_is_open_and_hides_while_it_is_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let mut count = Count::default();
        count.folder(folder.path()).unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![1; 1 << 20]).unwrap();
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let metadata = file.metadata().unwrap();
        let (major, minor) = (nix::sys::stat::major(metadata.dev()), nix::sys::stat::minor(metadata.dev()));
        let (maps, inode) = (folder.path().join("maps"), metadata.ino());
        fs::write(&maps, format!("7f-80 r--s 0 {major:02x}:{minor:02x} {inode}      /workspace/a b (deleted)\n"))
            .unwrap();
        count.mappings(&maps);
        assert_eq!(count.held, Held { bytes: 0, hides: true });
        count.held.hides = false;
        count.process(Pid::this());
        assert!((1 << 20..(1 << 20) + 16_384).contains(&count.held.bytes), "{}", count.held.bytes);
        // What is counted hides nothing.
        count.mappings(&maps);
        assert!(!count.held.hides);
    }

    #[test]
    fn children_s_children_are_found() {
        let mut child = Command::new("sh").args(["-c", "sleep 100 & echo; wait"]).spawn().unwrap();
        let id = Pid::from_raw(child.id().try_into().unwrap());
        let mut both = Vec::new();
        while both.len() < 2 {
            both = descendants(Pid::this());
            both.retain(|pid| *pid == id || parent_of(*pid) == Some(id));
        }
        both.iter().for_each(|pid| kill(*pid, Signal::SIGKILL).unwrap());
        child.wait().unwrap();
    }
}
