//! Configurations that differ in nothing but how hard their model is asked to think, side by side.

use slopbench_stats::describe::mean;

use super::layout::{Content, Group, column, families};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::{AgentSetup, by_trajectory, group},
    measure::{COST, EROSION, LOC, MINUTES, Measure, STRICT, STRICT_RATE, TOKENS, VERBOSITY},
    statistic::mean_and_sd,
    table::{ResultColumn, Unit},
};

/// Efforts as providers name them, the least first; others follow by name.
const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// What a row of all problems says of which it is.
const ALL: &str = "all";

static MEASURES: [&Measure; 7] = [&STRICT, &COST, &MINUTES, &TOKENS, &EROSION, &VERBOSITY, &LOC];

pub(super) fn efforts(set: &RunSet) -> Result<Content, Error> {
    let rank = |group: &Group<'_>| {
        let effort = group.configuration.map(|one| one.reasoning.clone()).unwrap_or_default();
        (EFFORTS.iter().position(|known| *known == effort).unwrap_or(EFFORTS.len()), effort)
    };
    let mut columns = vec![
        ResultColumn::new("problem", "problem", Unit::Text),
        ResultColumn::new("effort", "effort", Unit::Text),
        ResultColumn::new("pass_rate", "cases passed", Unit::Share),
    ];
    columns.extend(MEASURES.map(column));
    let mut content = Content::of_groups(set, Vec::new(), columns, |_| Vec::new());
    for mut family in families(set, |one| AgentSetup { reasoning: String::new(), ..one.clone() }) {
        family.sort_by_key(rank);
        let rows = family.iter().flat_map(|group| group.rows.iter().copied());
        let problems = group(rows, |row| row.problem.as_str());
        for problem in [ALL].into_iter().chain(problems.keys().copied()) {
            let is_meant = |row: &&TidyRow| problem == ALL || row.problem == problem;
            let family = family.iter().map(|group| Group {
                label: group.label.clone(),
                configuration: group.configuration,
                rows: group.rows.iter().copied().filter(is_meant).collect(),
            });
            let of = Content::of_groups(set, family.collect(), Vec::new(), |group| vec![cells(group, problem)]);
            content.rows.extend(of.rows);
        }
    }
    let none = content.rows.is_empty();
    let content = content.note(
        "Cases passed: the mean over checkpoints of each trajectory, then mean \u{b1} deviation over trajectories, which are its n. The others are over \
         checkpoints with a workspace.",
    );
    Ok(if none { content.note("No configuration was run with more than one reasoning effort.") } else { content })
}

fn cells(group: &Group<'_>, problem: &str) -> Vec<Cell> {
    let effort = group.configuration.map(|one| one.reasoning.as_str()).unwrap_or_default();
    let trajectories = by_trajectory(group.rows.iter().copied());
    let rate =
        |rows: &Vec<&TidyRow>| mean(&rows.iter().filter_map(|row| STRICT_RATE.value(row)).collect::<Vec<_>>()).ok();
    let rates: Vec<f64> = trajectories.iter().filter_map(rate).collect();
    let passed = Cell::figure(mean_and_sd(&rates, trajectories.len() - rates.len()));
    let measures = MEASURES.map(|measure| {
        Cell::figure(if measure.unit == Unit::Share { measure.share(&group.rows) } else { measure.spread(&group.rows) })
    });
    [Cell::text(problem), Cell::text(effort), passed].into_iter().chain(measures).collect()
}
