//! Agents over progress beside what people maintain: Figure 4.

use slopbench_plot::{Along, Emphasis, IntervalShape, ReferenceLine};

use super::{
    Drawing,
    parts::{context, groups, text},
    phases::by_group,
};
use crate::{Cell, ResultTable};

const PANELS: [(&str, &str); 2] = [("Verbosity", "verbosity"), ("Erosion", "erosion")];

pub(super) fn figure_4(tables: &[&ResultTable]) -> Vec<Drawing> {
    let [progress, repositories] = tables else { return Vec::new() };
    let groups = groups(progress);
    let is_alone = groups.len() == 1;
    let panels = PANELS.map(|(title, key)| {
        let mut panel = by_group(progress, &groups, title, key);
        // One area can be read, not several on top of each other.
        for series in panel.series.iter_mut().filter(|series| series.emphasis == Emphasis::Normal) {
            series.interval = if is_alone { IntervalShape::Band } else { IntervalShape::Hidden };
        }
        panel.references.extend(humans(repositories, key));
        panel
    });
    vec![Drawing { panels: panels.into(), context: context(&groups), ..Drawing::default() }]
}

/// The mean of all repositories, with its interval.
fn humans(table: &ResultTable, key: &str) -> Option<ReferenceLine> {
    let row = (0..table.rows.len()).find(|row| text(table, *row, "who") == "all repositories")?;
    let Some(Cell::Figure(of)) = table.cell(row, key) else { return None };
    let name = "human panel, at one time".to_owned();
    Some(ReferenceLine { name, along: Along::Values, at: of.value, low: of.low, high: of.high, n: Some(of.n) })
}
