//! Tables of results in the forms that people and other programs read them in. All of them show the same cells; names in
//! them are foreign text, and escaped for where they go.

mod cells;
mod csv;
mod error;
mod latex;
mod markdown;
mod parquet;
mod progress;
mod text;

pub use self::{
    cells::{CellWords, notes as table_notes},
    csv::{observations_csv, result_csv},
    error::ExportError,
    latex::result_latex,
    markdown::result_markdown,
    parquet::observations_parquet,
    text::result_text,
};
