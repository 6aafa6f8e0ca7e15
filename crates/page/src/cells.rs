//! Tables as the page shows them: cells in the words of all other forms, and beside them the numbers to sort and draw by.

use serde::Serialize;
use slopbench_analysis::{
    Cell, ResultTable,
    table::{ResultColumn, Unit},
};
use slopbench_report::{CellWords, result_csv, table_notes};

use crate::{Error, brief::Brief};

/// A table.
#[derive(Clone, Debug, Serialize)]
pub struct PageTable {
    name: String,
    title: String,
    source: String,
    columns: Vec<PageColumn>,
    rows: Vec<Vec<PageCell>>,
    notes: Vec<String>,
    /// Every digit, to be downloaded.
    #[serde(skip_serializing_if = "String::is_empty")]
    csv: String,
}

#[derive(Clone, Debug, Serialize)]
struct PageColumn {
    key: String,
    title: String,
    unit: Unit,
}

/// A cell.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageCell {
    /// The figure in words.
    #[serde(rename = "t")]
    figure: String,
    /// What it is of.
    #[serde(rename = "d", skip_serializing_if = "String::is_empty")]
    of: String,
    /// What it is sorted by.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    value: Option<Brief>,
    /// The ends of its interval.
    #[serde(rename = "lo", skip_serializing_if = "Option::is_none")]
    low: Option<Brief>,
    #[serde(rename = "hi", skip_serializing_if = "Option::is_none")]
    high: Option<Brief>,
}

impl PageTable {
    /// With its CSV.
    pub(crate) fn of(table: &ResultTable) -> Result<Self, Error> {
        let csv = String::from_utf8_lossy(&result_csv(table)?).into_owned();
        Ok(Self { csv, ..Self::without_csv(table) })
    }

    /// Where the same figures can be had elsewhere.
    pub(crate) fn without_csv(table: &ResultTable) -> Self {
        let shown: Vec<(usize, &ResultColumn)> =
            table.columns.iter().enumerate().filter(|(_, column)| !column.detail).collect();
        let cells = |row: &Vec<Cell>| -> Vec<PageCell> {
            let cell =
                |(place, column): &(usize, &ResultColumn)| row.get(*place).map(|it| PageCell::of(it, column.unit));
            shown.iter().map(|one| cell(one).unwrap_or_default()).collect()
        };
        let column = |column: &ResultColumn| {
            let (key, title) = (column.key.clone(), column.title.clone());
            PageColumn { key, title, unit: column.unit }
        };
        Self {
            name: table.name.clone(),
            title: table.title.clone(),
            source: table.source.clone(),
            columns: shown.iter().map(|(_, one)| column(one)).collect(),
            rows: table.rows.iter().map(cells).collect(),
            notes: table_notes(table),
            csv: String::new(),
        }
    }
}

impl PageCell {
    fn of(cell: &Cell, unit: Unit) -> Self {
        let CellWords { figure, of } = CellWords::of(cell, unit);
        let interval = match cell {
            Cell::Figure(statistic) => statistic.low.zip(statistic.high),
            _ => None,
        };
        Self {
            figure,
            of,
            value: cell.value().map(Brief),
            low: interval.map(|(low, _)| Brief(low)),
            high: interval.map(|(_, high)| Brief(high)),
        }
    }
}
