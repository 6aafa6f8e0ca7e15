//! From a session that has ended, and is kept, to a step that is done: what of its workspace is kept, and what it changed.
//!
//! A worker can leave anything. Whatever of it cannot be copied, is too deep or too long is the worker's fault: it is left
//! out, or the session ends in [`Outcome::NotKept`]. Only what the machine is at fault for is an error, and then the session
//! is still there for whoever resumes.

use std::{
    fs, io,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use slopbench_agents::events::Ending;
use slopbench_digest::{Listing, TreeId, canonical};
use slopbench_sandbox::snapshot::{Reason, Rules, Skipped, Snapshot, SnapshotError};

use super::{
    SESSION,
    diff::diff,
    folder::{RunFolder, read_json, write},
    record::{Outcome, Record},
    removal::remove,
};
use crate::Error;

/// The deepest and the longest path of a workspace that is kept, in folders and in bytes: below a run's folder and in a
/// sandbox, it must still be one that the system takes.
const MOST_FOLDERS: usize = 100;
const MOST_BYTES: usize = 1024;

/// A session that has ended, in a folder that holds its files (`session/`) and its workspace (`workspace/`).
pub(crate) struct Settlement<'a> {
    pub(crate) folder: &'a RunFolder,
    /// That folder.
    pub(crate) ended: &'a Path,
    /// An empty folder.
    pub(crate) scratch: &'a Path,
    /// The problem's entry file: what ends as it does is source.
    pub(crate) entry: &'a str,
}

const DONE: Outcome = Outcome::Ended(Ending::Done);

impl Settlement<'_> {
    /// Completes the session's record; gives the folder of its files, to be put into its place. Does the same again where
    /// it was interrupted.
    pub(crate) fn carry_out(&self) -> Result<(Record, PathBuf), Error> {
        let step = self.ended.join("session");
        let mut record: Record = read_json(&step.join(SESSION))?;
        let kept = self.scratch.join("kept");
        match self.keep(&kept, &mut record) {
            Ok(()) => {}
            Err(error) if is_of_machine(&error) => return Err(error),
            Err(error) => {
                remove(&kept)?;
                // A provider's failure stays one, whatever the workspace is like.
                if !matches!(record.outcome, Outcome::Unanswered { .. }) {
                    record.outcome = refusal(error);
                }
                record.workspace = None;
            }
        }
        if record.outcome == DONE && record.workspace == record.before {
            record.outcome = Outcome::Unchanged;
        }
        write(&step.join(SESSION), &canonical::to_vec(&record)?)?;
        Ok((record, step))
    }

    fn keep(&self, kept: &Path, record: &mut Record) -> Result<(), Error> {
        let before = record.before.map(|id| self.folder.tree(id)).transpose()?;
        record.not_kept = Snapshot::take(&self.ended.join("workspace"), kept, &Rules::default())?.skipped;
        record.not_kept.extend(prune(kept)?);
        record.not_kept.sort();
        record.footprint.set_changes(&diff(before.as_deref(), kept)?, self.entry);
        record.workspace = self.keep_tree(kept)?;
        Ok(())
    }

    /// A folder without files is no workspace.
    fn keep_tree(&self, kept: &Path) -> Result<Option<TreeId>, Error> {
        let is_empty = Listing::of_dir(kept, "")?.0.is_empty();
        if is_empty { Ok(None) } else { self.folder.keep_tree(kept).map(Some) }
    }
}

/// Removes what lies too deep, or has too long a path, from a copy of a workspace; says what.
fn prune(root: &Path) -> Result<Vec<Skipped>, Error> {
    let (mut folders, mut removed) = (vec![PathBuf::new()], Vec::new());
    while let Some(folder) = folders.pop() {
        let place = root.join(&folder);
        let failed = |source| Error::Write { path: place.clone(), source };
        // All of them first: removing puts something beside them.
        let entries = fs::read_dir(&place).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        for entry in entries.map_err(failed)? {
            let path = folder.join(entry.file_name());
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            let is_within = path.as_os_str().len() <= MOST_BYTES && folder.components().count() < MOST_FOLDERS;
            match (is_within, is_folder) {
                (true, true) => folders.push(path),
                (true, false) => {}
                (false, _) => {
                    remove(&entry.path())?;
                    let path = String::from_utf8_lossy(path.as_os_str().as_bytes()).into_owned();
                    removed.push(Skipped { path, reason: Reason::TooLong });
                }
            }
        }
    }
    Ok(removed)
}

/// How a session ends whose workspace cannot be kept.
fn refusal(error: Error) -> Outcome {
    match error {
        Error::Snapshot(SnapshotError::TooMuch { most, what, .. }) => {
            Outcome::TooLarge { reason: format!("the workspace holds more than {most} {what}") }
        }
        error => Outcome::NotKept { reason: error.to_string() },
    }
}

/// Whether the machine is at fault, and not what lies in the workspace: the same may go well another time.
fn is_of_machine(error: &Error) -> bool {
    let source = match error {
        Error::Snapshot(SnapshotError::Io { source, .. }) | Error::Write { source, .. } => source,
        Error::Read(error) => &error.source,
        Error::Snapshot(SnapshotError::TooMuch { .. }) => return false,
        _ => return true,
    };
    source.raw_os_error().is_some_and(|code| OF_MACHINE.contains(&code)) || source.kind() == io::ErrorKind::OutOfMemory
}

/// What no workspace causes by what it holds: the disk is full or broken, memory or descriptors ran out.
const OF_MACHINE: &[i32] =
    &[libc::ENOSPC, libc::EDQUOT, libc::EROFS, libc::EIO, libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::EINTR];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_too_deep_is_left_out_and_named() {
        let root = tempfile::tempdir().unwrap();
        let (deepest, too_deep) = ("d/".repeat(MOST_FOLDERS), "d/".repeat(MOST_FOLDERS + 3));
        fs::create_dir_all(root.path().join(&too_deep)).unwrap();
        let long = format!("{}/", "x".repeat(250)).repeat(4);
        fs::create_dir_all(root.path().join(&long)).unwrap();
        for path in ["kept", &format!("{}/kept", "d/".repeat(MOST_FOLDERS - 1)), &format!("{deepest}/gone")] {
            fs::write(root.path().join(path), "").unwrap();
        }
        fs::write(root.path().join(&long).join("y".repeat(MOST_BYTES - long.len() + 1)), "").unwrap();
        let mut removed = prune(root.path()).unwrap();
        removed.sort();
        let names: Vec<_> = removed.iter().map(|skipped| skipped.path.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["d", "gone", &*"y".repeat(MOST_BYTES - long.len() + 1)]);
        assert_eq!(Listing::of_dir(root.path(), "").unwrap().0.len(), 2);
    }

    #[test]
    fn a_full_disk_is_the_machines_fault_and_a_name_that_is_too_long_is_not() {
        let of = |code| Error::Write { path: "x".into(), source: io::Error::from_raw_os_error(code) };
        assert!(is_of_machine(&of(libc::ENOSPC)) && !is_of_machine(&of(libc::ENAMETOOLONG)));
    }
}
