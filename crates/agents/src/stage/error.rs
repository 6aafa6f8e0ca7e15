use std::{io, path::PathBuf};

use slopbench_digest::ReadError;
use slopbench_gateway::{
    cassette::CassetteError,
    catalogue::{CatalogueError, UnknownName},
    prices::NoPrice,
    provider::ProviderError,
    script::ScriptError,
    server::{ForwardError, StartError},
};
use slopbench_runner::Fault;
use slopbench_sandbox::snapshot::SnapshotError;

use crate::{install::InstallError, lock::LockError, session::SessionError};

/// Why a stage cannot be carried out. How a worker fails is no error but its [`StageOutcome`](super::StageOutcome).
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// A catalogue cannot be used.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// There is no such agent, model or provider.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Nothing pins an agent's version.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// An agent cannot be installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A model's provider cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A budget in dollars has no price to go by.
    #[error("{0}, or limit the run with --max-tokens instead of --budget-usd")]
    UnknownPrice(NoPrice),
    /// What the plan names was not prepared: the plan is another one.
    #[error("{0} was not prepared; begin the run anew")]
    Unprepared(String),
    /// There is no image for an agent.
    #[error("{0} names no image to run in; use --sandbox namespaces")]
    NoImage(String),
    /// A program's folder cannot be shown without something that is hidden.
    #[error("{} would be shown together with {}; put it into a folder of its own", program.display(), hidden.display())]
    ShownTogether {
        /// The program.
        program: PathBuf,
        /// What no worker may see.
        hidden: PathBuf,
    },
    /// The stage has no reference that could be put in place.
    #[error("there is no reference to put in place")]
    NoReference,
    /// An agent's conversation cannot be continued.
    #[error("{0} cannot go on with a conversation")]
    NoConversation(String),
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
    /// No sandbox could be opened.
    #[error(transparent)]
    Sandbox(#[from] slopbench_sandbox::Error),
    /// The environment of its packages cannot be made active.
    #[error("the environment of the workspace's packages cannot be made active: {0}")]
    Environment(String),
    /// A workspace cannot be copied.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// An agent cannot be started.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The run's store does not take or give something.
    #[error(transparent)]
    Run(#[from] slopbench_runner::Error),
    /// A record could not be put into JSON: a bug.
    #[error("cannot write a record as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl StageError {
    pub(super) fn write(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Write { path, source }
    }

    /// Whether the machine is at fault, or a provider, and not what was asked for.
    pub fn is_of_infrastructure(&self) -> bool {
        match self {
            Self::Run(error) => error.fault() == Fault::Infrastructure,
            Self::Install(InstallError::Lock(_) | InstallError::Folder(_)) => false,
            Self::Install(_)
            | Self::Gateway(_)
            | Self::Forward(_)
            | Self::Sandbox(_)
            | Self::Environment(_)
            | Self::Snapshot(_)
            | Self::Session(_)
            | Self::Write { .. }
            | Self::Json(_) => true,
            Self::Catalogue(_)
            | Self::Unknown(_)
            | Self::Lock(_)
            | Self::Provider(_)
            | Self::UnknownPrice(_)
            | Self::Unprepared(_)
            | Self::NoImage(_)
            | Self::ShownTogether { .. }
            | Self::NoReference
            | Self::NoConversation(_)
            | Self::Script(_)
            | Self::Cassette(_)
            | Self::Read(_) => false,
        }
    }
}
