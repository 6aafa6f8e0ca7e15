//! What the authors' blog has of version 0.1: changes between checkpoints, and the first composite scores.

use slopbench_stats::{describe::median, phase::Phase, trend};

use super::{
    layout::{Content, pooled_and_configurations},
    variation::{churn, growth_of},
};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::by_trajectory,
    measure::{COMPLEX, LOC},
    row::CodeFigures,
    statistic::{Figure, mean_and_sd},
    table::{ResultColumn, Unit},
};

/// A change from one checkpoint to the next.
type Step = (&'static str, fn(&TidyRow, &TidyRow) -> Option<f64>);

static STEPS: [Step; 3] = [
    ("LOC", |before, after| growth_of(&LOC, before, after)),
    ("high CC", |before, after| growth_of(&COMPLEX, before, after)),
    ("churn", churn),
];

/// What needs a judge's or a linter's findings: there are rows of it where a run has any.
type Found = (&'static str, fn(&CodeFigures) -> Option<f64>);

static FOUND: [Found; 3] = [
    ("lint errors", |code| code.lint_errors.map(|errors| errors as f64)),
    ("erosion v0", |code| code.erosion_v0),
    ("verbosity v0", |code| code.verbosity_v0),
];

pub(super) fn deltas(set: &RunSet) -> Result<Content, Error> {
    let columns = vec![
        ResultColumn::new("measure", "measure", Unit::Text),
        ResultColumn::new("phase", "to", Unit::Text),
        ResultColumn::new("mean", "mean change", Unit::Change),
        ResultColumn::new("median", "median change", Unit::Change),
    ];
    let content = Content::of_groups(set, pooled_and_configurations(set), columns, |group| {
        let trajectories = by_trajectory(group.rows.iter().copied());
        let steps: Vec<_> =
            trajectories.iter().flat_map(|rows| rows.windows(2)).map(|step| (step[0], step[1])).collect();
        let of_measure = |name, of: &dyn Fn(&TidyRow, &TidyRow) -> Option<f64>| -> Vec<_> {
            Phase::ALL[1..].iter().map(|phase| cells(&steps, name, of, *phase)).collect()
        };
        let always = STEPS.iter().map(|(name, of)| of_measure(name, of));
        let found = FOUND.iter().filter(|(_, of)| is_found(set, *of)).map(|(name, of)| {
            let change = |before: &TidyRow, after: &TidyRow| {
                trend::growth(&[of(before.code.as_ref()?)?, of(after.code.as_ref()?)?]).ok()
            };
            of_measure(name, &change)
        });
        always.chain(found).flatten().collect()
    });
    Ok(content.note(
        "From each checkpoint to the next of its trajectory, as a fraction of the first; missing where that is 0. Churn: lines added and \
         removed over the total lines before. There are rows of lint errors and of the first composites where --lint or --rubric gives them.",
    ))
}

/// Whether any checkpoint has this.
fn is_found(set: &RunSet, of: fn(&CodeFigures) -> Option<f64>) -> bool {
    set.rows.iter().any(|row| row.code.as_ref().and_then(of).is_some())
}

fn cells(
    steps: &[(&TidyRow, &TidyRow)],
    name: &'static str,
    of: &dyn Fn(&TidyRow, &TidyRow) -> Option<f64>,
    phase: Phase,
) -> Vec<Cell> {
    let steps: Vec<_> =
        steps.iter().filter(|(_, after)| after.phase == Some(phase) && after.counts_as_produced()).collect();
    let changes: Vec<f64> = steps.iter().filter_map(|(before, after)| of(before, after)).collect();
    let mean = mean_and_sd(&changes, steps.len() - changes.len());
    vec![Cell::text(name), Cell::text(phase.name()), Cell::figure(mean), Cell::number(median(&changes))]
}

const UNREAD: &str = "the linter did not read every file of any: its own file says why, under `absent`";
const NO_LINTER: &str = "needs a linter's findings, which are of Python alone: give them as --lint";
const NO_WRAPPERS: &str = "the language has no analysis of wrappers";

pub(super) fn composites(set: &RunSet) -> Result<Content, Error> {
    let columns = vec![
        ResultColumn::new("complex_share", "complex share", Unit::Fraction),
        ResultColumn::new("trivial_share", "trivial wrappers", Unit::Fraction),
        ResultColumn::new("single_use_share", "single-use functions", Unit::Fraction),
        ResultColumn::new("lint_errors", "lint errors", Unit::Count),
        ResultColumn::new("erosion_v0", "erosion v0", Unit::Fraction),
        ResultColumn::new("verbosity_v0", "verbosity v0", Unit::Fraction),
    ];
    let no_linter = set.linter().map_or(NO_LINTER, |_| UNREAD);
    let content = Content::of_groups(set, pooled_and_configurations(set), columns, |group| {
        let of = |value: fn(&CodeFigures) -> Option<f64>, why: &str| {
            let value = move |row: &TidyRow| row.code.as_ref().and_then(value);
            let figure = Figure { of: &value, among: |row| row.code.is_some() };
            Cell::figure(figure.spread(&group.rows).map_err(|_| why.to_owned()))
        };
        vec![vec![
            of(|code| Some(code.complex_share), "no code is measured"),
            of(|code| Some(code.share_of_callables(code.trivial_wrappers?)), NO_WRAPPERS),
            of(|code| Some(code.share_of_callables(code.single_use?)), NO_WRAPPERS),
            of(|code| code.lint_errors.map(|errors| errors as f64), no_linter),
            of(|code| code.erosion_v0, no_linter),
            of(|code| code.verbosity_v0, "needs a judge's findings: give them as --rubric"),
        ]]
    });
    let linter = set.linter().map(|linter| format!("Lint errors: {linter}."));
    let content = content.note("Complex share: (callables with CC > 10 + those with CC > 30) / callables. Trivial wrappers, which only pass a call on, and functions that are called \
                     once or never are shares of callables. `slopbench explain verbosity_v0` defines the others.");
    Ok(linter.into_iter().fold(content, Content::note))
}
