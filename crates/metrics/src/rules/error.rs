//! Why rules could not be read.

use std::path::PathBuf;

/// Why rules could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {message}; {help}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct RuleError {
    /// The rule file or folder.
    pub file: PathBuf,
    /// The line in it, where known.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}
