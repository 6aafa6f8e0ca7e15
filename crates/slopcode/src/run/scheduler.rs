//! Walking a plan: which step comes next, who does it, and what is kept of it.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use slopbench_digest::canonical;
use slopbench_tests::{Engine, Problem};

use super::{
    Budget, Event, Outcome, QUALITY, Record, Run, RunEnd, RunSummary, RunUsage, SESSION, SUMMARY, Trajectory, USAGE,
    VERDICTS,
    folder::{Part, read_json, remove, write},
    grading_usage::GradingUsage,
    session::Assignment,
    settle::Settlement,
};
use crate::{Error, GradingContext, grade};

/// How many sessions of a checkpoint may be put aside before it is given up: each may have been paid.
const MOST_ATTEMPTS: usize = 5;

impl Run<'_, '_> {
    /// Does every step that is not there, and writes the summary once all are.
    pub fn carry_out(&self) -> Result<RunEnd, Error> {
        let _lock = self.folder.lock()?;
        self.work()
    }

    /// Grades every session anew; agents are not asked. What is not there is not done.
    pub fn regrade(&self) -> Result<RunEnd, Error> {
        let _lock = self.folder.lock()?;
        self.folder.admit(self.instrument, self.accept_difference)?;
        // Of results that are not all there, there is no summary.
        remove(&self.folder.root.join(SUMMARY))?;
        for (trajectory, checkpoint) in self.steps() {
            self.folder.discard(&trajectory.id, checkpoint, Part::Grade)?;
        }
        let nothing = Run { budget: Budget::closed(), hide: self.hide.clone(), ..*self };
        nothing.work()
    }

    /// Does what is missing; the caller has the run's lock.
    fn work(&self) -> Result<RunEnd, Error> {
        self.folder.admit(self.instrument, self.accept_difference)?;
        self.folder.tidy()?;
        self.take_stock()?;
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
        let (summary, usage) = (RunSummary::read(self.folder)?, RunUsage::read(self.folder)?);
        let path = self.folder.root.join(SUMMARY);
        match summary.complete {
            true => write(&path, &canonical::to_vec(&summary)?)?,
            false => remove(&path)?,
        }
        Ok(RunEnd { summary, usage, stopped, broken })
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
                    // One that has ended is paid.
                    Some(reason) if self.folder.ended(&trajectory.id, checkpoint).is_none() => return Ok(Some(reason)),
                    _ => Some(self.session(trajectory, problem, checkpoint, before.as_ref())?),
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
        let Self { folder, equipment, instrument, hide, .. } = self;
        let id = &trajectory.id;
        if folder.ended(id, checkpoint).is_none() {
            let attempts = folder.attempts(id, checkpoint)?;
            if let Some(last) = attempts.get(MOST_ATTEMPTS - 1) {
                let (trajectory, place) = (id.clone(), last.with_file_name(""));
                return Err(Error::GivenUp { trajectory, checkpoint, attempts: attempts.len(), folder: place });
            }
            // An agent takes processors from the solutions under test: none begins while one of those has to be alone.
            let _pass = self.context.engine.gate.enter();
            self.watch.tell(trajectory, &Event::Began { checkpoint });
            let scratch = folder.scratch(id)?;
            let assignment =
                Assignment { folder, equipment, instrument, problem, trajectory, checkpoint, before, scratch, hide };
            let (record, ended) = assignment.carry_out()?;
            folder.keep_ended(&ended, id, checkpoint)?;
            self.budget.spend(&record);
        }
        let missing = || Error::Plan(format!("{id}, checkpoint {checkpoint}: its session is gone; resume the run"));
        let ended = folder.ended(id, checkpoint).ok_or_else(missing)?;
        let (record, prepared) =
            Settlement { folder, ended: &ended, scratch: &folder.scratch(id)?, entry: &problem.entry }.carry_out()?;
        self.watch.tell(trajectory, &Event::Ended { checkpoint, outcome: &record.outcome });
        match &record.outcome {
            Outcome::Unanswered { .. } => folder.keep_attempt(&prepared, id, checkpoint)?,
            _ => folder.keep(&prepared, (id, checkpoint, Part::Session), &record.instrument)?,
        }
        folder.discard_ended(id, checkpoint)?;
        match &record.outcome {
            Outcome::Unanswered { reason } => {
                Err(Error::Unanswered { trajectory: id.clone(), checkpoint, reason: reason.clone() })
            }
            _ => Ok(record),
        }
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
        let Engine { open, jobs, gate } = self.context.engine;
        let context = GradingContext { engine: Engine { open, jobs, gate }, rules: self.context.rules, progress: &() };
        let clock = Instant::now();
        let (graded, unusable) = match grade(&context, problem, checkpoint, &solution) {
            // What a worker left in such a way that it cannot be run is nothing, too.
            Err(error @ Error::Sandbox(slopbench_sandbox::Error::Solution { .. })) => {
                (grade(&context, problem, checkpoint, &scratch.join("nothing"))?, Some(error.to_string()))
            }
            graded => (graded?, None),
        };
        let usage = GradingUsage::new(clock.elapsed(), &graded.outcomes, unusable);
        let step = scratch.join("step");
        write(&step.join(USAGE), &canonical::to_vec(&usage)?)?;
        let verdicts = if self.folder.plan.one_shot { graded.verdicts.of_one_shot() } else { graded.verdicts };
        write(&step.join(VERDICTS), &canonical::to_vec(&verdicts)?)?;
        if let Some(quality) = &graded.quality {
            write(&step.join(QUALITY), &canonical::to_vec(quality)?)?;
        }
        self.folder.keep(&step, (&trajectory.id, checkpoint, Part::Grade), self.instrument)?;
        self.watch.tell(trajectory, &Event::Graded { checkpoint, solve: verdicts.solve });
        Ok(())
    }

    fn problem(&self, trajectory: &Trajectory) -> Result<&Problem, Error> {
        let missing = || Error::Plan(format!("the plan lacks the problem {}", trajectory.problem));
        self.problems.get(&trajectory.problem).ok_or_else(missing)
    }

    /// Sessions of earlier processes are paid, too; a workspace of none of them is left from one that was killed.
    fn take_stock(&self) -> Result<(), Error> {
        let mut records: Vec<Record> = Vec::new();
        for (trajectory, checkpoint) in self.steps() {
            records.extend(self.folder.record(&trajectory.id, checkpoint)?);
            let ended = self.folder.ended(&trajectory.id, checkpoint);
            if ended.is_none() {
                // Settled, but for what an earlier process left of it.
                self.folder.discard_ended(&trajectory.id, checkpoint)?;
            }
            let ended = ended.map(|ended| ended.join("session"));
            for session in self.folder.attempts(&trajectory.id, checkpoint)?.into_iter().chain(ended) {
                records.push(read_json(&session.join(SESSION))?);
            }
        }
        records.iter().for_each(|record| self.budget.spend(record));
        let trees = records.iter().filter_map(|record| record.workspace).map(|id| id.to_string());
        self.folder.keep_trees(&trees.collect())
    }

    fn steps(&self) -> impl Iterator<Item = (&Trajectory, u32)> {
        let plan = &self.folder.plan;
        plan.trajectories.iter().flat_map(|trajectory| {
            plan.stops(&trajectory.problem).into_iter().map(move |checkpoint| (trajectory, checkpoint))
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
