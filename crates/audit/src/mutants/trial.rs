//! Plays mutants of one checkpoint's reference solution.

use std::{collections::BTreeMap, path::Path, time::Duration};

use slopbench_slopcode::{GradingContext, SolutionPlayer};
use slopbench_tests::{Case, CaseOutcome, Problem, Verdict};

use super::{
    program::{Candidate, Program},
    statements::Trace,
};
use crate::{
    Error,
    plays::{KeptPlay, KeptTrace, digest},
    side_by_side::side_by_side,
    subject::{Subject, describe},
    wrapped::with_wrapping,
};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A case failed.
    Killed {
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
}

/// How a mutant is played, in the log.
const AS_MUTANT: &str = "with limits of a mutant";

impl<'s, 'a> Trial<'s, 'a> {
    /// Plays the suite once to see what it executes.
    pub(crate) fn new(subject: &'s Subject<'s, 'a>, checkpoint: u32, program: &Program) -> Result<Self, Error> {
        let mut problem = Problem::load(&subject.problem.dir)?;
        let mut traced = trace(subject, &problem, checkpoint, program)?;
        traced.sort_by(|(a, traced_a), (b, traced_b)| (traced_a.wall, a).cmp(&(traced_b.wall, b)));
        let mut executed: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (id, trace) in &traced {
            for statement in &trace.statements {
                executed.entry(*statement).or_default().push(id.clone());
            }
        }
        for case in problem.checkpoints.iter_mut().flat_map(|checkpoint| &mut checkpoint.cases) {
            if let Some((_, trace)) = traced.iter().find(|(id, _)| id == case.id.as_str()) {
                tighten(case, trace);
            }
        }
        Ok(Self { subject, checkpoint, problem, executed })
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
            let fate = self.fate(candidate)?;
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
        let (log, mutant) = (self.subject.log, digest(folder.path())?);
        let known = |case: &&Case| log.known(&mutant, case, AS_MUTANT);
        if let Some(failed) = cases.iter().filter_map(known).find(|play| play.failure.is_some()) {
            return Ok(Fate::Killed { by_limit: failed.by_limit });
        }
        let new: Vec<_> = cases.iter().copied().filter(|case| known(case).is_none()).collect();
        if new.is_empty() {
            return Ok(Fate::Survived);
        }
        self.play_new(&new, folder.path(), |case, play| log.keep(&mutant, case, AS_MUTANT, play))
    }

    /// Plays the mutant in `folder` with these cases up to the first that fails, and tells `keep` what became of each.
    fn play_new(
        &self,
        cases: &[&Case],
        folder: &Path,
        keep: impl Fn(&Case, KeptPlay) -> Result<KeptPlay, Error>,
    ) -> Result<Fate, Error> {
        let grading = &self.subject.context.grading;
        let context = GradingContext { progress: &(), suites: grading.suites.clone(), ..*grading };
        let player = SolutionPlayer::new(&context, &self.problem, folder)?;
        let mut left = cases;
        while let Some(outcome) = player.first_failure(left)? {
            let this = left.iter().position(|case| case.id == outcome.id).unwrap_or_default();
            let (passed, rest) = left.split_at(this);
            passed.iter().try_for_each(|case| keep(case, KeptPlay::passed()).map(drop))?;
            let Some((failed, rest)) = rest.split_first() else { break };
            let play = keep(failed, KeptPlay::of(&self.settled(failed, outcome, folder, &context)?))?;
            if play.failure.is_some() {
                return Ok(Fate::Killed { by_limit: play.by_limit });
            }
            left = rest;
        }
        left.iter().try_for_each(|case| keep(case, KeptPlay::passed()).map(drop))?;
        Ok(Fate::Survived)
    }

    /// What a case that did not pass says. What the clock decided is decided as in grading: with the case's own limits, and
    /// in the end alone, since a busy machine must kill no mutant.
    fn settled(
        &self,
        case: &Case,
        outcome: CaseOutcome,
        solution: &Path,
        context: &GradingContext<'_>,
    ) -> Result<CaseOutcome, Error> {
        let own = self.subject.problem;
        let same = own.suite(self.checkpoint).into_iter().find(|other| other.id == case.id);
        match same.filter(|_| outcome.by_clock) {
            Some(case) => {
                let again = SolutionPlayer::new(context, own, solution)?.play(&[case])?;
                Ok(again.into_iter().next().unwrap_or(outcome))
            }
            None => Ok(outcome),
        }
    }
}

/// Plays each case of the suite with a program that says what it executes.
fn trace(
    subject: &Subject<'_, '_>,
    problem: &Problem,
    checkpoint: u32,
    program: &Program,
) -> Result<Vec<(String, KeptTrace)>, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let original = problem.reference(checkpoint);
    program.write_instrumented(&original, folder.path(), &problem.entry.file())?;
    let (grading, solution) = (&subject.context.grading, digest(folder.path())?);
    let suite = problem.suite(checkpoint);
    grading.progress.begin(&format!("{} {checkpoint}: what cases execute", problem.name), suite.len());
    side_by_side(grading.jobs, &suite, |case| {
        let trace =
            subject.log.trace(&solution, case, || trace_one(grading, problem, &original, folder.path(), case))?;
        Ok((case.id.to_string(), trace))
    })
}

/// Plays `case` with the instrumented copy, in `solution`, of the solution in `original`.
fn trace_one(
    grading: &GradingContext<'_>,
    problem: &Problem,
    original: &Path,
    solution: &Path,
    case: &Case,
) -> Result<KeptTrace, Error> {
    let trace = Trace::default();
    let outcomes = with_wrapping(grading, &trace, |context| {
        SolutionPlayer::new(context, problem, solution)?.play(std::slice::from_ref(&case))
    })?;
    // What it needs to say so may take it over a limit, but has no part in its answers.
    let is_spoilt = |outcome: &&CaseOutcome| !matches!(outcome.verdict, Verdict::Pass | Verdict::Limit { .. });
    if let Some(failed) = outcomes.iter().find(is_spoilt) {
        let message = "with a call in front of each statement that says which are executed, it fails";
        let advice =
            "see whether it passes as it stands (check `references`); if so, this check cannot read its syntax";
        return Err(Error::unfit(original, format!("{message} {}; {advice}", describe(failed))));
    }
    let took = outcomes.iter().filter_map(|outcome| outcome.usage).next().unwrap_or_default();
    Ok(KeptTrace { statements: trace.into_executed().into_iter().collect(), cpu: took.cpu, wall: took.wall })
}

/// Lowers a case's limits to several times what the program took that says what it executes.
fn tighten(case: &mut Case, took: &KeptTrace) {
    let limits = &mut case.limits;
    limits.cpu = limits.cpu.min(3 * took.cpu + Duration::from_secs(1));
    limits.wall = limits.wall.min(5 * took.wall + Duration::from_secs(5));
}
