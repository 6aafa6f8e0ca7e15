use std::io;
use std::path::{Path, PathBuf};

/// Why a state cannot be read, written or brought up to date. What becomes of calls of models is no error:
/// see [`crate::ModelFailure`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, as in `read`.
        action: &'static str,
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of the state is not as its format has it.
    #[error("{}:{line}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what to do.
        message: String,
    },
    /// There is no state in the folder.
    #[error("{}: no state of a project is there; begin one with `slopbench guard init`", path.display())]
    Absent {
        /// The folder.
        path: PathBuf,
    },
    /// There is a state in the folder already.
    #[error("{}: there is a state of a project already; `slopbench guard update` brings it up to date", path.display())]
    Present {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is at work on the state.
    #[error("{}: another process is at work on this state; try again once it has ended", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A person changed a file while it was to be written.
    #[error("{}: it was changed while the state was brought up to date; nothing was written: try again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The source files cannot be listed or read.
    #[error(transparent)]
    History(#[from] slopbench_history::Error),
    /// The state cannot be represented, or no runtime can be started.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }

    pub(crate) fn format(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), line, message: message.into() }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
