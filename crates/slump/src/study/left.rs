//! What a session left after a request: files, none, or what nobody knows.

use slopbench_agents::stage::StageOutcome;
use slopbench_digest::TreeId;
use slopbench_runner::RunStore;

use super::turn::turn_record;
use crate::Error;

/// What a request left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionLeft {
    /// Files.
    Workspace(TreeId),
    /// No file.
    Nothing,
    /// Something that was not kept: too large, or of names that cannot be copied. Nobody knows what it is worth.
    NotKept,
}

/// What a session left after a request; `None` where that is not done.
///
/// # Errors
///
/// [`Error::Run`] if it is not as it was kept.
pub fn left_after(store: &RunStore, unit: &str, request: usize) -> Result<Option<SessionLeft>, Error> {
    let Some((record, _)) = turn_record(store, unit, request)? else { return Ok(None) };
    Ok(Some(match (record.workspace, record.outcome) {
        (Some(id), _) => SessionLeft::Workspace(id),
        // A provider's failure is named before what became of the workspace.
        (None, StageOutcome::TooLarge { .. } | StageOutcome::NotKept { .. } | StageOutcome::Unanswered { .. }) => {
            SessionLeft::NotKept
        }
        (None, _) => SessionLeft::Nothing,
    }))
}
