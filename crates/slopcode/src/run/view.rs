//! One checkpoint of a run, for people to look at.

use serde::Serialize;
use serde_json::Value;
use slopbench_agents::trajectory;

use super::{
    VERDICTS,
    diff::unified_diff,
    folder::{Part, RunFolder, read_json},
    record::Record,
};
use crate::Error;

/// Everything that a checkpoint's steps hold but raw events.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// How the session ended; absent where there was none.
    pub record: Option<Record>,
    /// What it said and did, as ATIF has it; absent for workers that are no agents.
    pub trajectory: Option<trajectory::Trajectory>,
    /// What it changed: a unified diff of all files.
    pub diff: String,
    /// Its `verdicts.json`; absent where it is not graded yet.
    pub verdicts: Option<Value>,
}

impl View {
    /// Reads checkpoint `number` of the trajectory `id`.
    pub fn read(folder: &RunFolder, id: &str, number: u32) -> Result<Self, Error> {
        let planned = folder.plan.trajectories.iter().find(|trajectory| trajectory.id == id);
        let stops = planned.map(|trajectory| folder.plan.stops(&trajectory.problem)).unwrap_or_default();
        if !stops.contains(&number) {
            let root = folder.root.display();
            let message = format!("the run has no checkpoint {number} of \"{id}\"; `slopbench show {root}` lists all");
            return Err(Error::Plan(message));
        }
        let record = folder.record(id, number)?;
        let session = folder.step(id, number, Part::Session)?;
        let trajectory = session.map(|path| path.join("trajectory.json")).filter(|path| path.is_file());
        let verdicts = folder.step(id, number, Part::Grade)?;
        Ok(Self {
            diff: record.as_ref().map_or(Ok(String::new()), |record| changes(folder, record))?,
            record,
            trajectory: trajectory.map(|path| read_json(&path)).transpose()?,
            verdicts: verdicts.map(|path| read_json(&path.join(VERDICTS))).transpose()?,
        })
    }
}

fn changes(folder: &RunFolder, record: &Record) -> Result<String, Error> {
    let tree = |id: Option<_>| id.map(|id| folder.tree(id)).transpose();
    let (before, after) = (tree(record.before)?, tree(record.workspace)?);
    // A workspace without files has no tree: an empty folder stands for it.
    let nothing = tempfile::tempdir().map_err(|source| Error::Write { path: folder.root.clone(), source })?;
    Ok(unified_diff(before.as_deref(), after.as_deref().unwrap_or_else(|| nothing.path()))?)
}
