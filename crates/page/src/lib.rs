//! Runs as one HTML file that needs no network.
//!
//! [`PageStudy::read`] reads any number of runs, [`PageDocument::of`] says of them what the page shows, and [`html`] puts that
//! with style, script and figures into one file. Nothing is fetched by it, and nothing in it runs but the script of this crate.
//!
//! | question | where |
//! | --- | --- |
//! | what the page knows | [`PageDocument`], a value of JSON in it |
//! | what it knows of one checkpoint | [`CheckpointDetail`] |
//! | what the page of another study knows, of tables and figures alone | [`StudyDocument`], which [`study_html`] makes a file of |
//! | how it is kept to a size | `limits.rs` |
//! | how foreign text is kept from running | `html.rs` |
//! | what it looks like, and what it does | `web/` |
//!
//! Names, sources and what models say are foreign. In the file they stand in JSON without `<`, and the script gives them to the
//! browser as text, never as markup.

mod brief;
mod cells;
mod checkpoint;
mod comparisons;
mod document;
mod error;
mod html;
mod limits;
mod server;
mod sources;
mod steps;
mod study;
mod study_document;

pub use cells::{PageCell, PageTable};
pub use checkpoint::{CheckpointDetail, TrajectoryDetail};
pub use comparisons::PageComparison;
pub use document::{PageDocument, PageFigure, PageSettings};
pub use error::Error;
pub use html::{html, study_html};
pub use server::{DrawFigures, PageServer, ServerError, ViewSettings};
pub use study::{PageStudy, Specification};
pub use study_document::StudyDocument;
