use std::path::Path;

use slopbench_digest::tree_id;
use slopbench_environments::{EnvironmentRecord, PreparedEnvironment, Resolution};
use slopbench_metrics::grading::{self, Grading};
use slopbench_tests::{CaseOutcome, Engine, PlayedCheckpoint, Problem, Selection, Track, Unplayable, Verdict};

use crate::{
    Error, GradingContext, SolutionMounts,
    build::{Playable, build, made},
    results::{CheckpointSummary, ProblemId, Quality, Verdicts},
    suites::SuiteEnvironmentSource,
};

/// One snapshot of a solution at one checkpoint: is it right, and what is it like.
#[derive(Debug)]
pub struct Graded {
    /// For the record.
    pub verdicts: Verdicts,
    /// For the record; absent where there is no solution.
    pub quality: Option<Grading>,
    /// For the record; absent where it declares nothing.
    pub environment: Option<EnvironmentRecord>,
    /// For people: details and diffs.
    pub outcomes: Vec<CaseOutcome>,
}

impl Graded {
    pub(crate) fn summary(&self) -> CheckpointSummary {
        let quality = self.quality.as_ref().and_then(Quality::of);
        let unmeasured = self.quality.as_ref().map(|grading| grading.unmeasured.share);
        let Verdicts { checkpoint, snapshot, counts, solve, .. } = self.verdicts;
        let environment = self.verdicts.environment.clone();
        CheckpointSummary { checkpoint, snapshot, counts, solve, quality, unmeasured, next_core: None, environment }
    }
}

/// Plays checkpoint `number`'s suite against the solution in `solution`, and measures it. What it declares to need is
/// resolved now, and it is built where the problem's track has a build.
///
/// # Errors
///
/// [`Error::Environment`] if the package index does not answer, [`Error::Sandbox`] if no sandbox can be opened, [`Error::Infrastructure`] if it fails in a case, [`Error::Changed`] if the
/// solution is written to meanwhile, [`Error::Measure`] and [`Error::Read`] if it, or what is asked of it, cannot be read.
pub fn grade(context: &GradingContext<'_>, problem: &Problem, number: u32, solution: &Path) -> Result<Graded, Error> {
    let prepared = prepare(context, problem, solution)?;
    grade_with(context, problem, number, solution, prepared.as_ref())
}

/// What a solution declares to need, in tracks whose packages are resolved.
pub(crate) fn prepare(
    context: &GradingContext<'_>,
    problem: &Problem,
    solution: &Path,
) -> Result<Option<PreparedEnvironment>, Error> {
    match problem.entry.track {
        Track::Python => Ok(context.environments.prepare(solution)?),
        _ => Ok(None),
    }
}

/// The same with what its requirements became.
pub(crate) fn grade_with(
    context: &GradingContext<'_>,
    problem: &Problem,
    number: u32,
    solution: &Path,
    prepared: Option<&PreparedEnvironment>,
) -> Result<Graded, Error> {
    let playable = build(context, problem, solution)?;
    grade_built(context, problem, number, solution, prepared, &playable)
}

/// The same with what its sources became.
pub(crate) fn grade_built(
    context: &GradingContext<'_>,
    problem: &Problem,
    number: u32,
    solution: &Path,
    prepared: Option<&PreparedEnvironment>,
    playable: &Playable,
) -> Result<Graded, Error> {
    let identify = || solution.is_dir().then(|| tree_id(solution)).transpose();
    let snapshot = identify()?;
    let PlayedCheckpoint { outcomes, suite } = play(context, problem, number, Selection::Suite, playable, prepared)?;
    let (language, made) = (problem.entry.track.definition().name, made(&problem.entry));
    let quality = snapshot.map(|_| grading::grade(solution, language, &made, context.rules)).transpose()?;
    let played = playable.is_whole().then(|| tree_id(&playable.dir())).transpose()?;
    if identify()? != snapshot || (played.is_some() && played != snapshot) {
        return Err(Error::Changed(solution.to_path_buf()));
    }
    let record = prepared.map(|prepared| prepared.record.clone());
    let environment = record.as_ref().map(EnvironmentRecord::identity).transpose()?;
    let verdicts = Verdicts::new(problem_id(problem)?, problem.entry.track, number, snapshot, &outcomes, suite);
    let build_failed = playable.refused.clone();
    Ok(Graded { verdicts: Verdicts { environment, build_failed, ..verdicts }, quality, environment: record, outcomes })
}

/// Plays what is selected of a checkpoint against a solution. A case without a verdict is an error: a result with holes in it is
/// no result.
pub(crate) fn play(
    context: &GradingContext<'_>,
    problem: &Problem,
    checkpoint: u32,
    selection: Selection,
    playable: &Playable,
    prepared: Option<&PreparedEnvironment>,
) -> Result<PlayedCheckpoint, Error> {
    context.progress.begin(&format!("{} checkpoint {checkpoint}", problem.name), problem.size(checkpoint, selection));
    let unplayable = unplayable(playable, prepared);
    with_engine(context, problem, prepared, playable, |engine| {
        let step = |_: &CaseOutcome| context.progress.step();
        let played =
            engine.play_checkpoint(problem, checkpoint, selection, &playable.dir(), unplayable.as_ref(), &step)?;
        check_infrastructure(problem, checkpoint, &played.outcomes)?;
        Ok(played)
    })
}

/// Why nothing can be played of a solution, if so.
pub(crate) fn unplayable(playable: &Playable, prepared: Option<&PreparedEnvironment>) -> Option<Unplayable> {
    match prepared.map(|prepared| &prepared.record.resolution) {
        Some(Resolution::Refused(reason)) => Some(Unplayable::NoEnvironment(reason.clone())),
        _ => playable.unplayable(),
    }
}

/// Calls `work` with an engine that plays cases beside what a solution declares.
pub(crate) fn with_engine<T>(
    context: &GradingContext<'_>,
    problem: &Problem,
    prepared: Option<&PreparedEnvironment>,
    playable: &Playable,
    work: impl FnOnce(&Engine<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let environment = prepared.and_then(|prepared| prepared.environment.as_ref());
    let environment = environment.map(|environment| environment.path.as_path());
    let whole = playable.is_whole();
    let open = |dir: &Path, assets: Option<&Path>| (context.open)(dir, SolutionMounts { environment, assets, whole });
    let suites = SuiteEnvironmentSource::new(context.environments, context.suites.get(&problem.name));
    let environments = |packages: &[String]| suites.get(packages);
    work(&Engine { open: &open, jobs: context.jobs, environments: &environments, gate: context.gate })
}

/// Refuses outcomes among which a case has no verdict.
pub(crate) fn check_infrastructure<'a>(
    problem: &Problem,
    checkpoint: u32,
    outcomes: impl IntoIterator<Item = &'a CaseOutcome>,
) -> Result<(), Error> {
    let mut failed = outcomes.into_iter().filter(|outcome| outcome.verdict == Verdict::Infrastructure);
    let Some(first) = failed.next() else { return Ok(()) };
    Err(Error::Infrastructure {
        count: 1 + failed.count(),
        problem: problem.name.clone(),
        checkpoint,
        case: first.id.to_string(),
        cause: first.infrastructure.clone().unwrap_or_default(),
    })
}

pub(crate) fn problem_id(problem: &Problem) -> Result<ProblemId, Error> {
    Ok(ProblemId { name: problem.name.clone(), digest: problem.digest()? })
}
