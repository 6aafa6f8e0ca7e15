/// Why something cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// CSV cannot be written.
    #[error("cannot make CSV: {0}")]
    Csv(String),
    /// Parquet cannot be written.
    #[error("cannot make Parquet: {0}")]
    Parquet(String),
}
