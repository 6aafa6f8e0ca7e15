/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Runs give no rows, or a table cannot be made of them.
    #[error(transparent)]
    Analysis(#[from] slopbench_analysis::Error),
    /// A run, or a checkpoint of one, is not as it was kept.
    #[error(transparent)]
    Run(#[from] slopbench_slopcode::Error),
    /// The built-in rules cannot be read: a bug.
    #[error(transparent)]
    Rules(#[from] slopbench_metrics::RuleError),
    /// A table cannot be exported: a bug.
    #[error(transparent)]
    Export(#[from] slopbench_report::ExportError),
    /// What the page knows is no JSON: a bug.
    #[error("what the page is to hold cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}
