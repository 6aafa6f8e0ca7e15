//! A bench run: workers solve problems checkpoint after checkpoint, and each checkpoint is graded (paper, section 2.2).
//!
//! A [`Plan`] is written into a [`RunFolder`] before the first step. [`Run::carry_out`] walks every trajectory: a *session*
//! of the worker in a workspace that holds only what the checkpoint before left (its home is new, its earlier
//! conversations are gone), then the *grade* of what it left. Where a session fails, its workspace is graded as it is, the
//! later checkpoints have no session, and every case of theirs counts as missing (paper, section 2.3). A provider that
//! fails is no failure of the worker: its session is put aside, and done again by whoever resumes.
//!
//! Resuming is carrying out the same plan again: steps that are there are not done twice.

mod budget;
mod diff;
mod equipment;
mod estimate;
mod folder;
mod footprint;
mod gateway;
mod grading_usage;
mod group;
mod instrument;
mod plan;
pub mod prompt;
mod provider_access;
mod record;
mod scheduler;
mod session;
mod settle;
mod summary;
mod usage;
mod view;

use std::{collections::BTreeMap, num::NonZeroUsize, path::PathBuf};

use slopbench_tests::{Problem, Solve};

pub use self::{
    budget::Budget,
    diff::{FileDiff, diff},
    equipment::{Equipment, Systems, image_id},
    estimate::{Estimate, EstimateRow},
    folder::RunFolder,
    footprint::Footprint,
    group::{Group, PassRates, SolveRates},
    instrument::{Instrument, InstrumentDifference},
    plan::{
        Answers, Choice, DEFAULT_LIMIT_SECONDS, ModelChoice, PLAN_FORMAT, Plan, PlannedProblem, Trajectory, Worker,
    },
    provider_access::ProviderAccess,
    record::{Outcome, Record},
    summary::{CheckpointRow, Rates, RunSummary, TrajectoryRow},
    usage::{GroupUsage, RunUsage},
    view::View,
};
use crate::{Error, GradingContext, Repository};

/// A run that can be carried out.
pub struct Run<'a, 'w> {
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// The problems of its plan, by name; see [`problems`].
    pub problems: &'a BTreeMap<String, Problem>,
    /// Where solutions are graded.
    pub context: &'a GradingContext<'w>,
    /// What its workers need.
    pub equipment: &'a Equipment,
    /// What its results are made with.
    pub instrument: &'a Instrument,
    /// Whether it may be another one than planned.
    pub accept_difference: bool,
    /// What no worker may see: the repository, and the run's own folder.
    pub hide: Vec<PathBuf>,
    /// How many trajectories at once.
    pub jobs: NonZeroUsize,
    /// What it may cost.
    pub budget: Budget,
    /// Told of every step.
    pub watch: &'a dyn Watch,
}

/// Somebody who watches a run. Called from several threads.
pub trait Watch: Sync {
    /// Something happened in `trajectory`.
    fn tell(&self, trajectory: &Trajectory, event: &Event<'_>);
}

/// What happens in a trajectory.
#[derive(Debug)]
pub enum Event<'a> {
    /// A session begins.
    Began {
        /// At this checkpoint.
        checkpoint: u32,
    },
    /// A session ended.
    Ended {
        /// At this checkpoint.
        checkpoint: u32,
        /// So.
        outcome: &'a Outcome,
    },
    /// What it left is graded.
    Graded {
        /// At this checkpoint.
        checkpoint: u32,
        /// How far it is solved.
        solve: Solve,
    },
    /// All of it is done.
    Finished,
    /// No further session begins, for this reason.
    Stopped(&'a str),
    /// The machine or a provider failed; resuming tries again.
    Broke(&'a Error),
}

/// How a run ended.
#[derive(Debug)]
pub struct RunEnd {
    /// All results so far; complete, and written as `summary.json`, if nothing below is there.
    pub summary: RunSummary,
    /// How long its sessions took.
    pub usage: RunUsage,
    /// Why no further session was begun.
    pub stopped: Option<String>,
    /// What failed, by trajectory.
    pub broken: Vec<(String, Error)>,
}

/// The problems that `plan` names. To resume, they have to be those that were planned; to regrade, they have to have as
/// many checkpoints.
pub fn problems(repository: &Repository, plan: &Plan, to_regrade: bool) -> Result<BTreeMap<String, Problem>, Error> {
    let load = |(name, planned): (&String, &PlannedProblem)| {
        let problem = repository.problem(name)?;
        let now = PlannedProblem::of(&problem)?;
        match now == *planned || (to_regrade && now.checkpoints == planned.checkpoints) {
            true => Ok((name.clone(), problem)),
            false => Err(Error::Plan(format!(
                "the problem {name} is not the one that was planned: restore it, begin a new run, or regrade this one"
            ))),
        }
    };
    plan.problems.iter().map(load).collect()
}

const SUMMARY: &str = "summary.json";
const SESSION: &str = "session.json";
const VERDICTS: &str = "verdicts.json";
const QUALITY: &str = "quality.json";
const USAGE: &str = "usage.json";
