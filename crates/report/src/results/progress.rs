use slopbench_analysis::{
    Cell, ResultTable,
    table::{ResultColumn, Unit},
};

use super::cells::shown;
use crate::{Column, Table, Text, sparkline::sparkline};

/// The column that says at which phase a row's figures are.
const PHASE: &str = "phase";

/// A table's figures over its phases, a sparkline for each column that the table has a row per phase of; else nothing.
pub(super) fn progress(table: &ResultTable) -> Text {
    let Some(phase) = table.columns.iter().position(|column| column.key == PHASE) else { return Text::default() };
    let columns = shown(table);
    let (names, figures): (Vec<_>, Vec<_>) =
        columns.into_iter().filter(|(place, _)| *place != phase).partition(|(_, column)| column.unit == Unit::Text);
    let figures: Vec<_> = figures.into_iter().filter(|(_, column)| is_drawn(column)).collect();
    let titles: Vec<_> =
        names.iter().chain(&figures).map(|(_, column)| (Column::Text(""), column.title.as_str())).collect();
    let mut lines = Table::titled(&titles);
    let name = |row: &[Cell]| names.iter().map(|(place, _)| row[*place].clone()).collect::<Vec<_>>();
    for rows in table.rows.chunk_by(|one, next| name(one) == name(next)) {
        let words = names
            .iter()
            .map(|(place, _)| if let Cell::Text(text) = &rows[0][*place] { text.clone() } else { String::new() });
        let drawn = figures.iter().map(|(place, column)| {
            let values = rows.iter().map(|row| row[*place].value());
            sparkline(values, top(table, *place, column.unit))
        });
        lines.row(words.chain(drawn));
    }
    let mut text = Text::from(
        "\nFrom Start to Final: shares from 0 to 100%, other figures from 0 to the largest of their column; · is none.\n\n",
    );
    text += lines;
    text
}

/// Whether a figure is a size, and not of how many there are.
fn is_drawn(column: &ResultColumn) -> bool {
    let sizes = [Unit::Share, Unit::Fraction, Unit::Dollars, Unit::Minutes, Unit::Count];
    sizes.contains(&column.unit) && column.key != "n"
}

/// What the highest block stands for.
fn top(table: &ResultTable, place: usize, unit: Unit) -> f64 {
    match unit {
        Unit::Share => 1.0,
        _ => table.rows.iter().filter_map(|row| row[place].value()).fold(0.0, f64::max),
    }
}
