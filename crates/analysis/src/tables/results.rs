//! Table 1, and the same by harness version: Table 4.

use std::collections::BTreeMap;

use slopbench_stats::Error as StatsError;

use super::layout::{Content, Group, column, configurations};
use crate::{
    Cell, Error, Population, RunSet, Statistic, TidyRow,
    configuration::{AgentSetup, by_trajectory, group},
    measure::{CORE, COST, EROSION, ISOLATED, MINUTES, STRICT, VERBOSITY},
    statistic::{Figure, clustered_share, mean_and_sd},
    table::{ResultColumn, Unit},
};

const SOLVED: &str = "Strict, isolated, core: of checkpoints with a workspace, as in the paper; `strict (planned)`: of all, those \
                      that were never reached count as not solved. Partial: trajectories with at least one strictly solved \
                      checkpoint. ± is the sample standard deviation: of checkpoints, and of solve rates and net cost that of \
                      repeats. Brackets are 95% bootstrap intervals, problems drawn whole.";

pub(super) fn table_1(set: &RunSet) -> Result<Content, Error> {
    Ok(Content::of_groups(set, configurations(set), columns(), |group| vec![cells(group)]).note(SOLVED))
}

/// Rows of configurations that differ in nothing but their harness's version.
pub(super) fn table_4(set: &RunSet) -> Result<Content, Error> {
    let unversioned = |one: &AgentSetup| AgentSetup { version: String::new(), ..one.clone() };
    let mut families: BTreeMap<AgentSetup, Vec<Group<'_>>> = BTreeMap::new();
    for group in configurations(set) {
        families.entry(group.configuration.map(unversioned).unwrap_or_default()).or_default().push(group);
    }
    let several: Vec<_> = families.into_values().filter(|groups| groups.len() > 1).flatten().collect();
    let none = several.is_empty();
    let content = Content::of_groups(set, several, columns(), |group| vec![cells(group)]).note(SOLVED);
    Ok(match none {
        true => content.note("No configuration was run with more than one version of its harness."),
        false => content,
    })
}

fn columns() -> Vec<ResultColumn> {
    let mut columns: Vec<_> = [&STRICT, &ISOLATED, &CORE].map(column).into();
    columns.extend([
        ResultColumn::new("partial", "partial", Unit::Share),
        ResultColumn::new("strict_planned", "strict (planned)", Unit::Share),
        column(&COST),
        ResultColumn::new("net_usd", "net $", Unit::Dollars),
        column(&MINUTES),
        column(&EROSION),
        column(&VERBOSITY),
    ]);
    let counts = ["planned", "graded", "produced", "pending", "infrastructure"];
    columns.extend(counts.map(|key| ResultColumn::new(key, key, Unit::Count)));
    columns
}

fn cells(group: &Group<'_>) -> Vec<Cell> {
    let rows = &group.rows;
    let of = Population::of(rows.iter().copied());
    let planned = Figure { of: &STRICT.of, among: |row| row.solve.is_some() };
    let mut cells: Vec<_> = [&STRICT, &ISOLATED, &CORE].map(|measure| Cell::figure(measure.share(rows))).into();
    cells.extend([
        Cell::figure(partial(rows)),
        Cell::figure(planned.share(rows)),
        Cell::figure(COST.spread(rows)),
        net_cost(rows),
        Cell::figure(MINUTES.spread(rows)),
        Cell::figure(EROSION.spread(rows)),
        Cell::figure(VERBOSITY.spread(rows)),
    ]);
    cells.extend([of.planned, of.graded, of.produced, of.pending, of.infrastructure].map(Cell::count));
    cells
}

/// Of trajectories with a graded workspace, those in which one is strictly solved.
fn partial(rows: &[&TidyRow]) -> Result<Statistic, StatsError> {
    let flags = |rows: &[&TidyRow]| -> Vec<(String, bool)> {
        let produced = by_trajectory(rows.iter().copied().filter(|row| row.counts_as_produced()));
        let is_solved = |rows: &Vec<&TidyRow>| rows.iter().any(|row| row.solve.is_some_and(|solve| solve.strict));
        produced.iter().map(|rows| (rows[0].problem.clone(), is_solved(rows))).collect()
    };
    let all = flags(rows);
    let of = clustered_share(all.iter().map(|(problem, solved)| (problem.as_str(), *solved)), 0)?;
    let repeats = group(rows.iter().copied(), |row| row.repetition());
    let shares: Vec<f64> = repeats
        .values()
        .map(|rows| flags(rows))
        .filter(|flags| !flags.is_empty())
        .map(|flags| flags.iter().filter(|(_, solved)| *solved).count() as f64 / flags.len() as f64)
        .collect();
    Ok(Statistic { sd: slopbench_stats::describe::sample_sd(&shares).ok(), ..of })
}

/// The sum over all sessions of a repeat. Without one of them, it would pass for that of all.
fn net_cost(rows: &[&TidyRow]) -> Cell {
    let sessions: Vec<&TidyRow> = rows.iter().copied().filter(|row| row.minutes.is_some()).collect();
    let unknown = sessions.iter().filter(|row| row.cost_usd.is_none()).count();
    if unknown > 0 {
        return Cell::absent(format!("the cost of {unknown} of {} sessions is unknown", sessions.len()));
    }
    let repeats = group(sessions, |row| row.repetition());
    let sums: Vec<f64> = repeats.values().map(|rows| rows.iter().filter_map(|row| row.cost_usd).sum()).collect();
    Cell::figure(mean_and_sd(&sums, 0))
}
