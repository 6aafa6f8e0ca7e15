//! One checkpoint of a run, for people to look at.

use serde::Serialize;
use slopbench_agents::{
    stage::{StageRecord, unified_diff},
    trajectory,
};

use super::{
    checkpoint::{record, steps, verdicts},
    plan::RunFolder,
};
use crate::{Error, results::Verdicts};

/// Everything that a checkpoint's steps hold but raw events.
#[derive(Clone, Debug, Serialize)]
pub struct CheckpointView {
    /// How the session ended; absent where there was none.
    pub record: Option<StageRecord>,
    /// What it said and did, as ATIF has it; absent for workers that are no agents.
    pub trajectory: Option<trajectory::AtifTrajectory>,
    /// What it changed: a unified diff of all files.
    pub diff: String,
    /// Its `verdicts.json`; absent where it is not graded yet.
    pub verdicts: Option<Verdicts>,
}

impl CheckpointView {
    /// Reads checkpoint `number` of the trajectory `id`.
    ///
    /// # Errors
    ///
    /// [`Error::NoCheckpoint`] if there is none, [`Error::Run`] if it is not as it was kept.
    pub fn read(folder: &RunFolder, id: &str, number: u32) -> Result<Self, Error> {
        let (design, store) = (&folder.plan.design, &folder.store);
        let stops = design.trajectory(id).map(|trajectory| design.stops(&trajectory.problem)).unwrap_or_default();
        if !stops.contains(&number) {
            let (root, trajectory) = (store.root.clone(), id.to_owned());
            return Err(Error::NoCheckpoint { root, trajectory, checkpoint: number });
        }
        let record = record(store, id, number)?;
        Ok(Self {
            diff: record.as_ref().map_or(Ok(String::new()), |record| changes(folder, record))?,
            record,
            trajectory: steps(store, id, number)?,
            verdicts: verdicts(store, id, number)?,
        })
    }
}

/// What a session changed: a unified diff of all files.
///
/// # Errors
///
/// [`Error::Run`] if a workspace is not as it was kept.
pub fn changes(folder: &RunFolder, record: &StageRecord) -> Result<String, Error> {
    let tree = |id: Option<_>| id.map(|id| folder.store.tree(id)).transpose();
    let (before, after) = (tree(record.before)?, tree(record.workspace)?);
    // A workspace without files has no tree: an empty folder stands for it.
    let nothing = tempfile::tempdir().map_err(|source| Error::Write { path: folder.store.root.clone(), source })?;
    Ok(unified_diff(before.as_deref(), after.as_deref().unwrap_or_else(|| nothing.path()))?)
}
