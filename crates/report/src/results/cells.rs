//! What stands in a cell, in words, whoever shows it.

use std::array;

use slopbench_analysis::{
    Cell, ResultTable, Statistic,
    table::{ResultColumn, Unit},
};
use unicode_width::UnicodeWidthStr;

/// What stands for a figure that is absent.
pub(super) const NOTHING: &str = "–";

/// The columns that people see, with their places.
pub(super) fn shown(table: &ResultTable) -> Vec<(usize, &ResultColumn)> {
    table.columns.iter().enumerate().filter(|(_, column)| !column.detail).collect()
}

/// A row of such columns.
pub(super) fn words(row: &[Cell], columns: &[(usize, &ResultColumn)]) -> Vec<String> {
    columns
        .iter()
        .map(|(place, column)| row.get(*place).map_or_else(String::new, |cell| word(cell, column.unit)))
        .collect()
}

/// A cell in words: the figure, and what it is of, each for a line of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellWords {
    /// The figure, or what stands in the cell.
    pub figure: String,
    /// Denominator, spread, interval and what is missing, or why there is no figure; may be empty.
    pub of: String,
}

impl CellWords {
    /// Of a cell in a column of this unit.
    pub fn of(cell: &Cell, unit: Unit) -> Self {
        let (figure, of) = match cell {
            Cell::Text(text) => (text.clone(), String::new()),
            Cell::Count(count) => (count.to_string(), String::new()),
            Cell::Number(value) => (number(*value, unit), String::new()),
            Cell::Figure(statistic) => (number(statistic.value, unit), context(statistic, unit)),
            Cell::Absent { absent } => (NOTHING.to_owned(), absent.clone()),
        };
        Self { figure, of: of.trim_start().to_owned() }
    }
}

/// Whether a column holds words, not figures.
pub(super) fn is_text(column: &ResultColumn) -> bool {
    column.unit == Unit::Text
}

/// What has to be said of a table: that it is made up, what it is of, its notes, and why figures are absent.
pub fn notes(table: &ResultTable) -> Vec<String> {
    let made_up = table.synthetic.then(|| MADE_UP.to_owned());
    let population = table.population.sentence();
    made_up.into_iter().chain([population]).chain(table.notes.iter().cloned()).chain(reasons(table)).collect()
}

/// What is said of synthetic runs.
const MADE_UP: &str = "SYNTHETIC: these figures are made up; nothing was observed.";

/// A sentence for each reason for which figures are absent, with how many.
fn reasons(table: &ResultTable) -> Vec<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for cell in table.rows.iter().flatten() {
        let Cell::Absent { absent } = cell else { continue };
        match reasons.iter_mut().find(|(reason, _)| reason == absent) {
            Some((_, count)) => *count += 1,
            None => reasons.push((absent, 1)),
        }
    }
    reasons.into_iter().map(|(reason, count)| format!("{NOTHING} ({count} figures): {reason}.")).collect()
}

fn word(cell: &Cell, unit: Unit) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(value) => number(*value, unit),
        Cell::Figure(statistic) => figure(statistic, unit),
        Cell::Absent { .. } => NOTHING.to_owned(),
    }
}

/// A figure with its denominator, its spread, its interval, and what is missing.
fn figure(of: &Statistic, unit: Unit) -> String {
    number(of.value, unit) + &context(of, unit)
}

/// All of that but the figure.
fn context(of: &Statistic, unit: Unit) -> String {
    context_parts(of, unit).concat()
}

/// Denominator, spread, interval, and what is missing; each may be empty.
fn context_parts(of: &Statistic, unit: Unit) -> [String; 4] {
    let share = of.passed.map(|passed| format!(" ({passed}/{})", of.n));
    let spread = of.sd.map(|sd| format!(" ± {}", number(sd, unsigned(unit))));
    let interval = of.low.zip(of.high);
    let interval = interval.map(|(low, high)| format!(" [{}, {}]", number(low, unit), number(high, unit)));
    let missing = (of.missing > 0).then(|| format!(" ({} missing)", of.missing));
    [share, spread, interval, missing].map(Option::unwrap_or_default)
}

/// How much of what a figure is of stands beside it, where there is less room than for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Denominator, spread, interval, and what is missing.
    Whole,
    /// Denominator, and what is missing.
    Counts,
    /// What is missing.
    Bare,
}

impl Detail {
    /// Whether these of the four parts are shown.
    fn shows(self) -> [bool; 4] {
        match self {
            Self::Whole => [true; 4],
            Self::Counts => [true, false, false, true],
            Self::Bare => [false, false, false, true],
        }
    }
}

/// The words of all rows, in which figures of a column stand below each other, and so do each of the parts beside them.
pub(super) fn aligned(table: &ResultTable, columns: &[(usize, &ResultColumn)], detail: Detail) -> Vec<Vec<String>> {
    let mut rows = vec![Vec::new(); table.rows.len()];
    for (place, column) in columns {
        let cells = table.rows.iter().map(|row| row.get(*place).map(|cell| parts(cell, column.unit, detail)));
        let cells: Vec<_> = cells.map(Option::unwrap_or_default).collect();
        let widths: [usize; 5] =
            array::from_fn(|part| cells.iter().map(|parts| parts[part].width()).max().unwrap_or_default());
        for (row, [figure, context @ ..]) in rows.iter_mut().zip(cells) {
            let beside = context.iter().zip(&widths[1..]).map(|(part, width)| padded(part, *width));
            row.push(figure + &beside.collect::<String>());
        }
    }
    rows
}

/// The figure, or what stands in the cell, and what is shown beside it.
fn parts(cell: &Cell, unit: Unit, detail: Detail) -> [String; 5] {
    let mut parts = <[String; 5]>::default();
    if let Cell::Figure(of) = cell {
        let context = context_parts(of, unit).into_iter().zip(detail.shows());
        let shown = context.map(|(part, is_shown)| if is_shown { part } else { String::new() });
        parts[1..].iter_mut().zip(shown).for_each(|(part, shown)| *part = shown);
        parts[0] = number(of.value, unit);
    } else {
        parts[0] = word(cell, unit);
    }
    parts
}

fn padded(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width())) + text
}

/// Of spreads, which have no sign.
fn unsigned(unit: Unit) -> Unit {
    match unit {
        Unit::Signed => Unit::Fraction,
        Unit::Change => Unit::Share,
        other => other,
    }
}

fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1}%", 100.0 * value),
        Unit::Fraction | Unit::Text => fraction(value),
        Unit::Dollars => format!("{value:.2}"),
        Unit::Minutes | Unit::Count => format!("{value:.1}"),
        Unit::Change => format!("{:+.1}%", 100.0 * value),
        Unit::Times => format!("{value:.1}×"),
        Unit::Signed => signed(value),
        Unit::Probability if value < 0.000_1 => "< 0.0001".to_owned(),
        Unit::Probability => format!("{value:.4}"),
    }
}

/// Three decimals, or fewer where the figure is large.
fn fraction(value: f64) -> String {
    let decimals = if value.abs() >= 100.0 { 1 } else { 3 };
    format!("{value:.decimals$}")
}

/// The same with a sign, and a digit more where it is small.
fn signed(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 1,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    format!("{value:+.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_says_what_it_is_of() {
        let of = Statistic {
            value: 0.1075,
            n: 93,
            missing: 2,
            passed: Some(10),
            sd: Some(0.01),
            low: Some(0.05),
            high: Some(0.2),
            clusters: Some(20),
        };
        assert_eq!(figure(&of, Unit::Share), "10.8% (10/93) ± 1.0% [5.0%, 20.0%] (2 missing)");
        let numbers =
            [(0.5, Unit::Change), (-0.012_34, Unit::Signed), (0.000_01, Unit::Probability), (13.3, Unit::Times)];
        let shown = numbers.map(|(value, unit)| number(value, unit));
        assert_eq!(shown, ["+50.0%", "-0.0123", "< 0.0001", "13.3×"]);
        assert_eq!(word(&Cell::absent("why"), Unit::Share), "–");
        let shown = |detail| parts(&Cell::Figure(of), Unit::Share, detail).concat();
        assert_eq!(shown(Detail::Whole), figure(&of, Unit::Share));
        assert_eq!([shown(Detail::Counts), shown(Detail::Bare)], ["10.8% (10/93) (2 missing)", "10.8% (2 missing)"]);
        let apart = |cell| CellWords::of(&cell, Unit::Share);
        let figure =
            CellWords { figure: "10.8%".to_owned(), of: "(10/93) ± 1.0% [5.0%, 20.0%] (2 missing)".to_owned() };
        assert_eq!(apart(Cell::Figure(of)), figure);
        assert_eq!(apart(Cell::absent("why")), CellWords { figure: "–".to_owned(), of: "why".to_owned() });
    }
}
