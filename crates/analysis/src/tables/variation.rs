//! How far repeats of one configuration lie apart (the authors' blog, version 0.1).

use std::collections::BTreeMap;

use slopbench_stats::{
    describe::{coefficient_of_variation, mean},
    trend,
};

use super::layout::{Content, pooled_and_configurations};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::by_trajectory,
    measure::{ISOLATED_RATE, LOC, Measure, STRICT_RATE},
    statistic::mean_and_sd,
    table::{ResultColumn, Unit},
};

/// The share by which a measure grows from one checkpoint to the next.
pub(super) fn growth_of(measure: &Measure, before: &TidyRow, after: &TidyRow) -> Option<f64> {
    trend::growth(&[measure.value(before)?, measure.value(after)?]).ok()
}

/// Lines added and removed over the total lines before.
pub(super) fn churn(before: &TidyRow, after: &TidyRow) -> Option<f64> {
    let lines = before.code.as_ref()?.total_lines;
    (lines > 0).then_some(after.lines_edited? as f64 / lines as f64)
}

/// A figure of a checkpoint that may need the one before it.
type Varying = (&'static str, &'static str, fn(Option<&TidyRow>, &TidyRow) -> Option<f64>);

static VARYING: [Varying; 5] = [
    ("pass_rate", "pass rate", |_, row| STRICT_RATE.value(row)),
    ("pass_rate_isolated", "non-regression pass rate", |_, row| ISOLATED_RATE.value(row)),
    ("delta_loc", "delta LOC", |before, row| growth_of(&LOC, before?, row)),
    ("churn", "churn ratio", |before, row| churn(before?, row)),
    ("mean_callable_sloc", "mean callable SLOC", |_, row| row.code.as_ref()?.mean_callable_sloc),
];

/// Where a checkpoint lies in its problem, and whether one lies there.
type ProblemPlace = (&'static str, fn(&TidyRow) -> bool);

const PLACES: [ProblemPlace; 3] = [
    ("First", |row| row.checkpoint == 1),
    ("Middle", |row| row.checkpoint > 1 && row.checkpoint < row.checkpoints),
    ("Final", |row| row.checkpoint > 1 && row.checkpoint == row.checkpoints),
];

pub(super) fn variation(set: &RunSet) -> Result<Content, Error> {
    let place = ResultColumn::new("where", "where", Unit::Text);
    let columns = VARYING.map(|(key, title, _)| ResultColumn::new(key, title, Unit::Fraction));
    let columns = [place].into_iter().chain(columns).collect();
    let content = Content::of_groups(set, pooled_and_configurations(set), columns, |group| {
        let row = |(place, is_there): ProblemPlace| {
            let cells = VARYING.map(|(_, _, of)| cell(&group.rows, is_there, of));
            [Cell::text(place)].into_iter().chain(cells).collect()
        };
        PLACES.map(row).into()
    });
    Ok(content.note(
        "Standard deviation over mean of each checkpoint's repeats in one configuration, averaged over checkpoints; n is how many \
         have at least two repeats. Missing: those whose mean is 0, so that it is not defined, or with one repeat.",
    ))
}

/// A checkpoint, and the one before it in its trajectory.
type Placed<'a> = (Option<&'a TidyRow>, &'a TidyRow);

fn cell(rows: &[&TidyRow], is_there: fn(&TidyRow) -> bool, of: fn(Option<&TidyRow>, &TidyRow) -> Option<f64>) -> Cell {
    let trajectories = by_trajectory(rows.iter().copied());
    let placed: Vec<Placed<'_>> = trajectories
        .iter()
        .flat_map(|rows| rows.iter().enumerate().map(|(at, row)| (at.checked_sub(1).map(|at| rows[at]), *row)))
        .filter(|(_, row)| is_there(row))
        .collect();
    let mut repeats: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for (before, row) in placed {
        let key = (&row.configuration, &row.problem, row.checkpoint);
        repeats.entry(key).or_default().extend(of(before, row));
    }
    let values = repeats.values();
    let of_each: Vec<Result<f64, _>> =
        values.filter(|values| !values.is_empty()).map(|values| coefficient_of_variation(values)).collect();
    let defined: Vec<f64> = of_each.iter().filter_map(|one| one.as_ref().ok().copied()).collect();
    match mean(&defined) {
        Ok(_) => Cell::figure(mean_and_sd(&defined, of_each.len() - defined.len())),
        Err(_) => Cell::absent("needs at least two repeats of a checkpoint, and a mean other than 0"),
    }
}
