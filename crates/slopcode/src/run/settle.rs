//! From a session that has ended, and is kept, to a step that is done: what of its workspace is kept, and what it changed.
//!
//! A worker can leave anything. Whatever of it cannot be copied is the worker's fault: it is left out, or the session ends in
//! [`Outcome::NotKept`]. Only what the machine is at fault for is an error, and then the session is still there for whoever
//! resumes.

use std::{
    io,
    path::{Path, PathBuf},
};

use slopbench_agents::events::Ending;
use slopbench_digest::{Listing, TreeId, canonical};
use slopbench_sandbox::snapshot::{Rules, Snapshot, SnapshotError};

use super::{
    SESSION,
    diff::diff,
    folder::{RunFolder, read_json, remove, write},
    record::{Outcome, Record},
};
use crate::Error;

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
    fn a_full_disk_is_the_machines_fault_and_a_name_that_is_too_long_is_not() {
        let of = |code| Error::Write { path: "x".into(), source: io::Error::from_raw_os_error(code) };
        assert!(is_of_machine(&of(libc::ENOSPC)) && !is_of_machine(&of(libc::ENAMETOOLONG)));
    }
}
