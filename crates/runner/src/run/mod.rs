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
mod plan;
pub mod prompt;
mod record;
mod session;
mod summary;
mod view;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use slopbench_digest::canonical;
use slopbench_tests::{Engine, Problem, Solve};

pub use self::{
    budget::Budget,
    diff::{FileDiff, diff},
    equipment::Equipment,
    estimate::{Estimate, EstimateRow},
    folder::RunFolder,
    footprint::Footprint,
    plan::{
        Answers, Choice, DEFAULT_LIMIT_SECONDS, ModelChoice, PLAN_FORMAT, Plan, PlannedProblem, Trajectory, Worker,
    },
    record::{Outcome, Record},
    summary::{CheckpointRow, Group, Rates, RunSummary, TrajectoryRow},
    view::View,
};
use self::{
    folder::{Part, read_json, write},
    session::Assignment,
};
use crate::{Error, Repository, Workshop, grade};

/// A run that can be carried out.
pub struct Run<'a, 'w> {
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// The problems of its plan, by name; see [`problems`].
    pub problems: &'a BTreeMap<String, Problem>,
    /// Where solutions are graded.
    pub workshop: &'a Workshop<'w>,
    /// What its workers need.
    pub equipment: &'a Equipment,
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

impl Run<'_, '_> {
    /// Does every step that is not there, and writes the summary once all are.
    pub fn carry_out(&self) -> Result<RunEnd, Error> {
        let _lock = self.folder.lock()?;
        self.folder.tidy()?;
        self.count_spent()?;
        let trajectories = &self.folder.plan.trajectories;
        let (next, grading) = (AtomicUsize::new(0), Mutex::new(()));
        let (stopped, broken) = (Mutex::new(None), Mutex::new(Vec::new()));
        let work = || {
            while let Some(trajectory) = trajectories.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.walk(trajectory, &grading) {
                    Ok(None) => self.watch.tell(trajectory, &Event::Finished),
                    Ok(Some(reason)) => {
                        self.watch.tell(trajectory, &Event::Stopped(&reason));
                        *lock(&stopped) = Some(reason);
                    }
                    Err(error) => {
                        self.watch.tell(trajectory, &Event::Broke(&error));
                        lock(&broken).push((trajectory.id.clone(), error));
                    }
                }
            }
        };
        thread::scope(|scope| {
            let workers = self.jobs.get().min(trajectories.len());
            (0..workers).for_each(|_| drop(scope.spawn(work)));
        });
        self.folder.tidy()?;
        let (stopped, broken) = (into_inner(stopped), into_inner(broken));
        let summary = RunSummary::read(self.folder)?;
        if summary.complete {
            write(&self.folder.root.join(SUMMARY), &canonical::to_vec(&summary)?)?;
        }
        Ok(RunEnd { summary, stopped, broken })
    }

    /// Grades every session anew; agents are not asked. What is not there is not done.
    pub fn regrade(&self) -> Result<RunEnd, Error> {
        let lock = self.folder.lock()?;
        for (trajectory, checkpoint) in self.steps() {
            self.folder.discard(&trajectory.id, checkpoint, Part::Grade)?;
        }
        drop(lock);
        let nothing = Run { budget: Budget::closed(), hide: self.hide.clone(), ..*self };
        nothing.carry_out()
    }

    /// Does a trajectory's missing steps; gives the reason where it stopped before its end.
    fn walk(&self, trajectory: &Trajectory, grading: &Mutex<()>) -> Result<Option<String>, Error> {
        let problem = self.problem(trajectory)?;
        let mut before: Option<Record> = None;
        for checkpoint in self.folder.plan.stops(&trajectory.problem) {
            let goes_on = before.as_ref().is_none_or(|record| record.outcome.goes_on());
            let record = match (goes_on, self.folder.record(&trajectory.id, checkpoint)?) {
                (false, _) => None,
                (true, Some(record)) => Some(record),
                (true, None) => match self.budget.exhausted() {
                    Some(reason) => return Ok(Some(reason)),
                    None => Some(self.session(trajectory, problem, checkpoint, before.as_ref())?),
                },
            };
            if self.folder.step(&trajectory.id, checkpoint, Part::Grade)?.is_none() {
                let _alone = lock(grading);
                self.grade(trajectory, problem, checkpoint, record.as_ref())?;
            }
            // A failed session stays the last one.
            before = record.or(before);
        }
        Ok(None)
    }

    fn session(
        &self,
        trajectory: &Trajectory,
        problem: &Problem,
        checkpoint: u32,
        before: Option<&Record>,
    ) -> Result<Record, Error> {
        self.watch.tell(trajectory, &Event::Began { checkpoint });
        let scratch = self.folder.scratch(&trajectory.id)?;
        let Self { folder, equipment, hide, .. } = self;
        let assignment = Assignment { folder, equipment, problem, trajectory, checkpoint, before, scratch, hide };
        let (record, prepared) = assignment.carry_out()?;
        self.budget.spend(&record);
        self.watch.tell(trajectory, &Event::Ended { checkpoint, outcome: &record.outcome });
        if let Outcome::Unanswered { reason } = &record.outcome {
            folder.keep_attempt(&prepared, &trajectory.id, checkpoint)?;
            return Err(Error::Unanswered { trajectory: trajectory.id.clone(), checkpoint, reason: reason.clone() });
        }
        folder.keep(&prepared, &trajectory.id, checkpoint, Part::Session)?;
        Ok(record)
    }

    /// One at a time, with all sandboxes for it: solutions under test then compete with no others for the processors.
    fn grade(
        &self,
        trajectory: &Trajectory,
        problem: &Problem,
        checkpoint: u32,
        record: Option<&Record>,
    ) -> Result<(), Error> {
        let scratch = self.folder.scratch(&trajectory.id)?;
        let solution = match record.and_then(|record| record.workspace) {
            Some(id) => self.folder.tree(id)?,
            // There is nothing, and it is graded as nothing.
            None => scratch.join("nothing"),
        };
        let Engine { open, jobs } = self.workshop.engine;
        let workshop = Workshop { engine: Engine { open, jobs }, rules: self.workshop.rules, progress: &() };
        let graded = grade(&workshop, problem, checkpoint, &solution)?;
        let step = scratch.join("step");
        write(&step.join(VERDICTS), &canonical::to_vec(&graded.verdicts)?)?;
        if let Some(quality) = &graded.quality {
            write(&step.join(QUALITY), &canonical::to_vec(quality)?)?;
        }
        self.folder.keep(&step, &trajectory.id, checkpoint, Part::Grade)?;
        self.watch.tell(trajectory, &Event::Graded { checkpoint, solve: graded.verdicts.solve });
        Ok(())
    }

    fn problem(&self, trajectory: &Trajectory) -> Result<&Problem, Error> {
        let missing = || Error::Plan(format!("the plan lacks the problem {}", trajectory.problem));
        self.problems.get(&trajectory.problem).ok_or_else(missing)
    }

    /// Sessions of earlier processes are paid, too.
    fn count_spent(&self) -> Result<(), Error> {
        for (trajectory, checkpoint) in self.steps() {
            self.folder.record(&trajectory.id, checkpoint)?.iter().for_each(|record| self.budget.spend(record));
            for attempt in self.folder.attempts(&trajectory.id, checkpoint)? {
                self.budget.spend(&read_json(&attempt.join(SESSION))?);
            }
        }
        Ok(())
    }

    fn steps(&self) -> impl Iterator<Item = (&Trajectory, u32)> {
        let plan = &self.folder.plan;
        plan.trajectories.iter().flat_map(|trajectory| {
            plan.stops(&trajectory.problem).into_iter().map(move |checkpoint| (trajectory, checkpoint))
        })
    }
}

const SUMMARY: &str = "summary.json";
const SESSION: &str = "session.json";
const VERDICTS: &str = "verdicts.json";
const QUALITY: &str = "quality.json";

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What is guarded is whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
