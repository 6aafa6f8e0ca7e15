//! The stages of a checkpoint, and what is kept of them.

use std::path::PathBuf;

use slopbench_agents::{
    stage::{SESSION, StageRecord},
    trajectory::AtifTrajectory,
};
use slopbench_environments::EnvironmentRecord;
use slopbench_metrics::grading::Grading;
use slopbench_runner::{RunStore, read_json};

use super::{
    plan::{ENVIRONMENT, QUALITY, RunFolder, VERDICTS},
    suites,
};
use crate::{Error, results::Verdicts};

/// What a session said and did, in its folder.
const STEPS: &str = "trajectory.json";

/// The two stages of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckpointStage {
    /// The agent's.
    Session,
    /// Ours.
    Grade,
}

impl CheckpointStage {
    /// The stage's name.
    pub(crate) fn of(self, checkpoint: u32) -> String {
        let part = match self {
            Self::Session => "session",
            Self::Grade => "grade",
        };
        format!("checkpoint_{checkpoint}/{part}")
    }

    /// The checkpoint and the part of the stage that is called `name`.
    pub(crate) fn parse(name: &str) -> Option<(u32, Self)> {
        let (checkpoint, _) = name.strip_prefix("checkpoint_")?.split_once('/')?;
        let checkpoint = checkpoint.parse().ok()?;
        let part = [Self::Session, Self::Grade].into_iter().find(|part| part.of(checkpoint) == name)?;
        Some((checkpoint, part))
    }
}

/// The folder of a stage that is done.
pub(crate) fn stage(
    store: &RunStore,
    unit: &str,
    checkpoint: u32,
    part: CheckpointStage,
) -> Result<Option<PathBuf>, Error> {
    Ok(store.stage(unit, &part.of(checkpoint))?)
}

/// How the session of a checkpoint ended, if it did.
///
/// # Errors
///
/// [`slopbench_runner::Error::Edited`] if it is not as it was kept.
pub fn record(store: &RunStore, unit: &str, checkpoint: u32) -> Result<Option<StageRecord>, Error> {
    let stage = stage(store, unit, checkpoint, CheckpointStage::Session)?;
    Ok(stage.map(|path| read_json(&path.join(SESSION))).transpose()?)
}

/// What became of every case of a checkpoint, if it is graded.
///
/// # Errors
///
/// As [`record`].
pub fn verdicts(store: &RunStore, unit: &str, checkpoint: u32) -> Result<Option<Verdicts>, Error> {
    let stage = stage(store, unit, checkpoint, CheckpointStage::Grade)?;
    Ok(stage.map(|path| read_json(&path.join(VERDICTS))).transpose()?)
}

/// The whole measurement of what a checkpoint's session left, if it is graded and left something.
///
/// # Errors
///
/// As [`record`].
pub fn grading(store: &RunStore, unit: &str, checkpoint: u32) -> Result<Option<Grading>, Error> {
    let path = stage(store, unit, checkpoint, CheckpointStage::Grade)?.map(|path| path.join(QUALITY));
    Ok(path.filter(|path| path.is_file()).map(|path| read_json(&path)).transpose()?)
}

/// What a checkpoint's session said and did; absent for workers that are no agents.
///
/// # Errors
///
/// As [`record`].
pub fn steps(store: &RunStore, unit: &str, checkpoint: u32) -> Result<Option<AtifTrajectory>, Error> {
    let path = stage(store, unit, checkpoint, CheckpointStage::Session)?.map(|path| path.join(STEPS));
    Ok(path.filter(|path| path.is_file()).map(|path| read_json(&path)).transpose()?)
}

/// What the requirements of what a checkpoint's session left became, if it declares something.
pub(crate) fn environment(store: &RunStore, unit: &str, checkpoint: u32) -> Result<Option<EnvironmentRecord>, Error> {
    let path = stage(store, unit, checkpoint, CheckpointStage::Session)?.map(|path| path.join(ENVIRONMENT));
    Ok(path.filter(|path| path.is_file()).map(|path| read_json(&path)).transpose()?)
}

/// What the requirements of all solutions of a run became, and of the tests that they are played against.
///
/// # Errors
///
/// [`slopbench_runner::Error::Edited`] if one is not as it was kept.
pub fn environments(folder: &RunFolder) -> Result<Vec<EnvironmentRecord>, Error> {
    let design = &folder.plan.design;
    let mut found = suites::all(folder)?;
    for trajectory in &design.trajectories {
        for checkpoint in design.stops(&trajectory.problem) {
            found.extend(environment(&folder.store, &trajectory.id, checkpoint)?);
        }
    }
    Ok(found)
}
