//! What goes into a container, as tar files.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use slopbench_digest::Exclusion;
use tar::{Builder, EntryType, Header};

use crate::Error;
use crate::worker::{INSIDE, SOLUTION_LIMIT};

/// One file, for everyone to execute.
pub(super) fn program(name: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut tar = Builder::new(Vec::new());
    let mut header = header(EntryType::Regular, 0o755);
    header.set_size(bytes.len() as u64);
    tar.append_data(&mut header, name, bytes)?;
    tar.into_inner()
}

/// A solution as git would keep it: the same files in the same order and with the same modes and owner as the copy that
/// [`Namespaces`](crate::Namespaces) makes.
pub(super) fn solution(solution: &Path) -> Result<Vec<u8>, Error> {
    let mut tar = Builder::new(Vec::new());
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        let here = solution.join(&folder);
        for name in sorted_names(&here).map_err(|error| wrong(&here, error))? {
            let path = folder.join(&name);
            let outside = solution.join(&path);
            if Exclusion::of_name(name.as_bytes()).is_some() {
                continue;
            }
            if append(&mut tar, &path, &outside).map_err(|error| wrong(&outside, error))? {
                pending.push(path);
            }
            if tar.get_ref().len() as u64 > SOLUTION_LIMIT {
                let cause = format!("together with what came before it is more than {} MB", SOLUTION_LIMIT >> 20);
                return Err(Error::Solution { path: outside, cause });
            }
        }
    }
    tar.into_inner().map_err(|error| wrong(solution, error))
}

fn wrong(path: &Path, error: io::Error) -> Error {
    Error::Solution { path: path.to_owned(), cause: error.to_string() }
}

fn sorted_names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let mut names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>()?;
    names.sort_unstable_by(|one, other| one.as_bytes().cmp(other.as_bytes()));
    Ok(names)
}

/// Appends one thing, and returns whether it is a folder. Pipes, sockets and devices are left out: git has no such things.
fn append(tar: &mut Builder<Vec<u8>>, path: &Path, outside: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(outside)?;
    let kind = metadata.file_type();
    if kind.is_dir() {
        tar.append_data(&mut header(EntryType::Directory, 0o755), path, io::empty())?;
    } else if kind.is_symlink() {
        tar.append_link(&mut header(EntryType::Symlink, 0o777), path, fs::read_link(outside)?)?;
    } else if kind.is_file() {
        let mut bytes = Vec::new();
        // One more than may be, so that what is too large is noticed.
        fs::File::open(outside)?.take(SOLUTION_LIMIT + 1).read_to_end(&mut bytes)?;
        let mode = if metadata.permissions().mode() & 0o100 == 0 { 0o644 } else { 0o755 };
        let mut header = header(EntryType::Regular, mode);
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, path, bytes.as_slice())?;
    }
    Ok(kind.is_dir())
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
