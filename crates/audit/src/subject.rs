//! What checks are made of, and what they give.

use std::{collections::BTreeSet, path::Path};

use slopbench_runner::Instrument;
use slopbench_slopcode::{GradingContext, OpenSolution, SolutionPlayer};
use slopbench_tests::{Case, CaseOutcome, Problem};

use crate::{
    Error,
    kept::Kept,
    plays::PlayLog,
    report::{CheckEvidence, CheckState},
};

/// Where and how problems are audited.
pub struct AuditContext<'c, 'a> {
    /// Where solutions are played.
    pub grading: GradingContext<'a>,
    /// What they are played with: another one asks again.
    pub instrument: &'c Instrument,
    /// Interpreters other than the one of `grading`.
    pub interpreters: &'c [OtherInterpreter<'a>],
    /// Where what was found is kept; nothing is where there is none.
    pub kept: Option<&'c Path>,
    /// Told of each check that ends.
    pub tell: &'c (dyn Fn(&str) + Sync),
}

/// An interpreter of this machine's, beside the one that solutions are graded with.
pub struct OtherInterpreter<'a> {
    /// With its version.
    pub name: String,
    /// Opens a sandbox in which it is `python3`.
    pub open: Box<OpenSolution<'a>>,
}

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions {
    /// How often each case is played by a reference solution, under varying conditions.
    pub repeats: u32,
    /// How many mutants of each checkpoint are played at most.
    pub mutants: usize,
    /// What is drawn first.
    pub seed: u64,
}

/// A problem under audit.
pub(crate) struct Subject<'s, 'a> {
    pub(crate) context: &'s AuditContext<'s, 'a>,
    pub(crate) problem: &'s Problem,
    pub(crate) options: AuditOptions,
    pub(crate) kept: &'s Kept,
    pub(crate) log: &'s PlayLog,
}

/// What a check found.
pub(crate) struct Findings {
    pub(crate) state: CheckState,
    pub(crate) flaws: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) evidence: CheckEvidence,
}

impl Findings {
    pub(crate) fn new(evidence: CheckEvidence, flaws: Vec<String>, notes: Vec<String>) -> Self {
        let state = if flaws.is_empty() { CheckState::Sound } else { CheckState::Flawed };
        Self { state, flaws, notes, evidence }
    }

    /// Of a check that cannot be made.
    pub(crate) fn not_done(reason: impl Into<String>) -> Self {
        let evidence = CheckEvidence::Plays(Vec::new());
        Self { state: CheckState::NotDone, flaws: Vec::new(), notes: vec![reason.into()], evidence }
    }
}

/// The cases that a checkpoint introduces.
pub(crate) fn own_cases(problem: &Problem, checkpoint: u32) -> Vec<&Case> {
    problem.suite(checkpoint).into_iter().filter(|case| case.checkpoint == checkpoint).collect()
}

/// Of cases in the suite of checkpoint `number`, those that the next one does not play as well.
pub(crate) fn last_played(problem: &Problem, number: u32) -> Vec<&Case> {
    let later: BTreeSet<_> = match problem.checkpoint(number + 1) {
        Some(next) => problem.suite(next.number).into_iter().map(|case| &case.id).collect(),
        None => BTreeSet::new(),
    };
    problem.suite(number).into_iter().filter(|case| !later.contains(&case.id)).collect()
}

/// A case that did not pass, with what differed first.
pub(crate) fn describe(outcome: &CaseOutcome) -> String {
    match outcome.details.first() {
        Some(first) => format!("{}: {} {}", outcome.id, first.what, first.detail),
        None => format!("{}: {:?}", outcome.id, outcome.verdict),
    }
}

impl Subject<'_, '_> {
    /// Whether any reference solution declares packages.
    pub(crate) fn declares_packages(&self, grading: &GradingContext<'_>) -> Result<bool, Error> {
        for checkpoint in &self.problem.checkpoints {
            if SolutionPlayer::new(grading, self.problem, &self.problem.reference(checkpoint.number))?
                .declares_packages()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
