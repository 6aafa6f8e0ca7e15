//! What a linter finds in checkpoints, beside the rows of their runs.

use std::collections::BTreeMap;

use slopbench_slopcode::run::{LinterIdentity, RunLint};

use crate::{Error, RunSet};

impl RunSet {
    /// Adds what a linter finds in one of these runs.
    ///
    /// # Errors
    ///
    /// [`Error::OtherRun`] unless just one of them has the plan of the run that was linted; [`Error::OtherLinter`] if another
    /// linter, or another choice of rules, found what is known of another run.
    pub fn add_lint(&mut self, lint: &RunLint) -> Result<(), Error> {
        let name = self.run_of("lint", &lint.plan)?;
        if let Some(other) = self.linter().filter(|other| !other.counts_as(&lint.linter)) {
            return Err(Error::OtherLinter { one: other.to_string(), other: lint.linter.to_string() });
        }
        for run in self.runs.iter_mut().filter(|run| run.name == name) {
            run.linter = Some(lint.linter.clone());
        }
        let mut linted = BTreeMap::new();
        for trajectory in &lint.trajectories {
            linted.extend(trajectory.checkpoints.iter().map(|one| ((&*trajectory.id, one.checkpoint), one)));
        }
        for row in self.rows.iter_mut().filter(|row| row.run == name) {
            let one = linted.get(&(&*row.trajectory, row.checkpoint));
            if let Some((one, code)) = one.zip(row.code.as_mut()) {
                code.lint_errors = one.found.as_ref().map(|found| found.errors);
                code.erosion_v0 = one.erosion_v0;
            }
        }
        Ok(())
    }

    /// Who linted these runs, where somebody did.
    pub(crate) fn linter(&self) -> Option<&LinterIdentity> {
        self.runs.iter().find_map(|run| run.linter.as_ref())
    }

    /// The name of the run that has this plan, to which the file of `option` belongs.
    pub(crate) fn run_of(&self, option: &'static str, plan: &str) -> Result<String, Error> {
        let of_plan: Vec<_> = self.runs.iter().filter(|run| run.plan == plan).collect();
        match of_plan[..] {
            [run] => Ok(run.name.clone()),
            _ => Err(Error::OtherRun { option, plan: plan.to_owned(), found: of_plan.len() }),
        }
    }
}
