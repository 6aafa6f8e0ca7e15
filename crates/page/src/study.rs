//! Runs, read once for all that the page shows of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use slopbench_analysis::{
    RunSet,
    configuration::{AgentSetup, labels},
};
use slopbench_metrics::RuleSet;
use slopbench_slopcode::run::{PlannedProblem, RunFolder, STUDY, Trajectory};
use slopbench_tests::{Problem, Track};

use crate::Error;

/// Runs that a page is of.
pub struct PageStudy {
    /// Their rows.
    pub set: RunSet,
    /// Their folders, in the order of [`RunSet::runs`].
    pub(crate) folders: Vec<RunFolder>,
    pub(crate) rules: RuleSet,
}

/// What was asked at a checkpoint. It is shown with a run that was asked just this.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The problem.
    pub problem: String,
    /// In which language solutions are to be written.
    pub track: Track,
    /// As it is at hand, with its digest.
    pub planned: PlannedProblem,
    /// What agents are told, a text per checkpoint.
    pub texts: Vec<String>,
}

/// A trajectory in the study: the place of its run, and itself.
pub(crate) struct Placed<'a> {
    pub(crate) run: usize,
    pub(crate) folder: &'a RunFolder,
    pub(crate) trajectory: &'a Trajectory,
}

impl PageStudy {
    /// Reads every stage that is there.
    ///
    /// # Errors
    ///
    /// [`Error::Analysis`] if a folder holds no run of this version, or one that is not as it was kept.
    pub fn read<P: AsRef<Path>>(roots: &[P]) -> Result<Self, Error> {
        let open = |root: &P| RunFolder::open(root.as_ref(), STUDY).map_err(slopbench_slopcode::Error::from);
        let folders = roots.iter().map(open).collect::<Result<_, _>>()?;
        Ok(Self { set: RunSet::read(roots)?, folders, rules: RuleSet::builtin()? })
    }

    /// Differs once something was done in a run.
    pub(crate) fn fingerprint(&self) -> String {
        self.folders.iter().map(|folder| folder.store.fingerprint().to_string()).collect()
    }

    /// Every configuration with its short name, in the order of the tables.
    pub(crate) fn configurations(&self) -> Vec<(&AgentSetup, String)> {
        labels(self.set.rows.iter().map(|row| &row.configuration)).into_iter().collect()
    }

    /// Every trajectory, by run and plan.
    pub(crate) fn trajectories(&self) -> impl Iterator<Item = Placed<'_>> {
        self.folders.iter().enumerate().flat_map(|(run, folder)| {
            folder.plan.design.trajectories.iter().map(move |trajectory| Placed { run, folder, trajectory })
        })
    }

    /// What was asked in all runs: problems, each in a track.
    pub fn asked(&self) -> BTreeSet<(&str, Track)> {
        let designs = self.folders.iter().map(|folder| &folder.plan.design);
        designs.flat_map(|design| design.problems.keys().map(|name| (name.as_str(), design.track))).collect()
    }

    /// The problems of all runs, as planned.
    pub(crate) fn problems(&self) -> BTreeMap<&String, Vec<&PlannedProblem>> {
        let mut problems: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (name, planned) in self.folders.iter().flat_map(|folder| &folder.plan.design.problems) {
            problems.entry(name).or_default().push(planned);
        }
        problems
    }
}

impl Specification {
    /// Of a problem as it is at hand, in its track.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if a file of it cannot be read.
    pub fn of(problem: &Problem) -> Result<Self, Error> {
        let planned = PlannedProblem::of(problem)?;
        let texts = problem.checkpoints.iter().filter_map(|one| problem.specification(one.number)).collect();
        Ok(Self { problem: problem.name.clone(), track: problem.entry.track, planned, texts })
    }
}
