use std::path::PathBuf;

use slopbench_digest::ReadError;
use slopbench_runner::Fault;

use crate::task::TaskFlaw;

/// Why something of this study cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A task is not as its format has it.
    #[error("{}: {}", dir.display(), .flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Task {
        /// Its folder.
        dir: PathBuf,
        /// What is wrong, in the order of the files.
        flaws: Vec<TaskFlaw>,
    },
    /// There is no such task.
    #[error("there is no task \"{name}\" in {}; expected one of: {known}", dir.display())]
    NoTask {
        /// What was asked for.
        name: String,
        /// Where it was looked for.
        dir: PathBuf,
        /// What is there.
        known: String,
    },
    /// A new task cannot be begun.
    #[error("\"{name}\" {message}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        message: &'static str,
    },
    /// Too few components can be found out from the requests.
    #[error(
        "{task}: {recoverable} of {components} components are recoverable from its requests (RCR {rcr:.3}); expected at least \
         {least}, or scores say nothing of who was asked; disclose the others in requests.toml"
    )]
    Exposure {
        /// The task.
        task: String,
        /// With R(c) ≥ 1 at the end.
        recoverable: usize,
        /// All.
        components: usize,
        /// Their ratio.
        rcr: f64,
        /// The least that is expected.
        least: f64,
    },
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Error {
    /// Whose fault this is.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Task { .. } | Self::NoTask { .. } | Self::Name { .. } | Self::Exposure { .. } => Fault::Configuration,
            Self::Read(_) | Self::Write { .. } => Fault::Infrastructure,
        }
    }
}
