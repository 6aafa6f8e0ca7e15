use std::path::PathBuf;

use slopbench_agents::stage::StageError;
use slopbench_digest::ReadError;
use slopbench_judge::JudgeError;
use slopbench_lint::LintError;
use slopbench_runner::Fault;
use slopbench_tests::{LoadError, Track, pytest::SuiteError};

use crate::run::prompt::PromptError;

/// Why a run gave no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A problem's folder is not as the format says.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A snapshot could not be measured.
    #[error(transparent)]
    Measure(#[from] slopbench_metrics::Error),
    /// No sandbox could be opened.
    #[error(transparent)]
    Sandbox(#[from] slopbench_sandbox::Error),
    /// A suite of tests could not be run.
    #[error(transparent)]
    Suite(SuiteError),
    /// The packages that a solution declares could not be had, which is not its fault.
    #[error(transparent)]
    Environment(#[from] slopbench_environments::Error),
    /// The sandbox kept failing while cases were played; a result with holes is no result.
    #[error(
        "the sandbox failed in {count} cases of {problem}, checkpoint {checkpoint}, the first being {case}: {cause}"
    )]
    Infrastructure {
        /// How many cases have no verdict.
        count: usize,
        /// The problem.
        problem: String,
        /// The checkpoint.
        checkpoint: u32,
        /// The first such case.
        case: String,
        /// What the sandbox said there.
        cause: String,
    },
    /// A solution was written to while it was graded, so that verdicts and figures would be of different snapshots.
    #[error("{} changed while it was graded; grade a copy that nobody writes to", .0.display())]
    Changed(PathBuf),
    /// An artifact's own files are not as the format says.
    #[error("{}{}: {message}", path.display(), line.map_or(String::new(), |line| format!(":{line}")))]
    Artifact {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where one can be named.
        line: Option<u32>,
        /// What is wrong and what to do.
        message: String,
    },
    /// A command of an artifact's job failed.
    #[error("`slopbench {command}` failed: {said}")]
    Command {
        /// Its arguments, as far as they are this tool's.
        command: String,
        /// Whose fault that is.
        fault: Fault,
        /// How it ended, and what it said.
        said: String,
    },
    /// What was named as the repository is not one.
    #[error("{}: {message}; name a clone of the repository with --root", path.display())]
    Root {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// There is no repository of problems here.
    #[error("no `problems` folder in {} or above; run inside a clone of the repository, or name one with --root, \
         or a folder of problems with --problems", .0.display())]
    NoRepository(PathBuf),
    /// A run or one of its stages does not go on.
    #[error(transparent)]
    Run(#[from] slopbench_runner::Error),
    /// A worker's stage cannot be carried out.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A problem is not the one that was planned.
    #[error("the problem {0} is not the one that was planned: restore it, begin a new run, or regrade this one")]
    OtherProblem(String),
    /// A plan does not hold what its trajectories name.
    #[error("the plan has no {what} \"{name}\"; begin a new run")]
    Planned {
        /// What sort of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Nothing was chosen.
    #[error("nothing is planned; name at least one problem and one agent")]
    Nothing,
    /// A worker was chosen twice.
    #[error("{0} is planned twice; name each worker once")]
    Twice(String),
    /// A prompt cannot be used.
    #[error("{0}")]
    Prompt(#[from] PromptError),
    /// There is no interpreter for solutions.
    #[error("python3 does not say its version where solutions run: {0}")]
    Interpreter(String),
    /// A track's toolchain is not there.
    #[error(
        "the track {track} cannot be had here: {cause}; {advice}, or choose where it is with --sandbox or --system"
    )]
    Toolchain {
        /// Which.
        track: Track,
        /// What was seen.
        cause: String,
        /// What to install.
        advice: &'static str,
    },
    /// The images that come with this version cannot be read.
    #[error("{0}")]
    Images(String),
    /// A run has no such checkpoint.
    #[error("the run has no checkpoint {checkpoint} of \"{trajectory}\"; `slopbench show {}` lists all", root.display())]
    NoCheckpoint {
        /// The run's folder.
        root: PathBuf,
        /// The trajectory.
        trajectory: String,
        /// The checkpoint.
        checkpoint: u32,
    },
    /// A result could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A judge could not be asked.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// What a judge said of a run cannot be read.
    #[error("{}: {message}; `slopbench judge rubric` writes it", path.display())]
    Judged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A linter could not be run.
    #[error(transparent)]
    Lint(#[from] LintError),
    /// What a linter found in a run cannot be read.
    #[error("{}: {message}; `slopbench lint` writes it", path.display())]
    Linted {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A judge's calibration cannot be read.
    #[error("{0}")]
    Calibration(String),
    /// A result could not be put into JSON: a bug.
    #[error("cannot write a result as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<SuiteError> for Error {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::Sandbox(error) => Self::Sandbox(error),
            error => Self::Suite(error),
        }
    }
}

impl Error {
    pub(crate) fn planned(what: &'static str, name: &str) -> Self {
        Self::Planned { what, name: name.to_owned() }
    }

    pub(crate) fn toolchain(track: Track, cause: &dyn ToString) -> Self {
        Self::Toolchain { track, cause: cause.to_string(), advice: track.definition().advice }
    }

    /// Whose fault this is.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Run(error) => error.fault(),
            Self::Command { fault, .. } => *fault,
            Self::Stage(error) if error.is_of_infrastructure() => Fault::Infrastructure,
            Self::Environment(error) if error.is_of_infrastructure() => Fault::Infrastructure,
            // A solution that cannot be copied into a sandbox is not the sandbox's failure.
            Self::Sandbox(slopbench_sandbox::Error::Solution { .. }) => Fault::Configuration,
            Self::Judge(error) if error.is_of_infrastructure() => Fault::Infrastructure,
            Self::Lint(error) if error.is_of_infrastructure() => Fault::Infrastructure,
            Self::Sandbox(_)
            | Self::Suite(_)
            | Self::Toolchain { .. }
            | Self::Infrastructure { .. }
            | Self::Write { .. }
            | Self::Json(_) => Fault::Infrastructure,
            Self::Stage(_)
            | Self::Environment(_)
            | Self::Judge(_)
            | Self::Lint(_)
            | Self::Linted { .. }
            | Self::Calibration(_)
            | Self::Judged { .. }
            | Self::Changed(_)
            | Self::Load(_)
            | Self::Read(_)
            | Self::Measure(_)
            | Self::Artifact { .. }
            | Self::Root { .. }
            | Self::OtherProblem(_)
            | Self::Planned { .. }
            | Self::Nothing
            | Self::Twice(_)
            | Self::Prompt(_)
            | Self::Interpreter(_)
            | Self::Images(_)
            | Self::NoCheckpoint { .. }
            | Self::NoRepository(_) => Fault::Configuration,
        }
    }
}
