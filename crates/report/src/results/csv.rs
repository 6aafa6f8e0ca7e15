//! Comma-separated values for other programs: figures as they are, with every digit. What is missing is empty.

use slopbench_analysis::{
    Cell, ResultTable, Statistic, TidyRow,
    columns::{COLUMNS, ColumnValues},
    table::ResultColumn,
};

use super::error::ExportError;

/// What a statistic is written as: a column each, behind the name of its own.
type Part = (&'static str, fn(&Statistic) -> Option<String>);

static PARTS: [Part; 8] = [
    ("", |of| Some(of.value.to_string())),
    ("_n", |of| Some(of.n.to_string())),
    ("_missing", |of| Some(of.missing.to_string())),
    ("_passed", |of| of.passed.map(|passed| passed.to_string())),
    ("_sd", |of| of.sd.map(|sd| sd.to_string())),
    ("_low", |of| of.low.map(|low| low.to_string())),
    ("_high", |of| of.high.map(|high| high.to_string())),
    ("_clusters", |of| of.clusters.map(|clusters| clusters.to_string())),
];

/// A table of results. A column of statistics is several, and a table of synthetic runs says so in a column of its own.
///
/// # Errors
///
/// [`ExportError::Csv`] if the table's rows are not as long as its header: a bug.
pub fn result_csv(table: &ResultTable) -> Result<Vec<u8>, ExportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let is_figure = |place: usize| table.rows.iter().any(|row| matches!(row.get(place), Some(Cell::Figure(_))));
    let figures: Vec<bool> = (0..table.columns.len()).map(is_figure).collect();
    let names = |(column, figure): (&ResultColumn, &bool)| -> Vec<String> {
        let parts = if *figure { &PARTS[..] } else { &PARTS[..1] };
        parts.iter().map(|(part, _)| format!("{}{part}", column.key)).collect()
    };
    let header = table.columns.iter().zip(&figures).flat_map(names).chain(["synthetic".to_owned()]);
    writer.write_record(header).map_err(failed)?;
    for row in &table.rows {
        let cells = row.iter().zip(&figures).flat_map(|(cell, figure)| fields(cell, *figure));
        writer.write_record(cells.chain([table.synthetic.to_string()])).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| failed(error.into_error().into()))
}

fn fields(cell: &Cell, is_figure: bool) -> Vec<String> {
    let parts = if is_figure { PARTS.len() } else { 1 };
    let plain = match cell {
        Cell::Figure(statistic) => return PARTS.iter().map(|(_, part)| part(statistic).unwrap_or_default()).collect(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(value) => value.to_string(),
        Cell::Absent { .. } => String::new(),
    };
    [plain].into_iter().chain((1..parts).map(|_| String::new())).collect()
}

/// Every observation: a row per checkpoint.
///
/// # Errors
///
/// As [`result_csv`].
pub fn observations_csv(rows: &[TidyRow]) -> Result<Vec<u8>, ExportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.iter().map(|column| column.name)).map_err(failed)?;
    for row in rows {
        let field = |values: ColumnValues| match values {
            ColumnValues::Text(of) => of(row),
            ColumnValues::Flag(of) => of(row).map(|flag| flag.to_string()),
            ColumnValues::Integer(of) => of(row).map(|value| value.to_string()),
            ColumnValues::Real(of) => of(row).map(|value| value.to_string()),
        };
        writer.write_record(COLUMNS.iter().map(|column| field(column.values).unwrap_or_default())).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| failed(error.into_error().into()))
}

fn failed(error: csv::Error) -> ExportError {
    ExportError::Csv(error.to_string())
}
