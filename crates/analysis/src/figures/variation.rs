//! How far repeats lie apart.

use slopbench_plot::{IntervalShape, Panel};

use super::{
    Drawing,
    parts::{all_series, categories, column, context, groups, values},
};
use crate::{ResultTable, table::Unit};

const PANELS: [&str; 5] = ["pass_rate", "pass_rate_isolated", "delta_loc", "churn", "mean_callable_sloc"];

pub(super) fn variation(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [table] = tables else { return Vec::new() };
    let groups = groups(table);
    let panel = |key: &str| {
        let mut title = column(table, key).map(|column| column.title.clone()).unwrap_or_default();
        title.get_mut(..1).map(str::make_ascii_uppercase);
        let mut series = all_series(table, &groups, key);
        series.iter_mut().for_each(|series| series.interval = IntervalShape::Hidden);
        let mut y = values(Unit::Fraction);
        y.label = "standard deviation / mean".to_owned();
        let x = groups.first().map(|group| categories(table, group, "where", None)).unwrap_or_default();
        Panel { title, x, y, series, ..Panel::default() }
    };
    let panels = PANELS.map(panel).into();
    vec![Drawing { panels, context: context(&groups), ..Drawing::default() }]
}
