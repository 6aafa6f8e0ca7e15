//! Why a configuration cannot be used.

use std::path::PathBuf;

use crate::rules::RuleError;

/// A `slopbench.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {message}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ConfigurationError {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1, where known.
    pub line: Option<u32>,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Why the rules that a configuration asks for cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It asks for what there is not.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// They could not be read.
    #[error(transparent)]
    Rules(#[from] RuleError),
}
