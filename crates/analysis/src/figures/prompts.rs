//! What prompts change over progress, a figure for each of those who were told in several ways: Figure 5.

use slopbench_plot::{Axis, Panel, Series};
use slopbench_stats::phase::Phase;

use super::{
    Drawing,
    parts::{Shown, datum, text, values},
};
use crate::{Cell, ResultTable, measure::MEASURES, table::Unit};

/// What two configurations share that differ in nothing but their prompt.
const SHARED: [&str; 6] = ["model", "agent", "version", "reasoning", "track", "mode"];

pub(super) fn figure_5(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [table] = tables else { return Vec::new() };
    let family = |row: usize| SHARED.map(|key| text(table, row, key));
    let mut families: Vec<Vec<usize>> = Vec::new();
    for row in 0..table.rows.len() {
        match families.iter_mut().find(|rows| family(rows[0]) == family(row)) {
            Some(rows) => rows.push(row),
            None => families.push(vec![row]),
        }
    }
    let single = families.len() == 1;
    let drawing = |rows: Vec<usize>| Drawing {
        of: if single { String::new() } else { name(table, rows[0]) },
        panels: panels(table, &rows),
        ..Drawing::default()
    };
    families.into_iter().map(drawing).collect()
}

/// Who it is, by what is not empty.
fn name(table: &ResultTable, row: usize) -> String {
    let parts = ["model", "agent", "version", "reasoning"].map(|key| text(table, row, key));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A panel for each measure, in the order of the table.
fn panels(table: &ResultTable, rows: &[usize]) -> Vec<Panel> {
    let mut measures: Vec<&str> = Vec::new();
    for row in rows {
        let measure = text(table, *row, "measure");
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let panel = |measure: &str| {
        let rows = rows.iter().filter(|row| text(table, **row, "measure") == measure);
        let unit = MEASURES.iter().find(|known| known.title == measure).map_or(Unit::Fraction, |known| known.unit);
        let mut title = measure.to_owned();
        title.get_mut(..1).map(str::make_ascii_uppercase);
        Panel {
            title,
            x: Axis::ordinal("", Phase::ALL.map(|phase| (phase.name().to_owned(), String::new()))),
            y: values(unit),
            series: rows.map(|row| series(table, *row, unit)).collect(),
            ..Panel::default()
        }
    };
    measures.into_iter().map(panel).collect()
}

fn series(table: &ResultTable, row: usize, unit: Unit) -> Series {
    let cells = Phase::ALL.map(|phase| table.cell(row, &phase.name().to_lowercase()));
    let slope = table.cell(row, "slope").and_then(Cell::value);
    let slope = slope.map(|slope| match unit {
        Unit::Dollars => format!("m {}{:.2}", if slope < 0.0 { "-$" } else { "+$" }, slope.abs()),
        Unit::Share => format!("m {:+.1} pp", slope * 100.0),
        _ => format!("m {slope:+.3}"),
    });
    Series {
        name: text(table, row, "prompt").to_owned(),
        annotation: slope.unwrap_or_default(),
        data: cells.into_iter().enumerate().map(|(x, cell)| datum(x, cell, Shown::Interval)).collect(),
        ..Series::default()
    }
}
