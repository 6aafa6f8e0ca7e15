//! A folder that foreign code writes to. Every path is resolved below the folder, and no symbolic
//! link is ever followed.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::{FchmodatFlags, Mode, SFlag, fchmod, fchmodat, fstat, mkdirat};
use nix::unistd::{Gid, Uid, fchown, fchownat, getegid, geteuid, symlinkat};
use slopbench_walk::{FileType, Walk, WalkStep};

use crate::{Collected, Error, FileEntry};

/// Who owns what is put into a sandbox, as numbers of the caller's own user namespace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FolderOwner {
    /// The user.
    pub(crate) uid: Uid,
    /// The group.
    pub(crate) gid: Gid,
}

/// An open folder.
pub(crate) struct Folder {
    fd: OwnedFd,
    owner: FolderOwner,
}

impl Folder {
    /// Opens a folder of our own making.
    pub(crate) fn open(path: &Path, owner: FolderOwner) -> nix::Result<Self> {
        let fd = open(path, OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC, Mode::empty())?;
        Ok(Self { fd, owner })
    }

    /// Puts the task's files here.
    pub(crate) fn fill(&self, files: &[(String, FileEntry)]) -> Result<(), Error> {
        for (path, entry) in files {
            check_relative(path)?;
            self.put(path, entry).map_err(|errno| match errno {
                Errno::EEXIST => Error::Task(format!("`{path}` stands twice among its files")),
                Errno::ELOOP | Errno::ENOTDIR => {
                    Error::Task(format!("a folder on the way to `{path}` is a file or a link among its files"))
                }
                Errno::ENAMETOOLONG => Error::Task(format!("the name `{path}` is too long")),
                Errno::EINVAL | Errno::ENOENT => Error::Task(format!("`{path}` is a link without a proper target")),
                Errno::ENOSPC => Error::Task("its files do not fit into its limit of disk space".into()),
                other => Error::setup(format!("write the task's file `{path}`"), other),
            })?;
        }
        Ok(())
    }

    fn put(&self, path: &str, entry: &FileEntry) -> nix::Result<()> {
        let path = Path::new(path);
        let mut parent = self.fd.try_clone().map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))?;
        for part in path.parent().into_iter().flat_map(Path::components) {
            let made = mkdirat(&parent, part.as_os_str(), Mode::from_bits_truncate(0o755));
            let next = beneath(&parent, Path::new(part.as_os_str()), OFlag::O_DIRECTORY, Mode::empty())?;
            match made {
                Ok(()) => {
                    fchmod(&next, Mode::from_bits_truncate(0o755))?;
                    fchown(&next, Some(self.owner.uid), Some(self.owner.gid))?;
                }
                Err(Errno::EEXIST) => {}
                Err(errno) => return Err(errno),
            }
            parent = next;
        }
        let name = path.file_name().ok_or(Errno::EINVAL)?;
        match entry {
            FileEntry::File(bytes) => {
                let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL;
                let fd = beneath(&parent, Path::new(name), flags, Mode::from_bits_truncate(0o644))?;
                fchmod(&fd, Mode::from_bits_truncate(0o644))?;
                fchown(&fd, Some(self.owner.uid), Some(self.owner.gid))?;
                File::from(fd).write_all(bytes).map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))
            }
            FileEntry::Symlink(target) => {
                symlinkat(Path::new(target), &parent, name)?;
                let (uid, gid) = (Some(self.owner.uid), Some(self.owner.gid));
                fchownat(&parent, name, uid, gid, AtFlags::AT_SYMLINK_NOFOLLOW)
            }
        }
    }

    /// Reads the files at these paths, none of more than `largest` bytes.
    pub(crate) fn collect(&self, paths: &[String], largest: u64) -> Result<BTreeMap<String, Collected>, Error> {
        let read = |path: &String| {
            let collected =
                self.read(path, largest).map_err(|errno| Error::setup(format!("read the file `{path}`"), errno))?;
            Ok((path.clone(), collected))
        };
        paths.iter().map(read).collect()
    }

    /// Whether there is anything at this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        beneath(&self.fd, Path::new(path), OFlag::O_PATH, Mode::empty()).is_ok()
    }

    fn read(&self, path: &str, largest: u64) -> nix::Result<Collected> {
        Ok(match self.read_start(path, largest)? {
            Ok(bytes) if bytes.len() as u64 > largest => Collected::TooLarge,
            Ok(bytes) => Collected::File(bytes),
            Err(found) => found,
        })
    }

    /// A file's first bytes, one more than `most` if it has as many; what else is there.
    fn read_start(&self, path: &str, most: u64) -> nix::Result<Result<Vec<u8>, Collected>> {
        // O_NONBLOCK: opening a named pipe must not wait for someone to write into it.
        let file = match beneath(&self.fd, Path::new(path), OFlag::O_RDONLY | OFlag::O_NONBLOCK, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ENAMETOOLONG) => {
                return Ok(Err(Collected::Missing));
            }
            // A link; a socket; a device without a driver, or on a mount where devices mean nothing
            // (a whiteout, the one device that anyone may make); a file whose owner may not read it
            // on the host back end.
            Err(Errno::ELOOP | Errno::EXDEV | Errno::ENXIO | Errno::ENODEV | Errno::EACCES | Errno::EPERM) => {
                return Ok(Err(Collected::NotAFile));
            }
            Err(errno) => return Err(errno),
        };
        let status = fstat(&file)?;
        if SFlag::from_bits_truncate(status.st_mode & SFlag::S_IFMT.bits()) != SFlag::S_IFREG {
            return Ok(Err(Collected::NotAFile));
        }
        let mut bytes = Vec::new();
        let read = File::from(file).take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))?;
        Ok(Ok(bytes))
    }
}

/// Reads the first `most` bytes of a file in a folder that foreign code wrote to, and says whether that is all of it. `None`:
/// there is no file, or something else in its place.
///
/// # Errors
///
/// If `path` is not relative, or leads nowhere but up; or the folder, or a file in it, cannot be read.
pub fn read_file_start(folder: &Path, path: &str, most: u64) -> Result<Option<(Vec<u8>, bool)>, Error> {
    check_relative(path)?;
    let wrong = |errno| Error::setup(format!("read {}", folder.join(path).display()), errno);
    let folder = Folder::open(folder, FolderOwner { uid: geteuid(), gid: getegid() }).map_err(wrong)?;
    let mut bytes = match folder.read_start(path, most).map_err(wrong)? {
        Ok(bytes) => bytes,
        Err(_) => return Ok(None),
    };
    let is_whole = bytes.len() as u64 <= most;
    bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Ok(Some((bytes, is_whole)))
}

/// Whether any file below `root` has at least `size` bytes.
///
/// A folder that its owner closed is opened first; what cannot be opened is skipped: the caller is the owner of all there
/// is.
pub(crate) fn has_file_of(root: &Path, size: u64) -> bool {
    let Ok(mut walk) = slopbench_walk::open(root).and_then(Walk::new) else { return false };
    while let Ok(Some(step)) = walk.step() {
        match step {
            WalkStep::Found(FileType::Directory) => {
                // What still cannot be entered is passed by.
                let _ = walk.enter().or_else(|_| {
                    unlock(walk.folder(), walk.name()).map_err(std::io::Error::from).and_then(|()| walk.enter())
                });
            }
            WalkStep::Found(FileType::RegularFile)
                if walk.status().is_ok_and(|status| status.st_size.cast_unsigned() >= size) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Gives a folder's owner, who must be the caller, all rights to it.
///
/// Only for what the directory entry says is a folder, with nobody left who could make a link of it meanwhile.
fn unlock(parent: impl AsFd, name: &CStr) -> nix::Result<()> {
    fchmodat(parent, name, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)
}

/// Refuses paths that could mean anything outside the folder.
pub(crate) fn check_relative(path: &str) -> Result<(), Error> {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || path.contains('\0') || path.ends_with('/') || !plain {
        return Err(Error::Task(format!("`{path}` must be a path below the working folder, without `..`")));
    }
    Ok(())
}

pub(crate) fn beneath(folder: impl AsFd, path: &Path, flags: OFlag, mode: Mode) -> nix::Result<OwnedFd> {
    let resolve = ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS;
    let how = OpenHow::new().flags(flags | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW).mode(mode).resolve(resolve);
    loop {
        match openat2(&folder, path, how) {
            // The kernel's "something was renamed meanwhile, ask again".
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            result => return result,
        }
    }
}
