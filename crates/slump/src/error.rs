use std::path::PathBuf;

use slopbench_agents::stage::StageError;
use slopbench_digest::ReadError;
use slopbench_judge::JudgeError;
use slopbench_runner::Fault;

use crate::{pipeline::PipelineError, task::TaskFlaw};

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
    /// A run cannot be planned so, or is not as it was planned.
    #[error("{0}")]
    Design(String),
    /// A scripted model has nothing to write.
    #[error("the task {0} has no reference; give one in its folder `reference`, or name a model")]
    NoReference(String),
    /// A request cannot be carried out.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A calibration cannot be used.
    #[error("{0}")]
    Calibration(String),
    /// A judge could not be asked.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// A task cannot be made of a document.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The machine gives no runtime to ask models in.
    #[error("cannot ask a model: {0}")]
    Runtime(std::io::Error),
    /// A file could not be put into TOML: a bug.
    #[error("cannot write a task's file as TOML: {0}")]
    Toml(String),
    /// A guard's state cannot be read or brought up to date.
    #[error(transparent)]
    Guard(#[from] slopbench_guard::Error),
    /// What was recorded of a guard's model cannot be read or written.
    #[error(transparent)]
    Cassette(#[from] slopbench_gateway::cassette::CassetteError),
    /// The run's store does not take or give something.
    #[error(transparent)]
    Run(#[from] slopbench_runner::Error),
    /// What an agent's own tests need cannot be had, and it is not the agent's fault.
    #[error(transparent)]
    Environment(#[from] slopbench_environments::Error),
    /// The place of an agent's own tests failed.
    #[error(transparent)]
    Sandbox(#[from] slopbench_sandbox::Error),
    /// What an agent left cannot be measured.
    #[error(transparent)]
    Metrics(#[from] slopbench_metrics::Error),
    /// A record could not be put into JSON: a bug.
    #[error("cannot write a record as JSON: {0}")]
    Json(#[from] serde_json::Error),
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
            Self::Task { .. }
            | Self::NoTask { .. }
            | Self::Name { .. }
            | Self::Exposure { .. }
            | Self::Design(_)
            | Self::Calibration(_)
            | Self::Pipeline(_)
            | Self::NoReference(_) => Fault::Configuration,
            Self::Stage(error) if !error.is_of_infrastructure() => Fault::Configuration,
            Self::Judge(error) if !error.is_of_infrastructure() => Fault::Configuration,
            Self::Environment(error) if !error.is_of_infrastructure() => Fault::Configuration,
            Self::Run(error) => error.fault(),
            Self::Stage(_)
            | Self::Judge(_)
            | Self::Guard(_)
            | Self::Environment(_)
            | Self::Sandbox(_)
            | Self::Cassette(_)
            | Self::Metrics(_)
            | Self::Json(_)
            | Self::Runtime(_)
            | Self::Toml(_)
            | Self::Read(_)
            | Self::Write { .. } => Fault::Infrastructure,
        }
    }
}
