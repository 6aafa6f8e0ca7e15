//! Why there is no measurement at all. What goes wrong with a single file is in [`crate::measurement::SkippedFile`].

use std::io;
use std::path::PathBuf;

/// Why [`crate::measure()`] gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The path to measure is not there, or cannot be looked at.
    #[error("cannot measure {}: {source}; name a folder or a source file that exists", path.display())]
    Root {
        /// The path as it was given.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The path is a single file, in no language that has a table.
    #[error("cannot measure {}: expected a folder or a file named {known}", path.display())]
    UnknownLanguage {
        /// The path as it was given.
        path: PathBuf,
        /// The file names that would do, such as `*.py`.
        known: String,
    },
    /// Several paths are to be measured, and one of them is not below the folder that all are named from.
    #[error("cannot measure {} with others: it is not below {}; measure it alone", path.display(), base.display())]
    Outside {
        /// The path as it was given.
        path: PathBuf,
        /// The folder.
        base: PathBuf,
    },
    /// What git ignores below the path cannot be told.
    #[error("{}: what git ignores cannot be told: {message}; --no-gitignore measures all", path.display())]
    Ignored {
        /// The path as it was given.
        path: PathBuf,
        /// What went wrong.
        message: String,
    },
    /// There is no language of this name.
    #[error("there is no table for the language `{language}`; name one of {known}")]
    NoTable {
        /// The name as it was given.
        language: String,
        /// The names of those that have one.
        known: String,
    },
}
