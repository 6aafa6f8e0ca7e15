//! The build step of tracks that have one: once for each snapshot that is graded, before its cases are played.

use std::path::{Path, PathBuf};

use slopbench_environments::{BuildPlan, BuiltSolution, Compilation};
use slopbench_tests::{BUILD_LIMITS, Entry, EntryBuild, Problem, Track, Unplayable};

use crate::{Error, GradingContext};

/// A solution as its cases are played against it.
pub(crate) struct Playable {
    /// The solution as it was written.
    written: PathBuf,
    built: Option<BuiltSolution>,
    /// A copy with its modules' bytecode.
    compiled: Option<BuiltSolution>,
    /// Why it cannot be built, if it cannot.
    pub(crate) refused: Option<String>,
}

impl Playable {
    /// The folder that sandboxes show.
    pub(crate) fn dir(&self) -> PathBuf {
        self.compiled.as_ref().or(self.built.as_ref()).map_or_else(|| self.written.clone(), BuiltSolution::path)
    }

    /// Whether sandboxes show all of that folder.
    pub(crate) fn is_whole(&self) -> bool {
        self.compiled.is_some()
    }

    /// Why nothing can be played, if so.
    pub(crate) fn unplayable(&self) -> Option<Unplayable> {
        self.refused.clone().map(Unplayable::BuildFailed)
    }
}

/// Builds the solution in `solution` where the problem's track has a build, and there is a solution. In Python, its modules are
/// compiled where they would be for each case: tests in pytest's form run it in a folder that Python can write to.
///
/// # Errors
///
/// [`Error::Toolchain`] if the track's toolchain is not there, [`Error::Environment`] if the machine fails.
pub(crate) fn build(context: &GradingContext<'_>, problem: &Problem, solution: &Path) -> Result<Playable, Error> {
    let mut playable = Playable { written: solution.to_path_buf(), built: None, compiled: None, refused: None };
    if problem.entry.track == Track::Python && problem.harness.pytest().is_none() {
        let _pass = context.gate.enter();
        playable.compiled = context.environments.bytecode(solution);
    }
    let Some(build) = problem.entry.build() else { return Ok(playable) };
    if !solution.join(problem.entry.required()).is_file() {
        return Ok(playable);
    }
    toolchain(context, problem.entry.track)?;
    match compile(context, solution, &plan(build))? {
        Compilation::Built(built) => playable.built = Some(built),
        Compilation::Refused { reason, .. } => playable.refused = Some(reason),
    }
    Ok(playable)
}

/// What the clock decides beside others is decided again alone.
fn compile(context: &GradingContext<'_>, solution: &Path, plan: &BuildPlan) -> Result<Compilation, Error> {
    let pass = context.gate.enter();
    let first = context.environments.compile(solution, plan)?;
    let had_company = !pass.was_alone();
    drop(pass);
    if !(had_company && matches!(first, Compilation::Refused { by_clock: true, .. })) {
        return Ok(first);
    }
    let _alone = context.gate.enter_alone();
    Ok(context.environments.compile(solution, plan)?)
}

fn plan(build: EntryBuild) -> BuildPlan {
    let EntryBuild { command, env, replaces, product, product_hint } = build;
    BuildPlan {
        command,
        env: env.into_iter().collect(),
        replaces: replaces.into(),
        product,
        product_hint: product_hint.to_owned(),
        limits: BUILD_LIMITS,
    }
}

/// What of a solution's folder is made by its build, and so neither measured nor run as it lies there.
pub(crate) fn made(entry: &Entry) -> Vec<String> {
    entry.build().map(|build| build.replaces).into_iter().collect()
}

/// The version of a track's toolchain, where solutions are built and run.
///
/// # Errors
///
/// [`Error::Toolchain`] if a part of it is not there.
pub fn toolchain(context: &GradingContext<'_>, track: Track) -> Result<String, Error> {
    let mut said = Vec::new();
    for question in track.definition().versions {
        let answer = context.environments.toolchain(question).map_err(|error| match error {
            slopbench_environments::Error::Toolchain { .. } => Error::toolchain(track, &error),
            error => error.into(),
        });
        said.push(answer?);
    }
    Ok(said.into_iter().next().unwrap_or_default())
}
