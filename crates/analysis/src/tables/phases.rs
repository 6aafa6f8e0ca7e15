//! Figures over the five phases of progress: 2, 3 and 6.

use slopbench_stats::{describe::mean, phase::Phase};

use super::layout::{Content, column, pooled_and_configurations};
use crate::{
    Cell, Error, RunSet, TidyRow,
    measure::{
        COMPLEX, CORE, CORE_RATE, COST, EROSION, ERROR_RATE, FUNCTIONALITY_RATE, ISOLATED, ISOLATED_RATE, LARGEST_CC,
        Measure, REGRESSION_RATE, STRICT, STRICT_RATE, VERBOSITY,
    },
    table::{ResultColumn, Unit},
};

const INTERVALS: &str = "The first checkpoint is Start, the last Final, the interior in three groups, earlier ones taking the extra. \
                         Checkpoints with a workspace; brackets are 95% bootstrap intervals, problems drawn whole. With few \
                         problems they are too narrow.";

pub(super) fn figure_2(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        [&STRICT, &ISOLATED, &CORE, &COST].map(column).to_vec(),
        vec![
            ResultColumn::new("core_over_strict", "core / strict", Unit::Times),
            ResultColumn::new("cost_over_start", "cost / Start", Unit::Times),
        ],
    ]
    .concat();
    let content = by_phase(set, columns, |rows, start| {
        let shares = [&STRICT, &ISOLATED, &CORE].map(|measure| Cell::figure(measure.share(rows)));
        let of = |measure: &Measure, rows: &[&TidyRow]| {
            mean(&rows.iter().filter_map(|row| measure.value(row)).collect::<Vec<_>>()).ok()
        };
        let ratios = [
            ratio(of(&CORE, rows), of(&STRICT, rows), "nothing is strictly solved"),
            ratio(of(&COST, rows), of(&COST, start), "no cost is known at Start"),
        ];
        shares.into_iter().chain([Cell::figure(COST.clustered(rows))]).chain(ratios).collect()
    });
    Ok(content.note(INTERVALS))
}

pub(super) fn figure_3(set: &RunSet) -> Result<Content, Error> {
    Ok(means(set, &[&EROSION, &VERBOSITY, &COMPLEX, &LARGEST_CC]).note(INTERVALS))
}

pub(super) fn figure_6(set: &RunSet) -> Result<Content, Error> {
    let measures = [&CORE_RATE, &FUNCTIONALITY_RATE, &ERROR_RATE, &REGRESSION_RATE, &ISOLATED_RATE, &STRICT_RATE];
    Ok(means(set, &measures).note(INTERVALS))
}

/// The mean of each measure at each phase.
pub(super) fn means(set: &RunSet, measures: &[&Measure]) -> Content {
    let columns = measures.iter().map(|measure| column(measure)).collect();
    by_phase(set, columns, |rows, _| measures.iter().map(|measure| Cell::figure(measure.clustered(rows))).collect())
}

/// A row per group and phase; `cells` is given the phase's rows and those of Start.
fn by_phase(
    set: &RunSet,
    columns: Vec<ResultColumn>,
    cells: impl Fn(&[&TidyRow], &[&TidyRow]) -> Vec<Cell> + Sync,
) -> Content {
    let phase = ResultColumn::new("phase", "phase", Unit::Text);
    let n = ResultColumn::new("n", "n", Unit::Count);
    let columns = [vec![phase, n], columns].concat();
    let one_shot = set.rows.iter().any(|row| row.configuration.one_shot);
    let mut groups = pooled_and_configurations(set);
    // All at once has no progress.
    groups.retain(|group| group.configuration.is_none_or(|one| !one.one_shot));
    let content = Content::of_groups(set, groups, columns, |group| {
        let start = at(&group.rows, Phase::Start);
        let row = |phase: Phase| {
            let rows = at(&group.rows, phase);
            let n = rows.iter().filter(|row| row.counts_as_produced()).count();
            [vec![Cell::text(phase.name()), Cell::count(n)], cells(&rows, &start)].concat()
        };
        Phase::ALL.map(row).into()
    });
    match one_shot {
        true => {
            content.note("Configurations that were given all checkpoints at once have no progress and are left out.")
        }
        false => content,
    }
}

/// The rows of a phase.
pub(super) fn at<'a>(rows: &[&'a TidyRow], phase: Phase) -> Vec<&'a TidyRow> {
    rows.iter().copied().filter(|row| row.phase == Some(phase)).collect()
}

fn ratio(over: Option<f64>, under: Option<f64>, reason: &str) -> Cell {
    match (over, under) {
        (Some(over), Some(under)) if under != 0.0 => Cell::Number(over / under),
        _ => Cell::absent(reason),
    }
}
