//! Tables of results in the forms that people and other programs read them in. All of them show the same cells; names in
//! them are foreign text, and escaped for where they go.

mod cells;
mod csv;
mod latex;
mod markdown;
mod parquet;
mod text;

pub use self::{
    csv::{observations_csv, result_csv},
    latex::result_latex,
    markdown::result_markdown,
    parquet::observations_parquet,
    text::result_text,
};

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
