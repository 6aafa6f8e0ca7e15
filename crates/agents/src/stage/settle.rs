//! From a stage that has ended, and is kept as it is, to its record: what of the workspace is kept, and what it changed.
//!
//! A worker can leave anything. Whatever of it cannot be copied is the worker's fault: it is left out, or the stage ends in
//! [`Outcome::NotKept`]. Only what the machine is at fault for is an error, and what the stage left is then still there.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use slopbench_digest::{Listing, TreeId, canonical, tree_id};
use slopbench_sandbox::snapshot::{Rules, Snapshot, SnapshotError};

use super::{Outcome, Record, StageError, changes::diff};
use crate::events::Ending;

/// The name of a stage's [`Record`] among its files.
pub const SESSION: &str = "session.json";

/// A stage that has ended.
#[derive(Debug)]
pub struct Settlement<'a> {
    /// What it left, see [`super::Stage::carry_out`].
    pub ended: &'a Path,
    /// An empty folder.
    pub scratch: &'a Path,
    /// The workspace that it began with.
    pub before: Option<&'a Path>,
    /// How the names of source files end; without it, none is source.
    pub extension: Option<&'a OsStr>,
}

/// What a settled stage consists of.
#[derive(Debug)]
pub struct SettledStage {
    /// How it ended. Also the file [`SESSION`] in `files`.
    pub record: Record,
    /// A folder with its files.
    pub files: PathBuf,
    /// A copy of its workspace, to be kept by its [`Record::workspace`]; absent where no file is in it.
    pub workspace: Option<PathBuf>,
}

const DONE: Outcome = Outcome::Ended(Ending::Done);

impl Settlement<'_> {
    /// Completes the stage's record.
    ///
    /// # Errors
    ///
    /// Failures of the machine alone.
    pub fn carry_out(&self) -> Result<SettledStage, StageError> {
        let files = self.ended.join("session");
        let path = files.join(SESSION);
        let mut record = read_record(&path)?;
        let copy = self.scratch.join("kept");
        let mut workspace = None;
        match self.keep(&copy, &mut record) {
            Ok(is_something) => workspace = is_something.then_some(copy),
            Err(error) if is_of_machine(&error) => return Err(error),
            Err(error) => {
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
        fs::write(&path, canonical::to_vec(&record)?).map_err(StageError::write(path))?;
        Ok(SettledStage { record, files, workspace })
    }

    /// Copies the workspace and says in `record` what is in it; gives whether it holds a file.
    fn keep(&self, copy: &Path, record: &mut Record) -> Result<bool, StageError> {
        record.not_kept = Snapshot::take(&self.ended.join("workspace"), copy, &Rules::default())?.skipped;
        record.footprint.set_changes(&diff(self.before, copy)?, self.extension);
        record.workspace = self.identify(copy)?;
        Ok(record.workspace.is_some())
    }

    /// A folder without files is no workspace.
    fn identify(&self, copy: &Path) -> Result<Option<TreeId>, StageError> {
        let is_empty = Listing::of_dir(copy, "")?.0.is_empty();
        Ok(if is_empty { None } else { Some(tree_id(copy)?) })
    }
}

fn read_record(path: &Path) -> Result<Record, StageError> {
    let flaw = |message: String| StageError::Kept { path: path.to_path_buf(), message };
    let bytes = fs::read(path).map_err(|error| flaw(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| flaw(error.to_string()))
}

/// How a stage ends whose workspace cannot be kept.
fn refusal(error: StageError) -> Outcome {
    match error {
        StageError::Snapshot(SnapshotError::TooMuch { most, what, .. }) => {
            Outcome::TooLarge { reason: format!("the workspace holds more than {most} {what}") }
        }
        error => Outcome::NotKept { reason: error.to_string() },
    }
}

/// Whether the machine is at fault, and not what lies in the workspace: the same may go well another time.
fn is_of_machine(error: &StageError) -> bool {
    let source = match error {
        StageError::Snapshot(SnapshotError::Io { source, .. }) | StageError::Write { source, .. } => source,
        StageError::Read(error) => &error.source,
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
        let of = |code| StageError::Write { path: "x".into(), source: io::Error::from_raw_os_error(code) };
        assert!(is_of_machine(&of(libc::ENOSPC)) && !is_of_machine(&of(libc::ENAMETOOLONG)));
    }
}
