//! What a judge flags, newly and carried, and how that changes from checkpoint to checkpoint.

use slopbench_stats::{phase::Phase, trend};

use super::layout::{Content, pooled_and_configurations};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::by_trajectory,
    row::FlagFigures,
    statistic::{Figure, mean_and_sd},
    table::{ResultColumn, Unit},
};

/// A figure of a judged checkpoint.
type Flagged = (&'static str, &'static str, Unit, fn(&FlagFigures) -> Option<f64>);

static FLAGGED: [Flagged; 5] = [
    ("new_verbosity", "new, verbosity", Unit::Count, |flags| Some(flags.new?[0] as f64)),
    ("new_erosion", "new, erosion", Unit::Count, |flags| Some(flags.new?[1] as f64)),
    ("carried_verbosity", "carried, verbosity", Unit::Count, |flags| Some(flags.carried?[0] as f64)),
    ("carried_erosion", "carried, erosion", Unit::Count, |flags| Some(flags.carried?[1] as f64)),
    ("new_per_changed_line", "new / changed line", Unit::Fraction, |flags| {
        (flags.changed_lines > 0).then_some(flags.all_new()? as f64 / flags.changed_lines as f64)
    }),
];

/// A number of flags whose change between checkpoints is shown.
type Changing = (&'static str, &'static str, fn(&FlagFigures) -> Option<u64>);

static CHANGING: [Changing; 2] = [
    ("new_change", "change of new", FlagFigures::all_new),
    ("all_change", "change of all", |flags| Some(flags.all_new()? + flags.all_carried()?)),
];

pub(super) fn flags(set: &RunSet) -> Result<Content, Error> {
    let phase = ResultColumn::new("phase", "at", Unit::Text);
    let figures = FLAGGED.map(|(key, title, unit, _)| ResultColumn::new(key, title, unit));
    let changes = CHANGING.map(|(key, title, _)| ResultColumn::new(key, title, Unit::Change));
    let columns = [phase].into_iter().chain(figures).chain(changes).collect();
    let is_judged = set.rows.iter().any(|row| row.flags.is_some());
    let groups = if is_judged { pooled_and_configurations(set) } else { Vec::new() };
    let content = Content::of_groups(set, groups, columns, |group| {
        let trajectories = by_trajectory(group.rows.iter().copied());
        let steps: Vec<_> =
            trajectories.iter().flat_map(|rows| rows.windows(2)).map(|step| (step[0], step[1])).collect();
        Phase::ALL.map(|phase| cells(&group.rows, &steps, phase)).into()
    });
    Ok(match is_judged {
        true => content.note(
            "Spans that a judge flags by the rubric, per checkpoint: new ones are on lines that it changed, carried ones on lines that stand as they \
             were flagged before. Changes are from the checkpoint before, as a fraction of its number. Missing: checkpoints that were not \
             judged whole, and changes from 0.",
        ),
        false => content.note("No judge was asked: give what `slopbench judge rubric` wrote as --rubric."),
    })
}

fn cells(rows: &[&TidyRow], steps: &[(&TidyRow, &TidyRow)], phase: Phase) -> Vec<Cell> {
    let at: Vec<_> = rows.iter().copied().filter(|row| row.phase == Some(phase)).collect();
    let figures = FLAGGED.map(|(_, _, _, of)| {
        let of = move |row: &TidyRow| row.flags.as_ref().and_then(of);
        Cell::figure(Figure { of: &of, among: TidyRow::counts_as_produced }.spread(&at).map_err(|_| "not judged"))
    });
    let changes = CHANGING.map(|(_, _, of)| {
        let steps = steps.iter().filter(|(_, after)| after.phase == Some(phase) && after.counts_as_produced());
        let change = |(before, after): &(&TidyRow, &TidyRow)| {
            let count = |row: &TidyRow| Some(of(row.flags.as_ref()?)? as f64);
            trend::growth(&[count(before)?, count(after)?]).ok()
        };
        let all: Vec<Option<f64>> = steps.map(change).collect();
        let known: Vec<f64> = all.iter().copied().flatten().collect();
        Cell::figure(mean_and_sd(&known, all.len() - known.len()).map_err(|_| "no flag before, or not judged"))
    });
    [Cell::text(phase.name())].into_iter().chain(figures).chain(changes).collect()
}
