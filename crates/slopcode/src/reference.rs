//! The job that grades a problem's reference solutions: the check of the problem itself.

use std::{collections::BTreeMap, path::Path};

use slopbench_digest::canonical;
use slopbench_environments::{EnvironmentRecord, PreparedEnvironment, RECORD};
use slopbench_tests::{CaseOutcome, Problem, Selection, Tally, Verdict};

use crate::{
    Error, GradingContext, SuiteLocks,
    build::{Playable, build},
    grade::{Graded, grade_built, play, problem_id},
    results::ReferenceSummary,
};

/// What grading a problem's reference solutions gave.
#[derive(Debug)]
pub struct Reference {
    /// One per checkpoint, in order.
    pub graded: Vec<Graded>,
    /// All of them.
    pub summary: ReferenceSummary,
    /// What the tests were run with; absent where the problem's suite is of cases.
    pub suite: Option<EnvironmentRecord>,
}

/// The name of the lock of the tests' environment among archived files.
pub(crate) const SUITE: &str = "suite.json";

/// Grades every reference solution of `problem` at its checkpoint, and plays the next checkpoint's core cases against it:
/// a solution that passes them all would mean that the next checkpoint asks for nothing new.
///
/// # Errors
///
/// As for [`grade()`](crate::grade()), of every checkpoint.
pub fn run(context: &GradingContext<'_>, problem: &Problem) -> Result<Reference, Error> {
    let suites = SuiteLocks::of(context, [problem], &context.suites)?;
    let context = &GradingContext { suites, ..*context };
    run_with(context, problem, &|_, solution| crate::grade::prepare(context, problem, solution))
}

/// The same with the environments that are archived in `folder`.
pub(crate) fn run_again(context: &GradingContext<'_>, problem: &Problem, folder: &Path) -> Result<Reference, Error> {
    let kept = archived(context, problem, folder)?;
    let suites = SuiteLocks::of(context, [problem], &kept)?;
    let context = &GradingContext { suites, ..*context };
    run_with(context, problem, &|number, solution| {
        let path = folder.join(checkpoint_folder(number)).join(RECORD);
        match path.is_file() {
            true => Ok(Some(context.environments.open(slopbench_runner::read_json(&path)?)?)),
            false => crate::grade::prepare(context, problem, solution),
        }
    })
}

/// The lock of the tests' environment that is archived in `folder`, if one is. One for another interpreter is an error: results
/// of newer versions would only be other ones.
fn archived(context: &GradingContext<'_>, problem: &Problem, folder: &Path) -> Result<SuiteLocks, Error> {
    let path = folder.join(SUITE);
    if !path.is_file() {
        return Ok(SuiteLocks::default());
    }
    let record: EnvironmentRecord = slopbench_runner::read_json(&path)?;
    context.environments.open(record.clone())?;
    Ok(SuiteLocks::one(&problem.name, record))
}

/// Gives what the requirements of the solution of a checkpoint became.
type Prepare<'a> = dyn Fn(u32, &Path) -> Result<Option<PreparedEnvironment>, Error> + 'a;

fn run_with(context: &GradingContext<'_>, problem: &Problem, prepare: &Prepare<'_>) -> Result<Reference, Error> {
    let mut graded = Vec::new();
    let mut checkpoints = Vec::new();
    for checkpoint in &problem.checkpoints {
        let solution = problem.reference(checkpoint.number);
        let prepared = prepare(checkpoint.number, &solution)?;
        let (number, prepared, playable) = (checkpoint.number, prepared.as_ref(), build(context, problem, &solution)?);
        let this = grade_built(context, problem, number, &solution, prepared, &playable)?;
        let mut summary = this.summary();
        summary.next_core = next_core(context, problem, number, prepared, &playable)?;
        checkpoints.push(summary);
        graded.push(this);
    }
    let rules = rules_id(context);
    let summary = ReferenceSummary::new(problem_id(problem)?, problem.entry.track, rules, checkpoints);
    let suite = context.suites.get(&problem.name).cloned();
    Ok(Reference { graded, summary, suite })
}

impl Reference {
    /// The files to archive, by path: their names and their bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Json`], which is a bug.
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut files = BTreeMap::from([("summary.json".to_owned(), canonical::to_vec(&self.summary)?)]);
        if let Some(suite) = &self.suite {
            files.insert(SUITE.to_owned(), suite.to_bytes()?);
        }
        for graded in &self.graded {
            let folder = checkpoint_folder(graded.verdicts.checkpoint);
            files.insert(format!("{folder}/verdicts.json"), canonical::to_vec(&graded.verdicts)?);
            if let Some(quality) = &graded.quality {
                files.insert(format!("{folder}/quality.json"), canonical::to_vec(quality)?);
            }
            if let Some(environment) = &graded.environment {
                files.insert(format!("{folder}/{RECORD}"), environment.to_bytes()?);
            }
        }
        Ok(files)
    }

    /// Whatever is wrong with the problem, a sentence each: a reference solution that fails a case, or a checkpoint that
    /// the solution before it solves already.
    pub fn flaws(&self) -> Vec<String> {
        let missing = self.graded.iter().filter(|graded| graded.verdicts.snapshot.is_none()).map(|graded| {
            let (number, track) = (graded.verdicts.checkpoint, self.summary.track);
            format!("there is no reference solution of checkpoint {number} in {track}")
        });
        let there = self.graded.iter().filter(|graded| graded.verdicts.snapshot.is_some());
        let failures = there.flat_map(|graded| {
            let failed = graded.outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Pass);
            failed.map(|outcome| describe(graded.verdicts.checkpoint, outcome))
        });
        let idle =
            self.summary.checkpoints.iter().filter(|checkpoint| checkpoint.next_core.is_some_and(Tally::is_full));
        let idle = idle.map(|checkpoint| {
            let number = checkpoint.checkpoint;
            format!("the solution of checkpoint {number} passes every core case of checkpoint {} already", number + 1)
        });
        missing.chain(failures).chain(idle).collect()
    }
}

/// Where the results of a checkpoint are archived.
fn checkpoint_folder(number: u32) -> String {
    format!("checkpoint_{number}")
}

fn describe(checkpoint: u32, outcome: &CaseOutcome) -> String {
    if outcome.verdict == Verdict::Skipped {
        return format!("the solution of checkpoint {checkpoint} cannot pass {}, which skips itself", outcome.id);
    }
    let details: Vec<_> =
        outcome.details.iter().map(|mismatch| format!("{}: {}", mismatch.what, mismatch.detail)).collect();
    let why = if details.is_empty() { format!("{:?}", outcome.verdict) } else { details.join("; ") };
    format!("the solution of checkpoint {checkpoint} fails {}: {why}", outcome.id)
}

fn next_core(
    context: &GradingContext<'_>,
    problem: &Problem,
    number: u32,
    prepared: Option<&PreparedEnvironment>,
    playable: &Playable,
) -> Result<Option<Tally>, Error> {
    let Some(next) = problem.checkpoint(number + 1) else { return Ok(None) };
    let outcomes = play(context, problem, next.number, Selection::OwnCore, playable, prepared)?.outcomes;
    let passed = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Pass).count();
    Ok(Some(Tally { passed, total: outcomes.len() }))
}

fn rules_id(context: &GradingContext<'_>) -> slopbench_metrics::measurement::RulesId {
    let rules = context.rules;
    slopbench_metrics::measurement::RulesId { count: rules.ids().len(), digest: rules.digest().to_owned() }
}
