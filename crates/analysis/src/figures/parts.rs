//! What figures share: cells as points, rows of tables by whom they are of, axes.

use slopbench_plot::{Axis, Datum, Emphasis, IntervalShape, Mark, Notation, Panel, Series};

use crate::{
    Cell, ResultTable, Statistic,
    table::{ResultColumn, Unit},
};

/// More configurations than these are thin lines without names.
const NAMED: usize = 6;

/// With more configurations than these, intervals would cover each other.
const WITH_INTERVALS: usize = 3;

/// Which interval of a statistic is drawn.
#[derive(Clone, Copy)]
pub(super) enum Shown {
    /// The 95% interval.
    Interval,
    /// The standard deviation on both sides.
    Deviation,
}

/// A cell as a point; what is absent is a gap.
pub(super) fn datum(x: usize, cell: Option<&Cell>, shown: Shown) -> Datum {
    let at = Datum::at(x as f64, cell.and_then(Cell::value));
    let Some(Cell::Figure(of)) = cell else { return at };
    let (low, high) = match shown {
        Shown::Interval => (of.low, of.high),
        Shown::Deviation => (of.sd.map(|sd| of.value - sd), of.sd.map(|sd| of.value + sd)),
    };
    let Statistic { n, missing, .. } = *of;
    Datum { low, high, n: Some(n), missing: Some(missing), ..at }
}

/// Rows of a table that are of one configuration, or of all together.
pub(super) struct RowGroup<'t> {
    pub(super) label: &'t str,
    /// Whether they are of several configurations.
    pub(super) is_pooled: bool,
    /// By their place in the table.
    pub(super) rows: Vec<usize>,
}

/// The words of a cell; none of what is no text.
pub(super) fn text<'t>(table: &'t ResultTable, row: usize, key: &str) -> &'t str {
    match table.cell(row, key) {
        Some(Cell::Text(text)) => text,
        _ => "",
    }
}

/// The rows of each configuration, in the order of the table.
pub(super) fn groups(table: &ResultTable) -> Vec<RowGroup<'_>> {
    /// What tells configurations apart.
    const KEYS: [&str; 8] = ["configuration", "model", "agent", "version", "reasoning", "prompt", "track", "mode"];
    let is_same = |a: usize, b: usize| KEYS.iter().all(|key| text(table, a, key) == text(table, b, key));
    let mut groups: Vec<RowGroup<'_>> = Vec::new();
    for row in 0..table.rows.len() {
        match groups.last_mut().filter(|group| is_same(group.rows[0], row)) {
            Some(group) => group.rows.push(row),
            None => groups.push(RowGroup {
                label: text(table, row, "configuration"),
                is_pooled: text(table, row, "agent") == crate::tables::POOLED,
                rows: vec![row],
            }),
        }
    }
    groups
}

/// A series of a column's cells.
pub(super) fn series(table: &ResultTable, group: &RowGroup<'_>, key: &str) -> Series {
    let cells = group.rows.iter().enumerate().map(|(x, row)| datum(x, table.cell(*row, key), Shown::Interval));
    Series { name: group.label.to_owned(), data: cells.collect(), ..Series::default() }
}

/// A column of all groups: those of several configurations stand out, many single ones step back.
pub(super) fn all_series(table: &ResultTable, groups: &[RowGroup<'_>], key: &str) -> Vec<Series> {
    let singles = groups.iter().filter(|group| !group.is_pooled).count();
    let of_group = |group: &RowGroup<'_>| {
        let (emphasis, interval) = match group.is_pooled {
            true => (Emphasis::Strong, IntervalShape::Band),
            false if singles > NAMED => (Emphasis::Context, IntervalShape::Hidden),
            false if singles > WITH_INTERVALS => (Emphasis::Normal, IntervalShape::Hidden),
            false => (Emphasis::Normal, IntervalShape::Whisker),
        };
        Series { emphasis, interval, ..series(table, group, key) }
    };
    groups.iter().map(of_group).collect()
}

/// What thin lines are, where there are any.
pub(super) fn context(groups: &[RowGroup<'_>]) -> String {
    match groups.iter().filter(|group| !group.is_pooled).count() {
        singles if singles > NAMED => format!("each of {singles} configurations"),
        _ => String::new(),
    }
}

/// A column of the table.
pub(super) fn column<'t>(table: &'t ResultTable, key: &str) -> Option<&'t ResultColumn> {
    table.columns.iter().find(|column| column.key == key)
}

/// How values of a unit are written, and what their axis is called.
pub(super) fn notation(unit: Unit) -> (Notation, &'static str) {
    match unit {
        Unit::Share => (Notation::Percent, "share"),
        Unit::Change => (Notation::Percent, "change"),
        Unit::Dollars => (Notation::Dollars, "US dollars a checkpoint"),
        Unit::Minutes => (Notation::Number, "minutes"),
        Unit::Signed => (Notation::Signed, ""),
        Unit::Count => (Notation::Number, "count"),
        Unit::Times => (Notation::Number, "times"),
        Unit::Fraction | Unit::Probability | Unit::Text => (Notation::Number, "fraction"),
    }
}

/// The axis of a unit's values, from 0.
pub(super) fn values(unit: Unit) -> Axis {
    let (notation, label) = notation(unit);
    Axis::linear(label, notation).with([0.0])
}

/// Rows of a group as categories, by the words in one column and the count in another.
pub(super) fn categories(table: &ResultTable, group: &RowGroup<'_>, key: &str, n: Option<&str>) -> Axis {
    let tick = |row: &usize| {
        let count = n.and_then(|n| table.cell(*row, n)).and_then(Cell::value);
        (text(table, *row, key).to_owned(), count.map(|n| format!("n={n}")).unwrap_or_default())
    };
    Axis::ordinal("", group.rows.iter().map(tick))
}

/// A panel down whose side rows are named, a series of points for each column.
pub(super) fn named_rows(table: &ResultTable, keys: &[&str], key: &str, shown: Shown) -> Panel {
    let all = RowGroup { label: "", is_pooled: false, rows: (0..table.rows.len()).collect() };
    let points = |column: &ResultColumn| Series {
        name: column.title.clone(),
        mark: Mark::Point,
        data: all.rows.iter().map(|row| datum(*row, table.cell(*row, &column.key), shown)).collect(),
        ..Series::default()
    };
    let columns: Vec<_> = keys.iter().filter_map(|key| column(table, key)).collect();
    let unit = columns.first().map_or(Unit::Fraction, |column| column.unit);
    Panel {
        x: categories(table, &all, key, None),
        y: values(unit),
        flipped: true,
        series: columns.into_iter().map(points).collect(),
        ..Panel::default()
    }
}
