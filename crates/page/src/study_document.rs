//! What the page knows of a study whose results are its tables and figures: one value, `slopbench.study-page/1`, which the script reads.

use serde::Serialize;
use slopbench_analysis::{Population, RunOrigin, tables::ResultDocument};
use slopbench_slopcode::results::ToolVersion;

use crate::{Error, PageFigure, cells::PageTable};

/// Everything that such a page knows.
#[derive(Debug, Serialize)]
pub struct StudyDocument {
    format: &'static str,
    tool: ToolVersion,
    title: String,
    /// What has to be known before any figure is read.
    notes: Vec<String>,
    synthetic: bool,
    live: bool,
    population: Population,
    runs: Vec<RunOrigin>,
    tables: Vec<PageTable>,
    figures: Vec<PageFigure>,
}

impl StudyDocument {
    /// Of a study's tables, under a title.
    ///
    /// # Errors
    ///
    /// [`Error::Export`] if a table cannot be written as CSV: a bug.
    pub fn of(
        title: &str,
        notes: Vec<String>,
        results: &ResultDocument,
        figures: Vec<PageFigure>,
    ) -> Result<Self, Error> {
        Ok(Self {
            format: "slopbench.study-page/1",
            tool: ToolVersion::this(),
            title: title.to_owned(),
            notes,
            synthetic: results.synthetic,
            live: false,
            population: results.tables.first().map(|table| table.population).unwrap_or_default(),
            runs: results.runs.clone(),
            tables: results.tables.iter().map(PageTable::of).collect::<Result<_, _>>()?,
            figures,
        })
    }

    pub(crate) fn figures(&self) -> &[PageFigure] {
        &self.figures
    }
}
