//! Plays mutants of one checkpoint's reference solution.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use slopbench_sandbox::ResourceUsage;
use slopbench_slopcode::{GradingContext, SolutionPlayer};
use slopbench_tests::{Case, CaseOutcome, Problem, Verdict};

use super::{
    program::{Candidate, Program},
    statements::Trace,
};
use crate::{
    Error,
    kept::Journal,
    side_by_side::side_by_side,
    subject::{Subject, describe},
    wrapped::with_wrapping,
};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    /// A case failed.
    Killed {
        /// Which, and what differed.
        case: String,
        /// Whether it ran into a limit, as one does that never ends.
        by_limit: bool,
    },
    /// All cases passed.
    Survived,
}

/// A reference solution, and what its suite executes of it.
pub(crate) struct Trial<'s, 'a> {
    subject: &'s Subject<'s, 'a>,
    checkpoint: u32,
    /// With limits that a mutant runs into soon.
    problem: Problem,
    /// For each statement, the cases that execute it, cheapest first.
    executed: BTreeMap<usize, Vec<String>>,
    journal: Journal<Fate>,
}

/// A case that was played with the program that says what it executes.
struct TracedCase {
    id: String,
    statements: BTreeSet<usize>,
    took: ResourceUsage,
}

impl<'s, 'a> Trial<'s, 'a> {
    /// Plays the suite once to see what it executes.
    pub(crate) fn new(subject: &'s Subject<'s, 'a>, checkpoint: u32, program: &Program) -> Result<Self, Error> {
        let mut problem = Problem::load(&subject.problem.dir)?;
        let mut traced = trace(subject, &problem, checkpoint, program)?;
        traced.sort_by(|a, b| (a.took.wall, &a.id).cmp(&(b.took.wall, &b.id)));
        let mut executed: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for case in &traced {
            for statement in &case.statements {
                executed.entry(*statement).or_default().push(case.id.clone());
            }
        }
        for case in problem.checkpoints.iter_mut().flat_map(|checkpoint| &mut checkpoint.cases) {
            if let Some(traced) = traced.iter().find(|traced| traced.id == case.id.as_str()) {
                tighten(case, traced.took);
            }
        }
        let journal = subject.kept.journal("mutants", &checkpoint)?;
        Ok(Self { subject, checkpoint, problem, executed, journal })
    }

    /// Whether any case executes the statement that a mutant is in.
    pub(crate) fn executes(&self, candidate: &Candidate<'_>) -> bool {
        candidate.statement.is_some_and(|statement| self.executed.contains_key(&statement))
    }

    /// The statements on new lines that no case executes.
    pub(crate) fn unexecuted_lines(&self, program: &Program) -> Vec<String> {
        let missed = program.new_statements().into_iter().filter(|(number, _)| !self.executed.contains_key(number));
        missed.map(|(_, place)| place).collect()
    }

    /// Plays each mutant, as many at a time as cases are played otherwise.
    pub(crate) fn play(&self, sample: &[Candidate<'_>]) -> Result<Vec<Fate>, Error> {
        let grading = &self.subject.context.grading;
        grading.progress.begin(&format!("{} {}: mutants", self.problem.name, self.checkpoint), sample.len());
        side_by_side(grading.jobs, sample, |candidate| {
            let fate = self.journal.or_make(&candidate.name(), || self.fate(candidate))?;
            grading.progress.step();
            Ok(fate)
        })
    }

    fn fate(&self, candidate: &Candidate<'_>) -> Result<Fate, Error> {
        let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
        candidate.write(&self.problem.reference(self.checkpoint), folder.path())?;
        let suite = self.problem.suite(self.checkpoint);
        let ids = candidate.statement.and_then(|statement| self.executed.get(&statement)).into_iter().flatten();
        let cases: Vec<&Case> =
            ids.filter_map(|id| suite.iter().find(|case| case.id.as_str() == id)).copied().collect();
        let context = GradingContext {
            progress: &(),
            suites: self.subject.context.grading.suites.clone(),
            ..self.subject.context.grading
        };
        let player = SolutionPlayer::new(&context, &self.problem, folder.path())?;
        let mut left = cases.as_slice();
        while let Some(outcome) = player.first_failure(left)? {
            let this = left.iter().position(|case| case.id == outcome.id).unwrap_or_default();
            if let Some(fate) = self.settle(left.get(this), outcome, folder.path(), &context)? {
                return Ok(fate);
            }
            left = left.get(this + 1..).unwrap_or_default();
        }
        Ok(Fate::Survived)
    }

    /// What a case that did not pass says. What the clock decided is decided as in grading: with the case's own
    /// limits, and
    /// in the end alone, since a busy machine must kill no mutant.
    fn settle(
        &self,
        case: Option<&&Case>,
        outcome: CaseOutcome,
        solution: &Path,
        context: &GradingContext<'_>,
    ) -> Result<Option<Fate>, Error> {
        let own = self.subject.problem;
        let same = case.and_then(|case| own.suite(self.checkpoint).into_iter().find(|other| other.id == case.id));
        let outcome = match same.filter(|_| outcome.by_clock) {
            Some(case) => {
                SolutionPlayer::new(context, own, solution)?.play(&[case])?.into_iter().next().unwrap_or(outcome)
            }
            None => outcome,
        };
        let by_limit = matches!(outcome.verdict, Verdict::Limit { .. });
        let is_killed = outcome.verdict != Verdict::Pass;
        Ok(is_killed.then(|| Fate::Killed { case: describe(&outcome), by_limit }))
    }
}

/// Plays each case of the suite with a program that says what it executes.
fn trace(
    subject: &Subject<'_, '_>,
    problem: &Problem,
    checkpoint: u32,
    program: &Program,
) -> Result<Vec<TracedCase>, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    program.write_instrumented(&problem.reference(checkpoint), folder.path(), &problem.entry.file())?;
    let grading = &subject.context.grading;
    let suite = problem.suite(checkpoint);
    grading.progress.begin(&format!("{} {checkpoint}: what cases execute", problem.name), suite.len());
    side_by_side(grading.jobs, &suite, |case| {
        let trace = Trace::default();
        let outcomes = with_wrapping(grading, &trace, |context| {
            SolutionPlayer::new(context, problem, folder.path())?.play(std::slice::from_ref(case))
        })?;
        let took = outcomes.iter().filter_map(|outcome| outcome.usage).next().unwrap_or_default();
        Ok(TracedCase { id: case.id.to_string(), statements: trace.into_executed(), took })
    })
}

/// Lowers a case's limits to several times what the program took that says what it executes.
fn tighten(case: &mut Case, took: ResourceUsage) {
    let limits = &mut case.limits;
    limits.cpu = limits.cpu.min(3 * took.cpu + Duration::from_secs(1));
    limits.wall = limits.wall.min(5 * took.wall + Duration::from_secs(5));
}
