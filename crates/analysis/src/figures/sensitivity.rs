//! Whether erosion tells what comes next: Table 6.

use slopbench_plot::{Along, Axis, Datum, Notation, Panel, ReferenceLine, Series};

use super::{
    Drawing,
    parts::{Shown, named_rows},
};
use crate::{Cell, ResultTable};

/// A coefficient's column, the count of its pairs, and what it goes with.
const COEFFICIENTS: [(&str, &str, &str); 2] =
    [("pass_spearman", "pass_pairs", "with the next pass rate"), ("cost_spearman", "cost_pairs", "with the next cost")];

pub(super) fn sensitivity(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [table] = tables else { return Vec::new() };
    let keys = COEFFICIENTS.map(|(key, ..)| key);
    let mut panel = named_rows(table, &keys, "predictor", Shown::Interval);
    for (series, (_, pairs, name)) in panel.series.iter_mut().zip(COEFFICIENTS) {
        *series = counted(table, std::mem::take(series), pairs, name);
    }
    let zero = ReferenceLine {
        name: "no correlation".to_owned(),
        along: Along::Values,
        at: 0.0,
        low: None,
        high: None,
        n: None,
    };
    let y = Axis::linear("Spearman's ρ", Notation::Signed).with([0.0]);
    vec![Drawing { panels: vec![Panel { y, references: vec![zero], ..panel }], ..Drawing::default() }]
}

/// The same points by another name, each with how many pairs it is of.
fn counted(table: &ResultTable, series: Series, pairs: &str, name: &str) -> Series {
    let pairs = |row: usize| match table.cell(row, pairs) {
        Some(Cell::Count(pairs)) => Some(*pairs as usize),
        _ => None,
    };
    let Series { data, .. } = series.clone();
    let data = data.into_iter().enumerate().map(|(row, datum)| Datum { n: pairs(row), ..datum });
    Series { name: name.to_owned(), data: data.collect(), ..series }
}
