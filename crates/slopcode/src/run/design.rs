//! What a run is to do: every trajectory, written down in its plan before the first stage.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Not,
};

use serde::{Deserialize, Serialize};
use slopbench_agents::stage::{Answers, Worker};
use slopbench_digest::Sha256;
use slopbench_tests::{Problem, Track};

use super::prompt::Templates;
use crate::Error;

/// The paper's limit for a checkpoint, in seconds of wall-clock time (section 3.2).
pub const DEFAULT_LIMIT_SECONDS: u64 = 2 * 60 * 60;

/// Problems × workers × prompts × repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// What is to be solved, by name.
    pub problems: BTreeMap<String, PlannedProblem>,
    /// The language that solutions are written in.
    pub track: Track,
    /// The templates of prompts, by name.
    pub prompts: Templates,
    /// Wall-clock time for one checkpoint, in seconds.
    pub limit_seconds: u64,
    /// Whether all checkpoints are given at once and only the last is graded: the one-shot control.
    pub one_shot: bool,
    /// Where models' answers come from.
    pub answers: Answers,
    /// Which hosts workers reach, each with its port; beside them, only their model.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub allowed_hosts: BTreeSet<String>,
    /// Whether workers read the package indexes of Python and npm.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub package_indexes: bool,
    /// In the order in which they begin.
    pub trajectories: Vec<Trajectory>,
}

/// A problem as it was when the run was planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedProblem {
    /// See [`Problem::digest`]: a run asks the same thing to its end.
    pub digest: Sha256,
    /// How many it has.
    pub checkpoints: u32,
}

impl PlannedProblem {
    /// The problem as it is now.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if a file of it cannot be read.
    pub fn of(problem: &Problem) -> Result<Self, Error> {
        Ok(Self { digest: problem.digest()?, checkpoints: problem.checkpoints.len() as u32 })
    }
}

/// One worker, from the first checkpoint of one problem to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// Unique in the plan, and the same whenever the same is planned; also the name of its folder.
    pub id: String,
    /// The problem.
    pub problem: String,
    /// Who solves it.
    pub worker: Worker,
    /// The prompt's name.
    pub prompt: String,
    /// From 1.
    pub repeat: u32,
}

/// What makes up a design.
#[derive(Debug)]
pub struct DesignChoice<'a> {
    /// The problems, all in one track.
    pub problems: &'a [Problem],
    /// Who solves each.
    pub workers: &'a [Worker],
    /// Templates by name, as [`super::prompt::find`] gives them.
    pub prompts: Templates,
    /// How often each is done.
    pub repeats: u32,
    /// See [`Design::limit_seconds`].
    pub limit_seconds: u64,
    /// See [`Design::one_shot`].
    pub one_shot: bool,
    /// See [`Design::answers`].
    pub answers: Answers,
    /// See [`Design::allowed_hosts`].
    pub allowed_hosts: BTreeSet<String>,
    /// Whether workers are cut off from package indexes. They are in any case where answers are recorded or replayed: a replay
    /// could not have the same packages.
    pub offline: bool,
}

impl Design {
    /// Every trajectory of a choice.
    ///
    /// # Errors
    ///
    /// [`Error::Nothing`] and [`Error::Twice`].
    pub fn new(choice: DesignChoice<'_>) -> Result<Self, Error> {
        let mut trajectories: Vec<Trajectory> = Vec::new();
        for repeat in 1..=choice.repeats {
            for problem in choice.problems {
                for worker in choice.workers {
                    for prompt in choice.prompts.keys() {
                        trajectories.push(Trajectory::new(problem, worker, prompt, repeat));
                    }
                }
            }
        }
        let mut ids = BTreeSet::new();
        if let Some(twice) = trajectories.iter().find(|trajectory| !ids.insert(&trajectory.id)) {
            return Err(Error::Twice(twice.id.clone()));
        }
        if trajectories.is_empty() {
            return Err(Error::Nothing);
        }
        let identify = |problem: &Problem| Ok((problem.name.clone(), PlannedProblem::of(problem)?));
        let track = choice.problems.first().map(|problem| problem.entry.track).unwrap_or_default();
        let package_indexes = !choice.offline && choice.answers.is_model();
        Ok(Self {
            track,
            problems: choice.problems.iter().map(identify).collect::<Result<_, Error>>()?,
            prompts: choice.prompts,
            limit_seconds: choice.limit_seconds,
            one_shot: choice.one_shot,
            answers: choice.answers,
            allowed_hosts: choice.allowed_hosts,
            package_indexes,
            trajectories,
        })
    }

    /// The trajectory with this id.
    pub fn trajectory(&self, id: &str) -> Option<&Trajectory> {
        self.trajectories.iter().find(|trajectory| trajectory.id == id)
    }

    /// Who works in the run.
    pub fn workers(&self) -> impl Iterator<Item = &Worker> + Clone {
        self.trajectories.iter().map(|trajectory| &trajectory.worker)
    }

    /// The checkpoints of `problem` at which a worker is asked, in order.
    pub fn stops(&self, problem: &str) -> Vec<u32> {
        let last = self.problems.get(problem).map_or(0, |problem| problem.checkpoints);
        (if self.one_shot { last } else { 1 }..=last).collect()
    }
}

fn is_plain(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "-_.".contains(sign)
}

impl Trajectory {
    fn new(problem: &Problem, worker: &Worker, prompt: &str, repeat: u32) -> Self {
        let parts = [problem.name.clone(), worker.label()];
        // It names a folder, and a provider's own name of a model may hold anything.
        let model = worker.model().map(|model| model.replace(|sign: char| !is_plain(sign), "_"));
        let parts = parts.into_iter().chain(model).chain([prompt.to_owned(), repeat.to_string()]);
        let id = parts.collect::<Vec<_>>().join("--");
        Self { id, problem: problem.name.clone(), worker: worker.clone(), prompt: prompt.to_owned(), repeat }
    }
}
