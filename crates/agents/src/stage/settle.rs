//! From a stage that has ended, and is kept as it is, to its record: what of the workspace is kept, and what it changed.
//!
//! A worker can leave anything. Whatever of it cannot be copied is the worker's fault: it is left out, or the stage ends in
//! [`StageOutcome::NotKept`]. Only what the machine is at fault for is an error, and what the stage left is then still there.

use std::{ffi::OsStr, io, path::Path};

use slopbench_digest::{Listing, canonical};
use slopbench_runner::{Assignment, Error, SettledStage, read_json, write};
use slopbench_sandbox::snapshot::{CopyRules, Snapshot, SnapshotError};

use super::{StageError, StageOutcome, StageRecord, changes::diff};
use crate::events::SessionEnd;

/// The name of a stage's [`StageRecord`] among its files.
pub const SESSION: &str = "session.json";

/// A stage that has ended.
#[derive(Debug)]
pub struct Settlement<'a> {
    /// Where it was done.
    pub assignment: &'a Assignment<'a>,
    /// What it left, see [`super::WorkerStage::carry_out`].
    pub ended: &'a Path,
    /// How the names of source files end; without it, none is source.
    pub extension: Option<&'a OsStr>,
}

const DONE: StageOutcome = StageOutcome::Ended(SessionEnd::Done);

impl Settlement<'_> {
    /// Completes the stage's record, and keeps its workspace. The record is also the file [`SESSION`].
    ///
    /// # Errors
    ///
    /// Failures of the machine alone.
    pub fn carry_out(&self) -> Result<(StageRecord, SettledStage), StageError> {
        let files = self.ended.join("session");
        let mut record: StageRecord = read_json(&files.join(SESSION))?;
        match self.keep(&mut record) {
            Ok(()) => {}
            Err(error) if is_of_machine(&error) => return Err(error),
            Err(error) => {
                // A provider's failure stays one, whatever the workspace is like.
                if !matches!(record.outcome, StageOutcome::Unanswered { .. }) {
                    record.outcome = refusal(error);
                }
                record.workspace = None;
            }
        }
        if record.outcome == DONE && record.workspace == record.before {
            record.outcome = StageOutcome::Unchanged;
        }
        write(&files.join(SESSION), &canonical::to_vec(&record)?)?;
        let unanswered = match &record.outcome {
            StageOutcome::Unanswered { reason } => Some(reason.clone()),
            _ => None,
        };
        let (trees, outcome) = (record.workspace.into_iter().collect(), record.outcome.to_string());
        Ok((record, SettledStage { files, trees, unanswered, outcome }))
    }

    /// Keeps a copy of the workspace, and says in `record` what is in it.
    fn keep(&self, record: &mut StageRecord) -> Result<(), StageError> {
        let store = self.assignment.store;
        let (before, copy) =
            (record.before.map(|id| store.tree(id)).transpose()?, self.assignment.scratch.join("kept"));
        record.not_kept = Snapshot::take(&self.ended.join("workspace"), &copy, &CopyRules::default())?.skipped;
        record.footprint.set_changes(&diff(before.as_deref(), &copy)?, self.extension);
        // A folder without files is no workspace.
        let is_empty = Listing::of_dir(&copy, "")?.0.is_empty();
        record.workspace = if is_empty { None } else { Some(store.keep_tree(&copy)?) };
        Ok(())
    }
}

/// How a stage ends whose workspace cannot be kept.
fn refusal(error: StageError) -> StageOutcome {
    match error {
        StageError::Snapshot(SnapshotError::TooMuch { most, what, .. }) => {
            StageOutcome::TooLarge { reason: format!("the workspace holds more than {most} {what}") }
        }
        error => StageOutcome::NotKept { reason: error.to_string() },
    }
}

/// Whether the machine is at fault, and not what lies in the workspace: the same may go well another time.
fn is_of_machine(error: &StageError) -> bool {
    let source = match error {
        StageError::Snapshot(SnapshotError::Io { source, .. }) | StageError::Run(Error::Write { source, .. }) => source,
        StageError::Read(error) | StageError::Run(Error::Read(error)) => &error.source,
        StageError::Snapshot(SnapshotError::TooMuch { .. }) => return false,
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
        let of = |code| StageError::Run(Error::Write { path: "x".into(), source: io::Error::from_raw_os_error(code) });
        assert!(is_of_machine(&of(libc::ENOSPC)) && !is_of_machine(&of(libc::ENAMETOOLONG)));
    }
}
