use std::{io, path::PathBuf};

use slopbench_digest::ReadError;
use slopbench_tests::LoadError;

/// Why an audit gave no report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A solution could not be played.
    #[error(transparent)]
    Play(#[from] slopbench_slopcode::Error),
    /// The problem's folder is not as the format says.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What is kept between audits could not be read or written.
    #[error(transparent)]
    Keep(#[from] slopbench_runner::Error),
    /// A figure is not defined: a bug.
    #[error(transparent)]
    Figure(#[from] slopbench_stats::Error),
    /// A result could not be put into JSON: a bug.
    #[error("cannot write a result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A file or folder could not be used.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in a problem's folder is not as an audit needs it.
    #[error("{}{}: {message}", path.display(), line.map_or(String::new(), |line| format!(":{line}")))]
    Unfit {
        /// The file or folder.
        path: PathBuf,
        /// The line, from 1, where one can be named.
        line: Option<u32>,
        /// What is wrong, what was expected, and what to do.
        message: String,
    },
    /// There is no such check.
    #[error("there is no check \"{name}\"; expected some of {known}")]
    UnknownCheck {
        /// As it was named.
        name: String,
        /// Those there are.
        known: String,
    },
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |source| Self::File { path, source }
    }

    pub(crate) fn unfit(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::Unfit { path: path.into(), line: None, message: message.into() }
    }
}
