//! Figures over the five phases of progress: 2, 3 and 6.

use slopbench_plot::{Axis, Panel, Series};

use super::{
    Drawing,
    parts::{RowGroup, all_series, categories, column, context, groups, series, values},
};
use crate::{ResultTable, table::Unit};

/// The phases, with how many checkpoints the first group has at each.
pub(super) fn phases(table: &ResultTable, groups: &[RowGroup<'_>]) -> Axis {
    groups.first().map_or_else(Axis::default, |group| categories(table, group, "phase", Some("n")))
}

/// A panel of columns of one group, each a series by its own name.
fn columns(table: &ResultTable, groups: &[RowGroup<'_>], title: &str, keys: &[&str]) -> Panel {
    let unit = keys.first().and_then(|key| column(table, key)).map_or(Unit::Fraction, |column| column.unit);
    let named = |key: &&str| {
        let column = column(table, key)?;
        Some(Series { name: column.title.clone(), ..series(table, groups.first()?, key) })
    };
    Panel {
        title: title.to_owned(),
        x: phases(table, groups),
        y: values(unit),
        series: keys.iter().filter_map(named).collect(),
        ..Panel::default()
    }
}

/// A panel of one column, a series for each group.
pub(super) fn by_group(table: &ResultTable, groups: &[RowGroup<'_>], title: &str, key: &str) -> Panel {
    let unit = column(table, key).map_or(Unit::Fraction, |column| column.unit);
    Panel {
        title: title.to_owned(),
        x: phases(table, groups),
        y: values(unit),
        series: all_series(table, groups, key),
        ..Panel::default()
    }
}

pub(super) fn figure_2(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [table] = tables else { return Vec::new() };
    let groups = groups(table);
    let solved = columns(table, &groups, "Solved checkpoints", &["strict", "isolated", "core"]);
    let cost = columns(table, &groups, "Cost", &["cost_usd"]);
    vec![Drawing { panels: vec![solved, cost], ..Drawing::default() }]
}

pub(super) fn figure_3(tables: &[&ResultTable]) -> Vec<Drawing> {
    const PANELS: [(&str, &str); 4] = [
        ("Erosion", "erosion"),
        ("Verbosity", "verbosity"),
        ("Callables with CC > 10", "complex_callables"),
        ("Largest CC", "largest_cc"),
    ];
    let [table] = tables else { return Vec::new() };
    let groups = groups(table);
    let panels = PANELS.map(|(title, key)| by_group(table, &groups, title, key));
    vec![Drawing { panels: panels.into(), context: context(&groups), ..Drawing::default() }]
}

pub(super) fn figure_6(tables: &[&ResultTable]) -> Vec<Drawing> {
    const TYPES: [&str; 4] = ["pass_rate_core", "pass_rate_functionality", "pass_rate_error", "pass_rate_regression"];
    let [table] = tables else { return Vec::new() };
    let mut panel = columns(table, &groups(table), "", &TYPES);
    panel.y.label = "share of cases that pass".to_owned();
    vec![Drawing { panels: vec![panel], ..Drawing::default() }]
}
