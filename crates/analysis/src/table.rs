//! What a table is, whoever shows it: columns with units, cells that know what they are of, and the population behind them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{TidyRow, row::Standing};

/// A table of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultTable {
    /// What it is called on command lines and in files, such as `table-1`.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Where it stands in the paper, or how its figures are defined.
    pub source: String,
    /// Whether a run behind it is made up.
    pub synthetic: bool,
    /// Of what it is.
    pub population: Population,
    /// In order.
    pub columns: Vec<ResultColumn>,
    /// A cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// What has to be said beside it: how figures are made, what is missing, and what follows.
    pub notes: Vec<String>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultColumn {
    /// What it is called in files: lower case letters, digits and `_`.
    pub key: String,
    /// What it is called before people.
    pub title: String,
    /// What its figures are in.
    pub unit: Unit,
    /// Whether it is for files alone: people find the same in another column.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detail: bool,
}

/// What figures are in, and so how they are written. Files have them as they are: shares from 0 to 1, not percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Words.
    Text,
    /// A share from 0 to 1, written as percent.
    Share,
    /// A ratio without unit from 0 to 1, written with three decimals.
    Fraction,
    /// US dollars.
    Dollars,
    /// Minutes.
    Minutes,
    /// How many, as a mean or a sum.
    Count,
    /// A change as a fraction of what it began with, written as percent with its sign.
    Change,
    /// How many times as much.
    Times,
    /// A difference, a slope or a coefficient, with its sign.
    Signed,
    /// A probability.
    Probability,
}

/// What stands in a column of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A figure with what it is of.
    Figure(Statistic),
    /// How many there are.
    Count(u64),
    /// A figure that is what it is, such as a sum or a p-value.
    Number(f64),
    /// Words.
    Text(String),
    /// No figure.
    Absent {
        /// Why there is none.
        absent: String,
    },
}

/// A figure of several values, with how many they are. It is finite, and so is all of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistic {
    /// The figure, in the column's unit.
    pub value: f64,
    /// How many values it is of: its denominator.
    pub n: usize,
    /// How many values there should be beside these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: usize,
    /// How many of the values count, where the figure is a share of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<usize>,
    /// The sample standard deviation: of the values, or, of a share, of that of each repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    /// The lower end of the 95% interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Its upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Over how many problems the values were drawn for the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<usize>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a table is of: how much was to be had, and how much of it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// Runs.
    pub runs: usize,
    /// Configurations: agents in one version with a model and a prompt.
    pub configurations: usize,
    /// Problems.
    pub problems: usize,
    /// Trajectories.
    pub trajectories: usize,
    /// Checkpoints that were planned.
    pub planned: usize,
    /// Of these, those that are graded; not reached ones among them, which count as not solved.
    pub graded: usize,
    /// Those whose session left a workspace.
    pub produced: usize,
    /// Those still to be done.
    pub pending: usize,
    /// Those without an answer of their provider's, which says nothing of the agent; to be done again.
    pub infrastructure: usize,
    /// Those whose code figures are withheld, since too much of the code could run and is not measured.
    pub withheld: usize,
}

impl Population {
    /// Of these rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a TidyRow>) -> Self {
        let rows: Vec<_> = rows.into_iter().collect();
        let count = |is: fn(&TidyRow) -> bool| rows.iter().filter(|row| is(row)).count();
        fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> usize {
            values.collect::<BTreeSet<_>>().len()
        }
        Self {
            runs: distinct(rows.iter().map(|row| &row.run)),
            configurations: distinct(rows.iter().map(|row| &row.configuration)),
            problems: distinct(rows.iter().map(|row| &row.problem)),
            trajectories: distinct(rows.iter().map(|row| (&row.run, &row.trajectory))),
            planned: rows.len(),
            graded: count(|row| row.standing == Standing::Graded),
            produced: count(|row| row.produced),
            pending: count(|row| row.standing == Standing::Pending),
            infrastructure: count(|row| row.standing == Standing::Infrastructure),
            withheld: count(|row| row.withheld.is_some()),
        }
    }

    /// The same in one sentence.
    pub fn sentence(&self) -> String {
        let withheld = match self.withheld {
            0 => String::new(),
            some => format!("; code figures of {some} withheld"),
        };
        format!(
            "{} runs, {} configurations, {} problems, {} trajectories; checkpoints: {} planned, {} graded, {} with a workspace, \
             {} pending, {} failed by the infrastructure{withheld}.",
            self.runs,
            self.configurations,
            self.problems,
            self.trajectories,
            self.planned,
            self.graded,
            self.produced,
            self.pending,
            self.infrastructure
        )
    }
}

impl ResultColumn {
    /// A column before people and in files.
    pub fn new(key: &str, title: &str, unit: Unit) -> Self {
        Self { key: key.to_owned(), title: title.to_owned(), unit, detail: false }
    }

    /// A column for files.
    pub fn detail(key: &str, unit: Unit) -> Self {
        Self { detail: true, ..Self::new(key, key, unit) }
    }
}

impl Cell {
    /// No figure, for this reason.
    pub fn absent(reason: impl ToString) -> Self {
        Self::Absent { absent: reason.to_string() }
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// How many.
    pub fn count(count: usize) -> Self {
        Self::Count(count as u64)
    }

    /// A figure, or why there is none.
    pub fn number<E: ToString>(value: Result<f64, E>) -> Self {
        value.map_or_else(Self::absent, Self::Number)
    }

    /// A figure with what it is of, or why there is none.
    pub fn figure<E: ToString>(value: Result<Statistic, E>) -> Self {
        value.map_or_else(Self::absent, Self::Figure)
    }

    /// The figure, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Figure(statistic) => Some(statistic.value),
            Self::Number(value) => Some(*value),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) | Self::Absent { .. } => None,
        }
    }
}

impl ResultTable {
    /// The cell of a row, from 0, in the column with this key.
    pub fn cell(&self, row: usize, key: &str) -> Option<&Cell> {
        let column = self.columns.iter().position(|column| column.key == key)?;
        self.rows.get(row)?.get(column)
    }
}
