use std::path::PathBuf;

/// Why there is no history and no comparison.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no repository at the path.
    #[error("{}: no git repository: {source}; name a clone, a bare repository or a folder inside one", path.display())]
    Open {
        /// The path as it was given.
        path: PathBuf,
        /// What gix said.
        source: Box<gix::Error>,
    },
    /// The revision names nothing, or something else.
    #[error("`{revision}` is no {expected} of {}: {message}; write it as for `git rev-parse`", repository.display())]
    Revision {
        /// The revision as it was given.
        revision: String,
        /// What it should have named: `commit` or `tree`.
        expected: &'static str,
        /// The repository's git folder.
        repository: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// An object cannot be read.
    #[error("object {id}: {source}; if `git fsck` finds it missing or broken, fetch the repository anew")]
    Object {
        /// The object's id in hexadecimal.
        id: String,
        /// What gix said.
        source: Box<gix::Error>,
    },
    /// No commit holds a source file.
    #[error("no commit on the first-parent line of `{revision}` has a source file below `{below}`; expected {known}")]
    NoSource {
        /// The revision as it was given.
        revision: String,
        /// The folder that was to be measured; `.` is the whole tree.
        below: String,
        /// The file names that would do, such as `*.py`.
        known: String,
    },
    /// A folder or file on disk cannot be read.
    #[error(transparent)]
    Metrics(#[from] slopbench_metrics::Error),
}
