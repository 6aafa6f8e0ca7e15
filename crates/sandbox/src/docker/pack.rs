//! What goes into a container, as tar files.

use std::fs::File;
use std::io::{self, Seek as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use slopbench_digest::Exclusion;
use slopbench_walk::{FileType, Walk, WalkStep};
use tar::{Builder, EntryType, Header};

use crate::layout::{INSIDE, SOLUTION_LIMIT};
use crate::{Error, Solution};

/// How much is sent at once.
const CHUNK: usize = 64 << 10;

/// Files under these names, for everyone to execute and for nobody to write.
pub(super) fn programs(files: &[(String, PathBuf)]) -> io::Result<Vec<u8>> {
    let mut tar = Builder::new(Vec::new());
    for (name, path) in files {
        let file = File::open(path)?;
        let mut header = header(EntryType::Regular, 0o555);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(file.metadata()?.len());
        tar.append_data(&mut header, name, file)?;
    }
    tar.into_inner()
}

/// A solution as git would keep it: the same files in the same order and with the same modes and owner as the copy that
/// [`Namespaces`](crate::Namespaces) makes. In a file without a name, as it may be larger than memory.
pub(super) fn solution(solution: &Solution) -> Result<File, Error> {
    tree(&solution.dir, solution.whole, |path, cause| Error::Solution { path, cause })
}

/// Assets in the same way.
pub(super) fn assets(assets: &Path) -> Result<File, Error> {
    tree(assets, false, |path, cause| Error::setup(format!("copy the asset {}", path.display()), cause))
}

fn tree(from: &Path, whole: bool, error: impl Fn(PathBuf, String) -> Error) -> Result<File, Error> {
    let wrong = |path: &Path, cause: String| error(from.join(path), cause);
    let top = |error: io::Error| wrong(Path::new(""), error.to_string());
    let mut tar = Builder::new(tempfile::tempfile().map_err(top)?);
    let mut walk = slopbench_walk::open(from).and_then(Walk::new).map_err(top)?;
    while let Some(step) = walk.step().map_err(top)? {
        let WalkStep::Found(kind) = step else { continue };
        if !whole && Exclusion::of_name(walk.name().to_bytes()).is_some() {
            continue;
        }
        append(&mut tar, &mut walk, kind).map_err(|error| wrong(walk.path(), error.to_string()))?;
        if tar.get_mut().stream_position().map_err(top)? > SOLUTION_LIMIT {
            let cause = format!("together with what came before it is more than {} MB", SOLUTION_LIMIT >> 20);
            return Err(wrong(walk.path(), cause));
        }
    }
    tar.into_inner().map_err(top)
}

/// What is in a file, piece by piece.
pub(super) fn chunks(file: &File) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>> + Send + use<>> {
    let (file, mut at) = (file.try_clone()?, 0);
    Ok(std::iter::from_fn(move || {
        let mut chunk = vec![0; CHUNK];
        match file.read_at(&mut chunk, at) {
            Ok(0) => None,
            Ok(count) => {
                at += count as u64;
                chunk.truncate(count);
                Some(Ok(chunk))
            }
            Err(error) => Some(Err(error)),
        }
    }))
}

/// Appends one thing; a folder is entered. Pipes, sockets and devices are left out: git has no such things.
fn append(tar: &mut Builder<File>, walk: &mut Walk, kind: FileType) -> io::Result<()> {
    match kind {
        FileType::Directory => {
            walk.enter()?;
            tar.append_data(&mut header(EntryType::Directory, 0o755), walk.path(), io::empty())
        }
        FileType::Symlink => tar.append_link(&mut header(EntryType::Symlink, 0o777), walk.path(), walk.target()?),
        FileType::RegularFile => {
            let mut file = walk.file()?;
            let metadata = file.metadata()?;
            if metadata.len() > SOLUTION_LIMIT {
                return Err(io::Error::other(format!("it is more than {} MB", SOLUTION_LIMIT >> 20)));
            }
            let mut header = header(EntryType::Regular, if metadata.mode() & 0o100 == 0 { 0o644 } else { 0o755 });
            header.set_size(metadata.len());
            tar.append_data(&mut header, walk.path(), &mut file)
        }
        _ => Ok(()),
    }
}

fn header(kind: EntryType, mode: u32) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_uid(INSIDE.into());
    header.set_gid(INSIDE.into());
    // As of any fresh copy.
    header.set_mtime(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()));
    header.set_size(0);
    header
}
