//! What sets of runs say. Knows formats and statistics, and nothing of terminals, pages or files to be written.
//!
//! [`RunSet::read`] turns any number of run folders into tidy rows: a [`TidyRow`] for each checkpoint of each trajectory. Each
//! table of [`TABLES`] is a function of such rows. A [`ResultTable`] holds [`Statistic`]s, each with how many values it is of and
//! how many are missing, and says of which [`Population`] it is. Each of [`FIGURES`] shows cells of tables. [`compare`] says of two configurations which is better, by how
//! much, and whether that is real. What was published is in [`paper`].
//!
//! | question | module |
//! | --- | --- |
//! | what is one observation | [`row`] |
//! | which figures an observation has | [`measure`], [`columns`] |
//! | what a judge adds, and a linter | [`RunSet::add_rubric`], [`RunSet::add_lint`] |
//! | what a table is | [`table`] |
//! | which tables there are | [`tables`] |
//! | which figures there are | [`figures`] |
//! | which of two is better | [`comparison`] |
//! | what the paper has | [`paper`] |
//! | what runs of SLUMP say | [`slump`] |
//!
//! What is missing is missing: no figure is ever NaN, and none is 0 for want of data.

pub mod columns;
pub mod comparison;
pub mod configuration;
mod error;
pub mod figures;
mod flags;
mod lint;
pub mod measure;
pub mod paper;
mod reader;
pub mod row;
pub mod slump;
mod statistic;
pub mod table;
pub mod tables;

pub use comparison::compare;
pub use error::Error;
pub use figures::FIGURES;
pub use reader::{RunOrigin, RunSet};
pub use row::TidyRow;
pub use table::{Cell, Population, ResultTable, Statistic};
pub use tables::TABLES;
