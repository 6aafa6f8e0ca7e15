//! Carrying out a run of this study, and writing its summary.

use std::collections::BTreeMap;

use slopbench_digest::canonical;
use slopbench_runner::{Budget, Coordinator, Executor, Instrument, Run, Watch, remove, write};
use slopbench_tests::Problem;

use super::{
    checkpoint::CheckpointStage,
    design::{Design, PlannedProblem, Trajectory},
    plan::{RunFolder, SUMMARY},
    study::SlopCode,
    summary::RunSummary,
    usage::RunUsage,
};
use crate::{Error, Repository};

/// A run that can be carried out.
pub struct BenchRun<'a, 'w> {
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// What is to be done.
    pub study: SlopCode<'a, 'w>,
    /// What its results are made with.
    pub instrument: &'a Instrument,
    /// Whether it may be another one than planned.
    pub accept_difference: bool,
    /// Who does trajectories, and where.
    pub executor: &'a dyn Executor,
    /// Told of every stage.
    pub watch: &'a dyn Watch,
}

/// How a run ended.
#[derive(Debug)]
pub struct BenchEnd {
    /// All results so far; complete, and written as `summary.json`, if nothing below is there.
    pub summary: RunSummary,
    /// How long its sessions took.
    pub usage: RunUsage,
    /// Why no further session was begun.
    pub stopped: Option<String>,
    /// What failed, by trajectory.
    pub broken: Vec<(String, Error)>,
}

impl<'a, 'w> BenchRun<'a, 'w> {
    /// Does every stage that is not there, and writes the summary once all are.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if another process coordinates the run, or its instrument is another one.
    pub fn carry_out(&self, budget: Budget) -> Result<BenchEnd, Error> {
        let coordinator = self.folder.store.coordinate()?;
        self.conclude(&coordinator, budget)
    }

    /// Grades every session anew; agents are not asked. What is not there is not done.
    ///
    /// # Errors
    ///
    /// As [`Self::carry_out`].
    pub fn regrade(&self) -> Result<BenchEnd, Error> {
        let coordinator = self.folder.store.coordinate()?;
        let run = self.engine(Budget::closed());
        // Of results that are not all there, there is no summary.
        run.admit()?;
        remove(&self.folder.store.root.join(SUMMARY))?;
        run.discard(&coordinator, &self.grades())?;
        self.conclude(&coordinator, Budget::closed())
    }

    /// Does one trajectory under a lease of its own, whoever coordinates the run; gives the reason where it stopped before its
    /// end.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if another process does it, and what went wrong in a stage.
    pub fn carry_out_unit(&self, unit: &str) -> Result<Option<String>, Error> {
        self.engine(Budget::default()).carry_out_unit(unit)
    }

    fn engine(&self, budget: Budget) -> Run<'_, SlopCode<'a, 'w>> {
        let Self { folder, study, instrument, accept_difference, watch, .. } = self;
        Run { study, store: &folder.store, instrument, accept_difference: *accept_difference, budget, watch: *watch }
    }

    fn conclude(&self, coordinator: &Coordinator, budget: Budget) -> Result<BenchEnd, Error> {
        let end = self.engine(budget).carry_out(coordinator, self.executor)?;
        let (summary, usage) = (RunSummary::read(self.folder)?, RunUsage::read(self.folder)?);
        let path = self.folder.store.root.join(SUMMARY);
        match summary.complete {
            true => write(&path, &canonical::to_vec(&summary)?)?,
            false => remove(&path)?,
        }
        Ok(BenchEnd { summary, usage, stopped: end.stopped, broken: end.broken })
    }

    fn grades(&self) -> Vec<(String, String)> {
        let design = &self.folder.plan.design;
        let of = |trajectory: &Trajectory| {
            let stops = design.stops(&trajectory.problem);
            stops
                .into_iter()
                .map(|checkpoint| (trajectory.id.clone(), CheckpointStage::Grade.of(checkpoint)))
                .collect::<Vec<_>>()
        };
        design.trajectories.iter().flat_map(of).collect()
    }
}

/// The problems that `design` names. To resume, they have to be those that were planned; to regrade, they have to have as
/// many checkpoints.
///
/// # Errors
///
/// [`Error::OtherProblem`] if one is not, and those of loading it.
pub fn problems(
    repository: &Repository,
    design: &Design,
    to_regrade: bool,
) -> Result<BTreeMap<String, Problem>, Error> {
    let load = |(name, planned): (&String, &PlannedProblem)| {
        let problem = repository.problem(name)?.in_track(design.track);
        let now = PlannedProblem::of(&problem)?;
        match now == *planned || (to_regrade && now.checkpoints == planned.checkpoints) {
            true => Ok((name.clone(), problem)),
            false => Err(Error::OtherProblem(name.clone())),
        }
    };
    design.problems.iter().map(load).collect()
}
