/// Why there are no findings, where that is not the files' doing.
#[derive(Debug, thiserror::Error)]
pub enum LintError {
    /// The linter cannot be had or run on this machine.
    #[error(transparent)]
    Environment(#[from] slopbench_environments::Error),
    /// The table of families is not as its format says: a bug.
    #[error("families.toml: {0}")]
    Families(String),
    /// The linter's answer is not understood: a bug.
    #[error("Ruff's answer is not understood: {0}")]
    Answer(String),
}

impl LintError {
    /// Whether the machine or its network is at fault: the same may go well another time.
    pub fn is_of_infrastructure(&self) -> bool {
        matches!(self, Self::Environment(error) if error.is_of_infrastructure())
    }
}
