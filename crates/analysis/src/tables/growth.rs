//! How many trajectories end higher than they began, and by how much.

use slopbench_stats::{describe::median, trend};

use super::layout::{Content, pooled_and_configurations};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::by_trajectory,
    measure::{CLONES, COMPLEX, EROSION, LARGEST_CC, LOC, Measure, VERBOSITY, VIOLATIONS},
    statistic::{clustered_share, mean_and_sd},
    table::{ResultColumn, Unit},
};

static GROWING: [&Measure; 7] = [&EROSION, &VERBOSITY, &VIOLATIONS, &CLONES, &COMPLEX, &LARGEST_CC, &LOC];

pub(super) fn growth(set: &RunSet) -> Result<Content, Error> {
    let columns = vec![
        ResultColumn::new("measure", "measure", Unit::Text),
        ResultColumn::new("rising", "ends higher", Unit::Share),
        ResultColumn::new("rise", "last - first", Unit::Signed),
        ResultColumn::new("median_growth", "median growth", Unit::Change),
        ResultColumn::new("growth_of", "growth of", Unit::Count),
    ];
    let content = Content::of_groups(set, pooled_and_configurations(set), columns, |group| {
        let trajectories = by_trajectory(group.rows.iter().copied());
        GROWING.map(|measure| cells(&trajectories, measure)).into()
    });
    Ok(content.note(
        "Of trajectories with figures at two checkpoints at least: the last beside the first. Growth is a fraction of the first, and \
         of no trajectory whose first is 0. The bracket is a 95% bootstrap interval, problems drawn whole.",
    ))
}

/// A measure at the checkpoints that have it.
pub(super) fn series(rows: &[&TidyRow], measure: &Measure) -> Vec<f64> {
    rows.iter().filter_map(|row| measure.value(row)).collect()
}

fn cells(trajectories: &[Vec<&TidyRow>], measure: &Measure) -> Vec<Cell> {
    let all: Vec<_> = trajectories.iter().map(|rows| (rows[0].problem.as_str(), series(rows, measure))).collect();
    let whole: Vec<_> = all.iter().filter(|(_, series)| series.len() > 1).collect();
    let missing = all.len() - whole.len();
    let rise = |series: &[f64]| series[series.len() - 1] - series[0];
    let rising = clustered_share(whole.iter().map(|(problem, series)| (*problem, rise(series) > 0.0)), missing);
    let rises: Vec<f64> = whole.iter().map(|(_, series)| rise(series)).collect();
    let growths: Vec<f64> = whole.iter().filter_map(|(_, series)| trend::growth(series).ok()).collect();
    vec![
        Cell::text(measure.title),
        Cell::figure(rising),
        Cell::figure(mean_and_sd(&rises, missing)),
        Cell::number(median(&growths)),
        Cell::count(growths.len()),
    ]
}
