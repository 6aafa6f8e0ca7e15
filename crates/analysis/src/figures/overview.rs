//! All configurations side by side: Table 1.

use slopbench_plot::Panel;

use super::{
    Drawing,
    parts::{Shown, column, named_rows, notation},
};
use crate::ResultTable;

/// Solve rates with intervals, then what is a mean of checkpoints.
const MEANS: [(&str, &str); 3] = [("Cost", "cost_usd"), ("Erosion", "erosion"), ("Verbosity", "verbosity")];

pub(super) fn overview(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [table] = tables else { return Vec::new() };
    let mut solved = named_rows(table, &["strict", "isolated", "core"], "configuration", Shown::Interval);
    solved.title = "Solved checkpoints".to_owned();
    solved.y.label = "share, with 95% interval".to_owned();
    let mean = |(title, key): (&str, &str)| {
        let mut panel = named_rows(table, &[key], "configuration", Shown::Deviation);
        let unit = column(table, key).map(|column| notation(column.unit).1).unwrap_or_default();
        panel.y.label = format!("{unit}, ± standard deviation");
        // Its title says what it is of: one look for all of them.
        panel.series.iter_mut().for_each(|series| series.name = "mean of checkpoints".to_owned());
        Panel { title: title.to_owned(), ..panel }
    };
    vec![Drawing { panels: [vec![solved], MEANS.map(mean).into()].concat(), ..Drawing::default() }]
}
