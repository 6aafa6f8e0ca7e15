//! The rubric over a run: every checkpoint judged by what it changed, as SlopCodeBench's first version did.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_judge::{
    Attempts, Judge, JudgedTree, JudgingEstimate,
    calibration::{CalibrationReport, JudgeIdentity, JudgeStanding},
    rubric::{CheckpointFlags, CriterionKind, RubricQuestion, changed_parts, estimate_checkpoint, judge_checkpoint},
};
use slopbench_metrics::composites::ExternalFindings;
use slopbench_tests::Problem;

use super::{
    checkpoint::{grading, record},
    plan::RunFolder,
};
use crate::Error;

/// What `format` says in a judged run of this version.
pub const RUN_RUBRIC_FORMAT: &str = "slopbench.run-rubric/2";

/// A run's checkpoints, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRubric {
    /// [`RUN_RUBRIC_FORMAT`].
    pub format: String,
    /// The digest of the run's plan.
    pub plan: String,
    /// Who judged; absent where there was nothing to judge.
    pub judge: Option<JudgeIdentity>,
    /// What is to be said of the judge.
    pub standing: String,
    /// Each trajectory, in the plan's order.
    pub trajectories: Vec<RubricTrajectory>,
}

/// One trajectory, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricTrajectory {
    /// The plan's name for it.
    pub id: String,
    /// The checkpoints that left a workspace, in order.
    pub checkpoints: Vec<RubricCheckpoint>,
}

/// One checkpoint, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricCheckpoint {
    /// From 1.
    pub checkpoint: u32,
    /// How many flags of verbosity count, new and carried.
    pub verbosity: u64,
    /// How many of erosion.
    pub erosion: u64,
    /// The blog's verbosity with the flags of both kinds as its rubric violations; absent where the checkpoint is not graded,
    /// a part of it or of one before was not judged, or its language has no analysis of wrappers.
    pub verbosity_v0: Option<f64>,
    /// The flags themselves.
    pub flags: CheckpointFlags,
    /// Texts of the checkpoint that talk to the judge, and what hides something from it. They change no figure.
    pub attempts: Attempts,
}

impl RunRubric {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::Judged`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Judged { path: path.to_path_buf(), message };
        let text = fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let this: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        match this.format == RUN_RUBRIC_FORMAT {
            true => Ok(this),
            false => Err(wrong(format!("this version reads format \"{RUN_RUBRIC_FORMAT}\", not \"{}\"", this.format))),
        }
    }
}

/// A checkpoint's tree, if it left one.
fn tree(folder: &RunFolder, id: &str, checkpoint: u32) -> Result<Option<JudgedTree>, Error> {
    let workspace = record(&folder.store, id, checkpoint)?.and_then(|record| record.workspace);
    let path = workspace.map(|id| folder.store.tree(id)).transpose()?;
    Ok(path.map(|path| JudgedTree::read(&path)).transpose()?)
}

fn specification(problems: &BTreeMap<String, Problem>, problem: &str, checkpoint: u32) -> Option<String> {
    problems.get(problem)?.specification(checkpoint)
}

/// Judges every checkpoint of a run that left a workspace, beside the specification that it was to meet. A trajectory ends where
/// one left none.
///
/// # Errors
///
/// [`Error::Judge`] where nobody could be asked: what is judged by then is kept in the judge's cache. [`Error::Run`] if the run
/// is not as it was kept.
pub fn judge_run(
    folder: &RunFolder,
    problems: &BTreeMap<String, Problem>,
    judge: &Judge,
    calibration: Option<&Path>,
) -> Result<RunRubric, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|source| Error::Write { path: folder.store.root.clone(), source })?;
    let (mut trajectories, mut identity) = (Vec::new(), None);
    for trajectory in &folder.plan.design.trajectories {
        let mut checkpoints: Vec<RubricCheckpoint> = Vec::new();
        let (mut before, mut is_whole): (Option<JudgedTree>, _) = (None, true);
        for number in folder.plan.design.stops(&trajectory.problem) {
            let Some(after) = tree(folder, &trajectory.id, number)? else { break };
            if let Some(part) = changed_parts(None, &after).first().filter(|_| identity.is_none()) {
                let key = judge.key(&RubricQuestion::new(part, None), Some(&after), 0)?;
                identity = Some(JudgeIdentity::from(&key));
            }
            let earlier = before.as_ref().zip(checkpoints.last().map(|one| &one.flags));
            let specification = specification(problems, &trajectory.problem, number);
            let flags = runtime.block_on(judge_checkpoint(judge, earlier, &after, specification.as_deref()))?;
            is_whole &= flags.not_judged.is_empty();
            checkpoints.push(judged(folder, &trajectory.id, number, flags, &after, is_whole)?);
            before = Some(after);
        }
        trajectories.push(RubricTrajectory { id: trajectory.id.clone(), checkpoints });
    }
    let calibration = calibration.map(CalibrationReport::load).transpose();
    let calibration = calibration.map_err(|error| Error::Calibration(error.to_string()))?;
    let standing = match &identity {
        Some(identity) => JudgeStanding::of(identity, calibration.as_ref()),
        None => JudgeStanding::Uncalibrated,
    };
    Ok(RunRubric {
        format: RUN_RUBRIC_FORMAT.to_owned(),
        plan: folder.store.plan().to_string(),
        judge: identity,
        standing: standing.to_string(),
        trajectories,
    })
}

/// What that may cost at most.
///
/// # Errors
///
/// As [`judge_run`].
pub fn estimate_rubric(
    folder: &RunFolder,
    problems: &BTreeMap<String, Problem>,
    judge: &Judge,
) -> Result<JudgingEstimate, Error> {
    let mut sum = JudgingEstimate::none();
    for trajectory in &folder.plan.design.trajectories {
        let mut before: Option<JudgedTree> = None;
        for number in folder.plan.design.stops(&trajectory.problem) {
            let Some(after) = tree(folder, &trajectory.id, number)? else { break };
            let specification = specification(problems, &trajectory.problem, number);
            sum += estimate_checkpoint(judge, before.as_ref(), &after, specification.as_deref())?;
            before = Some(after);
        }
    }
    Ok(sum)
}

/// `is_whole` says whether all so far was judged: else flags are missing that count, be they new or carried.
fn judged(
    folder: &RunFolder,
    id: &str,
    checkpoint: u32,
    flags: CheckpointFlags,
    tree: &JudgedTree,
    is_whole: bool,
) -> Result<RubricCheckpoint, Error> {
    let [verbosity, erosion] = [CriterionKind::Verbosity, CriterionKind::Erosion].map(|kind| flags.count(kind).all());
    let measurement = grading(&folder.store, id, checkpoint)?.and_then(|grading| grading.measurement);
    let composite = measurement.filter(|_| is_whole).and_then(|mut measurement| {
        let lint_errors = measurement.composites.lint_errors;
        let rubric_violations = Some(verbosity + erosion);
        measurement.complete_composites(ExternalFindings { rubric_violations, lint_errors });
        measurement.composites.verbosity_v0
    });
    let attempts = tree.attempts().clone();
    Ok(RubricCheckpoint { checkpoint, verbosity, erosion, verbosity_v0: composite, flags, attempts })
}
