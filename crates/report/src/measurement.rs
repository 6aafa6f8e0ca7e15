use slopbench_metrics::{
    Measurement,
    measurement::{Callable, Measures, Skipped},
};

use crate::{Column, Table};

/// The figures of a whole, its heaviest callables, and every file left out.
pub fn measurement(measurement: &Measurement, callables: usize) -> String {
    let mut text = totals(&measurement.total).to_string();
    let mut heaviest: Vec<&Callable> = measurement.callables.iter().collect();
    // The sort is stable, so equal masses stay in the order of their files.
    heaviest.sort_by(|a, b| b.mass.total_cmp(&a.mass));
    heaviest.truncate(callables);
    if !heaviest.is_empty() {
        text += &format!(
            "\nCallables of most complexity mass (erosion counts those with CC > 10):\n\n{}",
            heavy(&heaviest)
        );
    }
    if !measurement.skipped.is_empty() {
        text += &format!("\n{} left out:\n\n{}", measurement.skipped.len(), skipped(&measurement.skipped));
    }
    text
}

fn totals(total: &Measures) -> Table {
    let mut table = Table::new(&[Column::Text("measure"), Column::Number("value")]);
    for (name, count) in [
        ("files", total.files),
        ("total lines", total.total_lines),
        ("LOC", total.loc),
        ("callables", total.callables),
        ("clone lines", total.clone_lines),
        ("flagged lines", total.flagged_lines),
    ] {
        table.row([name, &count.to_string()]);
    }
    for (name, value) in [
        ("complexity mass", total.mass),
        ("erosion", total.erosion),
        ("verbosity", total.verbosity),
        ("verbosity over total lines", total.verbosity_physical),
    ] {
        table.row([name, &format!("{value:.3}")]);
    }
    table
}

fn heavy(callables: &[&Callable]) -> Table {
    let mut table = Table::new(&[
        Column::Number("CC"),
        Column::Number("SLOC"),
        Column::Number("mass"),
        Column::Text("callable"),
        Column::Text("place"),
    ]);
    for callable in callables {
        table.row([
            callable.cc.to_string(),
            callable.sloc.to_string(),
            format!("{:.1}", callable.mass),
            callable.qualified_name.clone(),
            format!("{}:{}", callable.path, callable.start_line),
        ]);
    }
    table
}

fn skipped(files: &[Skipped]) -> Table {
    let mut table = Table::new(&[Column::Text("file"), Column::Text("why")]);
    for file in files {
        let place = file.line.map_or_else(|| file.path.clone(), |line| format!("{}:{line}", file.path));
        table.row([&place, &file.detail]);
    }
    table
}
