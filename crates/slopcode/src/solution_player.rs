//! Cases of one's own choice against one solution, any number of times: what audits of problems are made of.

use std::path::Path;

use slopbench_environments::PreparedEnvironment;
use slopbench_tests::{Case, CaseOutcome, Problem};

use crate::{
    Error, GradingContext,
    build::{Playable, build},
    grade::{check_infrastructure, prepare, unplayable, with_engine},
};

/// A solution whose packages are resolved and which is built, where its track has that.
pub struct SolutionPlayer<'p, 'a> {
    context: &'p GradingContext<'a>,
    problem: &'p Problem,
    prepared: Option<PreparedEnvironment>,
    playable: Playable,
}

impl<'p, 'a> SolutionPlayer<'p, 'a> {
    /// Makes the solution in `solution` ready to be played.
    ///
    /// # Errors
    ///
    /// As for [`grade()`](crate::grade()).
    pub fn new(context: &'p GradingContext<'a>, problem: &'p Problem, solution: &Path) -> Result<Self, Error> {
        let prepared = prepare(context, problem, solution)?;
        let playable = build(context, problem, solution)?;
        Ok(Self { context, problem, prepared, playable })
    }

    /// Whether the solution declares packages.
    pub fn declares_packages(&self) -> bool {
        self.prepared.is_some()
    }

    /// Plays these cases, several at once, begun in this order. The outcomes are in this order, too.
    ///
    /// # Errors
    ///
    /// [`Error::Sandbox`] if no sandbox can be opened, [`Error::Infrastructure`] if it fails in a case.
    pub fn play(&self, cases: &[&Case]) -> Result<Vec<CaseOutcome>, Error> {
        if let Some(why) = unplayable(&self.playable, self.prepared.as_ref()) {
            return Ok(cases.iter().map(|case| CaseOutcome::unplayed(case, &why)).collect());
        }
        with_engine(self.context, self.problem, self.prepared.as_ref(), &self.playable, |engine| {
            let step = |_: &CaseOutcome| self.context.progress.step();
            let outcomes = engine.run(self.problem, cases, &self.playable.dir(), &step)?;
            check_infrastructure(self.problem, last(cases), &outcomes)?;
            Ok(outcomes)
        })
    }

    /// Plays these cases in this order, in one sandbox, up to the first that does not pass.
    ///
    /// # Errors
    ///
    /// As for [`SolutionPlayer::play`].
    pub fn first_failure(&self, cases: &[&Case]) -> Result<Option<CaseOutcome>, Error> {
        if let Some(why) = unplayable(&self.playable, self.prepared.as_ref()) {
            return Ok(cases.first().map(|case| CaseOutcome::unplayed(case, &why)));
        }
        with_engine(self.context, self.problem, self.prepared.as_ref(), &self.playable, |engine| {
            let outcome = engine.first_failure(self.problem, cases, &self.playable.dir())?;
            check_infrastructure(self.problem, last(cases), &outcome)?;
            Ok(outcome)
        })
    }
}

/// The last checkpoint that one of these cases is of.
fn last(cases: &[&Case]) -> u32 {
    cases.iter().map(|case| case.checkpoint).max().unwrap_or_default()
}
