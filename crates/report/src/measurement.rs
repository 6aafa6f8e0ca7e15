use std::collections::BTreeMap;

use slopbench_metrics::{
    Measurement, Overrides, Suppressed,
    composites::Composites,
    measurement::{Callable, Measures, SkippedFile},
    radon::Radon,
    sensitivity::Variant,
    spread::Spread,
    wrappers::Wrappers,
};

use crate::{Column, Role, Table, Text};

/// The figures of a whole, its heaviest callables, and every file left out.
pub fn measurement(measurement: &Measurement, callables: usize) -> Text {
    let mut text = Text::from(totals(&measurement.total));
    text += "\n";
    text += groups(measurement);
    if let Some(languages) = languages(measurement) {
        text += "\n";
        text += languages;
    }
    let heaviest = heaviest(measurement, callables);
    if !heaviest.is_empty() {
        text += Text::heading("Callables of most complexity mass (erosion counts those with CC > 10):");
        text += heavy(&heaviest);
    }
    if !measurement.skipped.is_empty() {
        text += Text::heading(&format!("{} left out:", measurement.skipped.len()));
        text += skipped(&measurement.skipped);
    }
    text.extend(measurement.overrides.as_ref().map(overrides));
    text
}

/// What was accepted, and what was meant to accept something and did not.
fn overrides(overrides: &Overrides) -> Text {
    let mut text = Text::default();
    if !overrides.suppressed.is_empty() {
        let mut table = Table::new(&[Column::Text("rule"), Column::Text("place"), Column::Prose("reason")]);
        for Suppressed { found, reason, .. } in &overrides.suppressed {
            table.row([&found.rule, &format!("{}:{}", found.path, found.start_line), reason]);
        }
        text += Text::heading("Suppressed matches:");
        text += table;
    }
    if !overrides.misfits.is_empty() {
        let mut table = Table::new(&[Column::Text("place"), Column::Prose("why")]);
        for misfit in &overrides.misfits {
            table.row([&format!("{}:{}", misfit.path, misfit.line), &misfit.detail]);
            table.mark(1, Role::Caution);
        }
        text += Text::heading("Suppressions that do not fit:");
        text += table;
    }
    text
}

/// The callables of most mass, at most `count` of them.
pub(crate) fn heaviest(measurement: &Measurement, count: usize) -> Vec<&Callable> {
    let mut heaviest: Vec<&Callable> = measurement.callables.iter().collect();
    // The sort is stable, so equal masses stay in the order of their files.
    heaviest.sort_by(|a, b| b.mass.total_cmp(&a.mass));
    heaviest.truncate(count);
    heaviest
}

fn totals(total: &Measures) -> Table {
    let mut table = Table::new(&[Column::Text("measure"), Column::Number("value")]);
    figures(total).into_iter().for_each(|(name, value)| table.row([name, &value]));
    table
}

/// The files of each language, where there is more than one.
fn languages(measurement: &Measurement) -> Option<Table> {
    let mut languages: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for file in &measurement.files {
        let counts = languages.entry(&file.language).or_default();
        let of_file = [1, file.measures.total_lines, file.measures.loc, file.measures.callables];
        counts.iter_mut().zip(of_file).for_each(|(sum, count)| *sum += count);
    }
    let columns = ["files", "total lines", "LOC", "callables"].map(Column::Number);
    let mut table = Table::new(&[&[Column::Text("language")], &columns[..]].concat());
    for (language, counts) in &languages {
        let counts = counts.iter().map(u64::to_string);
        table.row(std::iter::once((*language).to_owned()).chain(counts));
    }
    (languages.len() > 1).then_some(table)
}

/// The figures that people see first.
pub(crate) fn figures(total: &Measures) -> Vec<(&'static str, String)> {
    let counts = [
        ("files", total.files),
        ("total lines", total.total_lines),
        ("LOC", total.loc),
        ("callables", total.callables),
        ("clone lines", total.clone_lines),
        ("flagged lines", total.flagged_lines),
        ("advice matches", total.advice_matches),
    ];
    let values = [
        ("complexity mass", total.mass),
        ("erosion", total.erosion),
        ("verbosity", total.verbosity),
        ("verbosity over LOC", total.verbosity_loc),
    ];
    let unparsed = (total.unparsed_lines > 0).then_some(("unparsed lines", total.unparsed_lines));
    let counts = counts.into_iter().chain(unparsed).map(|(name, count)| (name, count.to_string()));
    counts.chain(values.map(|(name, value)| (name, format!("{value:.3}")))).collect()
}

/// A line for each group of measures beside the paper's; `slopbench explain` says what they are.
fn groups(measurement: &Measurement) -> Table {
    let total = &measurement.total;
    let mut table = Table::new(&[Column::Text("other measures"), Column::Prose("values")]);
    if let Some(erosion) = sensitivity(&measurement.sensitivity) {
        table.row(["sensitivity", &erosion]);
    }
    for (name, figure) in [("cognitive", total.cognitive), ("nesting", total.nesting)] {
        if let Some(Spread { mean, max }) = figure {
            table.row([name, &format!("mean {mean:.2}, largest {max}")]);
        }
    }
    if let Some(Radon { raw, blocks, complexity, halstead, maintainability }) = total.radon {
        let lines = format!("{} logical lines, {} comments, {blocks} blocks", raw.lloc, raw.comments);
        let volume = halstead.volume;
        table.row(["radon", &format!("{lines}, CC {complexity}, volume {volume:.0}, MI {maintainability:.1}")]);
    }
    if let Some(Wrappers { trivial, single_use, ratio }) = total.wrappers {
        table.row(["wrappers", &format!("{trivial} trivial, {single_use} single-use, {ratio:.3} per callable")]);
    }
    for graph in &measurement.dependencies {
        let nodes = format!("{} modules, {} imports", graph.modules, graph.imports);
        let (cyclic, cost) = (graph.cyclic_mass, graph.propagation_cost);
        table.row(["dependencies", &format!("{nodes}, cyclic mass {cyclic:.3}, propagation cost {cost:.3}")]);
    }
    let Composites { verbosity_v0, erosion_v0, .. } = measurement.composites;
    for (name, score) in [("verbosity_v0", verbosity_v0), ("erosion_v0", erosion_v0)] {
        if let Some(score) = score {
            table.row([name, &format!("{score:.3}")]);
        }
    }
    table
}

/// Between what erosion lies with other cutoffs and size terms.
fn sensitivity(grid: &[Variant]) -> Option<String> {
    let erosions = || grid.iter().map(|variant| variant.erosion);
    let (least, most) = (erosions().min_by(f64::total_cmp)?, erosions().max_by(f64::total_cmp)?);
    Some(format!("erosion {least:.3} to {most:.3} with other cutoffs and size terms"))
}

fn heavy(callables: &[&Callable]) -> Table {
    let mut table = Table::new(&[
        Column::Number("CC"),
        Column::Number("SLOC"),
        Column::Number("mass"),
        Column::Number("cognitive"),
        Column::Number("nesting"),
        Column::Text("callable"),
        Column::Text("place"),
    ]);
    for callable in callables {
        table.row([
            callable.cc.to_string(),
            callable.sloc.to_string(),
            format!("{:.1}", callable.mass),
            or_dash(callable.cognitive),
            or_dash(callable.nesting),
            callable.qualified_name.clone(),
            format!("{}:{}", callable.path, callable.start_line),
        ]);
        if callable.is_complex() {
            table.mark(0, Role::Caution);
        }
    }
    table
}

fn or_dash(figure: Option<u32>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string())
}

fn skipped(files: &[SkippedFile]) -> Table {
    let mut table = Table::new(&[Column::Text("file"), Column::Prose("why")]);
    for file in files {
        let place = file.line.map_or_else(|| file.path.clone(), |line| format!("{}:{line}", file.path));
        table.row([&place, &file.detail]);
    }
    table
}
