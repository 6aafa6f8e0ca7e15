//! Every table: what it is called, where it stands in the paper, and how it is made of rows.

mod blog;
mod efforts;
mod flags;
mod growth;
mod human;
mod layout;
mod phases;
mod prompt_tests;
mod prompts;
mod published;
mod results;
mod runs;
mod sensitivity;
mod variation;

pub(crate) use layout::POOLED;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Error, ResultTable, RunOrigin, RunSet};

/// A table that can be asked for.
pub struct TableDefinition {
    /// What it is called.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it stands in the paper, or how its figures are defined.
    pub source: &'static str,
    /// Its columns, rows and notes.
    make: fn(&RunSet) -> Result<layout::Content, Error>,
}

impl TableDefinition {
    /// The table of these runs.
    ///
    /// # Errors
    ///
    /// [`Error::Data`] if a built-in list is wrong: never for a released crate, whose lists are tested.
    pub fn of(&self, set: &RunSet) -> Result<ResultTable, Error> {
        let layout::Content { population, columns, rows, notes } = (self.make)(set)?;
        let (name, title, source) = (self.name.to_owned(), self.title.to_owned(), self.source.to_owned());
        Ok(ResultTable { name, title, source, synthetic: set.is_synthetic(), population, columns, rows, notes })
    }
}

macro_rules! definitions {
    ($($name:literal, $title:literal, $source:literal, $make:expr;)*) => {
        &[$(TableDefinition { name: $name, title: $title, source: $source, make: $make }),*]
    };
}

/// Every table of results, in the order of the paper.
pub static TABLES: &[TableDefinition] = definitions![
    "runs", "Runs", "what the tables are made of", runs::runs;
    "table-1", "Solve rates, cost, time and quality", "paper, Table 1", results::table_1;
    "figure-2", "Solve rates and cost over progress", "paper, Figure 2", phases::figure_2;
    "figure-3", "Erosion, verbosity and complexity over progress", "paper, Figure 3", phases::figure_3;
    "growth", "Trajectories that end higher than they began", "paper, sections 4.1 and 4.2", growth::growth;
    "table-2", "Agents beside maintained repositories", "paper, Table 2", human::table_2;
    "figure-4", "Agents over progress beside the human panel", "paper, Figure 4", human::figure_4;
    "figure-5", "Prompt strategies over progress", "paper, Figure 5", prompts::figure_5;
    "prompt-tests", "Prompt strategies, paired by problem", "paper, section 4.3", prompt_tests::prompt_tests;
    "table-4", "Harness versions", "paper, Table 4", results::table_4;
    "figure-6", "Pass rates by type of test over progress", "paper, Figure 6", phases::figure_6;
    "table-6", "Sensitivity of erosion", "paper, Table 6", sensitivity::table_6;
    "table-7", "The human panel", "paper, Table 7", human::table_7;
    "deltas", "Changes between checkpoints", "the authors' blog, version 0.1", blog::deltas;
    "composites", "The first composite scores", "the authors' blog, version 0.1", blog::composites;
    "flags", "Spans that a judge flags, newly and carried", "the authors' blog, version 0.1", flags::flags;
    "variation", "Coefficient of variation over repeats", "the authors' blog, version 0.1", variation::variation;
    "efforts", "Reasoning efforts side by side", "the authors' blog, version 0.1", efforts::efforts;
];

/// The paper's own tables, for `--paper`.
pub static PUBLISHED: &[TableDefinition] = definitions![
    "paper-table-1", "Table 1 as published", "paper, Table 1", published::table_1;
    "paper-figures", "Figures as published in the text", "paper, sections 4.1 to 4.3", published::statements;
    "reproduction", "These runs beside Table 1", "paper, Table 1", published::reproduction;
];

/// Tables of some runs: what `slopbench report --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultDocument {
    /// `slopbench.report/1`.
    pub format: String,
    /// Whether a run of them is made up.
    pub synthetic: bool,
    /// What the tables are made of.
    pub runs: Vec<RunOrigin>,
    /// As asked for.
    pub tables: Vec<ResultTable>,
}

impl ResultDocument {
    /// These tables of these runs.
    ///
    /// # Errors
    ///
    /// As [`TableDefinition::of`].
    pub fn of(set: &RunSet, definitions: &[&TableDefinition]) -> Result<Self, Error> {
        let (format, tables) = ("slopbench.report/1".to_owned(), build(set, definitions)?);
        Ok(Self { format, synthetic: set.is_synthetic(), runs: set.runs.clone(), tables })
    }
}

/// These tables of these runs, in their order.
///
/// # Errors
///
/// As [`TableDefinition::of`].
pub fn build(set: &RunSet, definitions: &[&TableDefinition]) -> Result<Vec<ResultTable>, Error> {
    definitions.par_iter().map(|definition| definition.of(set)).collect()
}

/// The table with this name, of ours or published.
pub fn find(name: &str) -> Option<&'static TableDefinition> {
    TABLES.iter().chain(PUBLISHED).find(|definition| definition.name == name)
}
