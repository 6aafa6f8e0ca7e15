//! The solution and its assets, copied into the sandbox's root.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, fchmod, mkdirat};
use nix::unistd::symlinkat;
use slopbench_digest::Exclusion;
use slopbench_walk::{Cursor, FileType, Walk, WalkStep};

use crate::layout::{SOLUTION_LIMIT, outside};
use crate::{Error, Solution};

/// Copies the solution into a folder as git would keep it: files, folders and links, with no more of the modes
/// than "executable", and without what is an [`Exclusion`]: what is no part of a snapshot's identity and is not measured
/// must not change what it does. A copy of ours is copied [whole](Solution::whole).
///
/// In the order of the names: the one in which a program lists the copy is the one in which it was made, or its reverse, and
/// must not depend on the machine's file system.
pub(super) fn solution(solution: &Solution, target: &Path) -> Result<(), Error> {
    copy_tree(&solution.dir, target, solution.whole, |path, cause| Error::Solution { path, cause })
}

/// Copies the assets in the same way.
pub(super) fn assets(assets: &Path, target: &Path) -> Result<(), Error> {
    copy_tree(assets, target, false, |path, cause| Error::setup(format!("copy the asset {}", path.display()), cause))
}

fn copy_tree(from: &Path, target: &Path, whole: bool, error: impl Fn(PathBuf, String) -> Error) -> Result<(), Error> {
    let wrong = |path: &Path, fault: io::Error| error(from.join(path), cause(&fault));
    let top = |error| wrong(Path::new(""), error);
    let mut walk = slopbench_walk::open(&outside(from)).and_then(Walk::new).map_err(top)?;
    let mut to = Cursor::new(slopbench_walk::open(target).map_err(top)?);
    while let Some(step) = walk.step().map_err(top)? {
        let copied = match step {
            WalkStep::Left => to.up(),
            WalkStep::Found(_) if !whole && Exclusion::of_name(walk.name().to_bytes()).is_some() => Ok(()),
            WalkStep::Found(kind) => copy(&mut walk, &mut to, kind),
        };
        copied.map_err(|error| wrong(walk.path(), error))?;
    }
    Ok(())
}

fn cause(error: &io::Error) -> String {
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOSPC) => {
            format!("together with what came before it is more than {} MB, or too many files", SOLUTION_LIMIT >> 20)
        }
        Some(errno) => errno.to_string(),
        None => error.to_string(),
    }
}

/// Copies a file or link, or makes a folder and enters it on both sides.
fn copy(walk: &mut Walk, to: &mut Cursor, kind: FileType) -> io::Result<()> {
    match kind {
        FileType::Directory => {
            walk.enter()?;
            mkdirat(to.folder(), walk.name(), Mode::from_bits_truncate(0o755))?;
            to.down(walk.name())
        }
        FileType::Symlink => Ok(symlinkat(walk.target()?.as_os_str(), to.folder(), walk.name())?),
        FileType::RegularFile => {
            let mut source = walk.file()?;
            let mode = if source.metadata()?.mode() & 0o100 == 0 { 0o644 } else { 0o755 };
            let mode = Mode::from_bits_truncate(mode);
            let created = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
            let target = openat(to.folder(), walk.name(), created, mode)?;
            fchmod(&target, mode)?;
            io::copy(&mut source, &mut File::from(target)).map(drop)
        }
        // Pipes, sockets, devices: git has no such things.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::CopyRules;

    #[test]
    fn every_snapshot_fits() {
        let CopyRules { entries, bytes, .. } = CopyRules::default();
        assert!(bytes + entries * 4096 <= SOLUTION_LIMIT);
    }
}
