//! The human panel: our figures of its packages beside the paper's.

use slopbench_panel::{COLUMNS, PanelColumn, PanelFigures, PanelRow};
use slopbench_plot::{Along, Axis, Datum, Figure, Mark, Notation, Panel, ReferenceLine, Series};

/// Of each column how its values are spread, and each package's two values.
pub fn panel_figure(rows: &[PanelRow]) -> Figure {
    let same = rows.iter().filter(|row| row.same_size).count();
    Figure {
        name: "panel".to_owned(),
        title: "The human panel, measured and as published".to_owned(),
        subtitle: format!("{} packages, {same} of them of about the paper's size", rows.len()),
        description: "Left, the share of packages up to each value; right, each package's value beside the paper's.".to_owned(),
        panels: COLUMNS.iter().flat_map(|column| [spread(rows, column), pairs(rows, column)]).collect(),
        notes: vec![
            "The paper measured repositories' heads of March 2026 (Table 7), we measure source distributions; its rules are not ours. \
             Beside the diagonal, the band is the tolerance up to which two values are called the same."
                .to_owned(),
        ],
        ..Figure::default()
    }
}

/// The share of packages whose value is at most so high.
fn spread(rows: &[PanelRow], column: &PanelColumn) -> Panel {
    let series = |name: &str, of: fn(&PanelRow) -> &PanelFigures| {
        let mut values: Vec<(f64, &str)> =
            rows.iter().map(|row| ((column.of)(of(row)), row.package.as_str())).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        let share = |index: usize| Some((index + 1) as f64 / values.len() as f64);
        let datum = |(index, (value, package)): (usize, &(f64, &str))| Datum {
            name: format!("{package} {value:.3}"),
            ..Datum::at(*value, share(index))
        };
        let start = values
            .first()
            .map(|(value, _)| Datum { name: format!("below {value:.3}"), ..Datum::at(*value, Some(0.0)) });
        let data = start.into_iter().chain(values.iter().enumerate().map(datum)).collect();
        Series { name: name.to_owned(), mark: Mark::Step, data, ..Series::default() }
    };
    Panel {
        title: format!("{}: distribution", titled(column.name)),
        x: Axis::linear("value", Notation::Number).with([0.0]),
        y: Axis::linear("share of packages", Notation::Percent).with([0.0, 1.0]),
        series: vec![series("measured", |row| &row.ours), series("paper", |row| &row.paper)],
        ..Panel::default()
    }
}

/// Each package's value beside the paper's.
fn pairs(rows: &[PanelRow], column: &PanelColumn) -> Panel {
    let series = |name: &str, same_size: bool| {
        let rows = rows.iter().filter(|row| row.same_size == same_size);
        let datum = |row: &PanelRow| {
            let (ours, paper) = ((column.of)(&row.ours), (column.of)(&row.paper));
            Datum { name: format!("{}, paper {paper:.3}", row.package), ..Datum::at(paper, Some(ours)) }
        };
        Series { name: name.to_owned(), mark: Mark::Point, data: rows.map(datum).collect(), ..Series::default() }
    };
    let diagonal = ReferenceLine {
        name: "the same".to_owned(),
        along: Along::Diagonal,
        at: 0.0,
        low: Some(-column.tolerance),
        high: Some(column.tolerance),
        n: None,
    };
    Panel {
        title: format!("{}: package by package", titled(column.name)),
        x: Axis::linear("paper", Notation::Number).with([0.0]),
        y: Axis::linear("measured", Notation::Number).with([0.0]),
        series: vec![series("package of the paper's size", true), series("package of another size", false)],
        references: vec![diagonal],
        ..Panel::default()
    }
}

/// With a capital.
fn titled(name: &str) -> String {
    let mut title = name.to_owned();
    title.get_mut(..1).map(str::make_ascii_uppercase);
    title
}
