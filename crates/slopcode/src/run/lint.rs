//! A linter over a run: what it finds in the files of every checkpoint that are measured, as SlopCodeBench's first version did.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_environments::Environments;
use slopbench_lint::{LintFindings, LintOutcome, LinterIdentity, Ruff};
use slopbench_metrics::{
    composites::ExternalFindings,
    grading::{Grading, MOST_UNMEASURED, measured_sources},
};
use slopbench_tests::Track;

use super::{
    checkpoint::{grading, record},
    plan::RunFolder,
};
use crate::Error;

/// What `format` says in a linted run of this version.
pub const RUN_LINT_FORMAT: &str = "slopbench.lint/1";

/// A run's checkpoints, linted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLint {
    /// [`RUN_LINT_FORMAT`].
    pub format: String,
    /// The digest of the run's plan.
    pub plan: String,
    /// Who found it, and by which rules.
    pub linter: LinterIdentity,
    /// Each trajectory, in the plan's order.
    pub trajectories: Vec<LintTrajectory>,
}

/// One trajectory, linted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintTrajectory {
    /// The plan's name for it.
    pub id: String,
    /// The checkpoints that are graded and left a workspace, in order.
    pub checkpoints: Vec<LintCheckpoint>,
}

/// One checkpoint, linted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintCheckpoint {
    /// From 1.
    pub checkpoint: u32,
    /// What was found in the files that grading measured; absent where that is not known.
    pub found: Option<LintFindings>,
    /// Why it is not known, in one sentence.
    pub absent: Option<String>,
    /// The blog's erosion with these findings as its lint errors.
    pub erosion_v0: Option<f64>,
}

impl RunLint {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::Linted`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Linted { path: path.to_path_buf(), message };
        let text = fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let this: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        match this.format == RUN_LINT_FORMAT {
            true => Ok(this),
            false => Err(wrong(format!("this version reads format \"{RUN_LINT_FORMAT}\", not \"{}\"", this.format))),
        }
    }
}

/// Lints what every graded checkpoint of a run left, in sessions of `environments`, one after the other.
///
/// # Errors
///
/// [`Error::Lint`] where the linter cannot be fetched or run. [`Error::Run`] if the run is not as it was kept.
pub fn lint_run(folder: &RunFolder, environments: &Environments<'_>) -> Result<RunLint, Error> {
    let ruff = Ruff::pinned()?;
    let mut trajectories = Vec::new();
    for trajectory in &folder.plan.design.trajectories {
        let mut checkpoints = Vec::new();
        for number in folder.plan.design.stops(&trajectory.problem) {
            let workspace = record(&folder.store, &trajectory.id, number)?.and_then(|record| record.workspace);
            let graded = grading(&folder.store, &trajectory.id, number)?;
            if let Some((workspace, graded)) = workspace.zip(graded) {
                let outcome = lint(&ruff, environments, &folder.store.tree(workspace)?, &graded)?;
                checkpoints.push(LintCheckpoint::new(number, graded, outcome));
            }
        }
        trajectories.push(LintTrajectory { id: trajectory.id.clone(), checkpoints });
    }
    let (format, plan) = (RUN_LINT_FORMAT.to_owned(), folder.store.plan().to_string());
    Ok(RunLint { format, plan, linter: ruff.identity(), trajectories })
}

/// What is found in the files of `tree` that were measured.
fn lint(ruff: &Ruff, environments: &Environments<'_>, tree: &Path, graded: &Grading) -> Result<LintOutcome, Error> {
    if graded.language != Track::Python.definition().name {
        return Ok(LintOutcome::Unread(format!("Ruff reads Python, and this is {}", graded.language)));
    }
    if let Some(withheld) = &graded.withheld {
        return Ok(LintOutcome::Unread(format!("its figures are withheld: {withheld}")));
    }
    let files = measured_sources(tree, graded)?;
    Ok(parsed_enough(ruff.lint(environments, &files)?, &files))
}

/// Withholds findings where more lines than grading leaves unmeasured could not be parsed: below that share, a file of an agent that
/// Python parses and Ruff does not, takes nothing out of the figures but itself.
fn parsed_enough(outcome: LintOutcome, files: &BTreeMap<String, String>) -> LintOutcome {
    let LintOutcome::Found(found) = &outcome else { return outcome };
    let lines = |text: &String| text.lines().count() as f64;
    let unparsed: f64 =
        files.iter().filter(|(path, _)| found.unparsed.contains(*path)).map(|(_, text)| lines(text)).sum();
    match found.unparsed.first() {
        Some(first) if unparsed > MOST_UNMEASURED * files.values().map(lines).sum::<f64>() => {
            let (count, files) = (found.unparsed.len(), files.len());
            LintOutcome::Unread(format!("Ruff cannot parse {count} of {files} files, {first:?} first"))
        }
        _ => outcome,
    }
}

impl LintCheckpoint {
    fn new(checkpoint: u32, graded: Grading, outcome: LintOutcome) -> Self {
        let found = match outcome {
            LintOutcome::Found(found) => found,
            LintOutcome::Unread(why) => return Self { checkpoint, found: None, absent: Some(why), erosion_v0: None },
        };
        let erosion_v0 = graded.measurement.and_then(|mut measurement| {
            let rubric_violations = measurement.composites.rubric_violations;
            measurement.complete_composites(ExternalFindings { rubric_violations, lint_errors: Some(found.errors) });
            measurement.composites.erosion_v0
        });
        Self { checkpoint, found: Some(found), absent: None, erosion_v0 }
    }
}

#[cfg(test)]
mod tests {
    use slopbench_environments::{EnvironmentStore, PackageIndex};
    use slopbench_metrics::{RuleSet, grading::grade};
    use slopbench_sandbox::{Runtime, session::System};

    use super::*;

    /// One function of CC 12, one of CC 1: of two callables, one is above 10 and none above 30.
    fn graded() -> (tempfile::TempDir, Grading) {
        let folder = tempfile::tempdir().unwrap();
        let branches = "    if a:\n        a += 1\n".repeat(11);
        fs::write(folder.path().join("a.py"), format!("def f(a):\n{branches}    return a\n\n\ndef g():\n    f(1)\n"))
            .unwrap();
        let graded = grade(folder.path(), "python", &[], &RuleSet::empty()).unwrap();
        (folder, graded)
    }

    #[test]
    fn the_composite_is_that_computed_by_hand() {
        let (_folder, graded) = graded();
        // 24 lines of `f`, two of `g`.
        let found = LintFindings {
            files: 1,
            errors: 13,
            rules: [("PLR0912".to_owned(), 13)].into(),
            ..LintFindings::default()
        };
        let one = LintCheckpoint::new(2, graded.clone(), LintOutcome::Found(found));
        assert_eq!((one.checkpoint, one.absent), (2, None));
        assert!((one.erosion_v0.unwrap() - (1.0 / 2.0 + 13.0 / 26.0)).abs() < 1e-12, "{:?}", one.erosion_v0);
        let none = LintCheckpoint::new(2, graded.clone(), LintOutcome::Found(LintFindings::default()));
        assert_eq!(none.erosion_v0, Some(0.5), "where nothing is found, that is 0");
        let unread = LintCheckpoint::new(2, graded, LintOutcome::Unread("By hand.".to_owned()));
        assert_eq!((unread.found, unread.erosion_v0, unread.absent.as_deref()), (None, None, Some("By hand.")));
    }

    #[test]
    fn a_small_file_that_is_not_parsed_withholds_nothing() {
        let files = |lines: usize| {
            let long = ("app.py".to_owned(), "a = 1\n".repeat(lines));
            BTreeMap::from([long, ("x.py".to_owned(), "def g(a, a):\n    pass\n".to_owned())])
        };
        let found = LintFindings { files: 1, unparsed: ["x.py".to_owned()].into(), ..LintFindings::default() };
        let found = LintOutcome::Found(found);
        assert_eq!(parsed_enough(found.clone(), &files(38)), found, "2 of 40 lines are 5%");
        let expected = "Ruff cannot parse 1 of 2 files, \"x.py\" first".to_owned();
        assert_eq!(parsed_enough(found, &files(37)), LintOutcome::Unread(expected));
    }

    #[test]
    fn what_the_linter_is_not_for_has_no_count() {
        let system = System::Machine(Runtime::python3().unwrap());
        let nowhere = EnvironmentStore(tempfile::tempdir().unwrap().path().join("none"));
        let environments = Environments::new(nowhere, system, Vec::new(), PackageIndex::default(), &|_| ());
        let (ruff, (folder, mut graded)) = (Ruff::pinned().unwrap(), graded());
        let why = |graded: &Grading| match lint(&ruff, &environments, folder.path(), graded).unwrap() {
            LintOutcome::Unread(why) => why,
            LintOutcome::Found(found) => panic!("{found:?}"),
        };
        graded.withheld = Some("by hand".to_owned());
        assert_eq!(why(&graded), "its figures are withheld: by hand");
        graded.language = "go".to_owned();
        assert_eq!(why(&graded), "Ruff reads Python, and this is go");
    }
}
