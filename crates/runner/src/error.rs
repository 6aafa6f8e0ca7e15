use std::path::PathBuf;

use slopbench_agents::{install::InstallError, lock::LockError, session::SessionError};
use slopbench_digest::ReadError;
use slopbench_gateway::{
    cassette::CassetteError,
    catalogue::{CatalogueError, Unknown},
    provider::ProviderError,
    script::ScriptError,
    server::{ForwardError, StartError},
};
use slopbench_sandbox::snapshot::SnapshotError;
use slopbench_tests::LoadError;

use crate::run::InstrumentDifference;

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
        line: Option<usize>,
        /// What is wrong and what to do.
        message: String,
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
    #[error("no `problems` folder in {} or above; run inside a clone of the repository, or name one with --root", .0.display())]
    NoRepository(PathBuf),
    /// What was asked of a run cannot be done.
    #[error("{0}")]
    Plan(String),
    /// A run was planned with another instrument.
    #[error(
        "{} was planned with another instrument: {}; restore it, begin a new run with --out, or mix the two with \
         --accept-difference, which the run's results then name",
        root.display(),
        .differences.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    Instrument {
        /// The run's folder.
        root: PathBuf,
        /// Each part that differs, and was not accepted before.
        differences: Vec<InstrumentDifference>,
    },
    /// A run's folder is not as we left it.
    #[error("{}: {what}, and not by slopbench; restore it, or begin a new run", path.display())]
    Edited {
        /// The file or folder.
        path: PathBuf,
        /// What happened to it.
        what: String,
    },
    /// A session had no answers from its model, which says nothing of the agent.
    #[error("{trajectory}, checkpoint {checkpoint}: {reason}; `slopbench resume` tries again")]
    Unanswered {
        /// The trajectory.
        trajectory: String,
        /// The checkpoint.
        checkpoint: u32,
        /// What the gateway saw.
        reason: String,
    },
    /// A checkpoint's sessions had no answers from their model, again and again.
    #[error(
        "{trajectory}, checkpoint {checkpoint}: given up after {attempts} sessions without answers from its model; \
         read their gateway.jsonl in {}, and remove that folder to have it tried again", folder.display()
    )]
    GivenUp {
        /// The trajectory.
        trajectory: String,
        /// The checkpoint.
        checkpoint: u32,
        /// How many there were.
        attempts: usize,
        /// Where they are kept.
        folder: PathBuf,
    },
    /// A catalogue cannot be used.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// There is no such agent, model or provider.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// Nothing pins an agent's version.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// An agent cannot be installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A model's provider cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A scripted model has no script.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A cassette cannot be used.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The gateway does not start.
    #[error(transparent)]
    Gateway(#[from] StartError),
    /// The gateway cannot reach providers.
    #[error(transparent)]
    Forward(#[from] ForwardError),
    /// A workspace cannot be copied.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// An agent cannot be started.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A result could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A result could not be put into JSON: a bug.
    #[error("cannot write a result as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What was asked for, or the files it was asked of.
    Configuration,
    /// The machine.
    Infrastructure,
}

impl Error {
    /// Whose fault this is.
    pub fn fault(&self) -> Fault {
        match self {
            // A solution that cannot be copied into a sandbox is not the sandbox's failure.
            Self::Sandbox(slopbench_sandbox::Error::Solution { .. }) | Self::Changed(_) => Fault::Configuration,
            Self::Install(InstallError::Lock(_) | InstallError::Folder(_)) => Fault::Configuration,
            Self::Sandbox(_)
            | Self::Infrastructure { .. }
            | Self::Write { .. }
            | Self::Json(_)
            | Self::Unanswered { .. }
            | Self::GivenUp { .. }
            | Self::Install(_)
            | Self::Gateway(_)
            | Self::Forward(_)
            | Self::Snapshot(_)
            | Self::Session(_) => Fault::Infrastructure,
            Self::Load(_)
            | Self::Read(_)
            | Self::Measure(_)
            | Self::Artifact { .. }
            | Self::Root { .. }
            | Self::Plan(_)
            | Self::Edited { .. }
            | Self::Instrument { .. }
            | Self::Catalogue(_)
            | Self::Unknown(_)
            | Self::Lock(_)
            | Self::Provider(_)
            | Self::Script(_)
            | Self::Cassette(_)
            | Self::NoRepository(_) => Fault::Configuration,
        }
    }
}
