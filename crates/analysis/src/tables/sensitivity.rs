//! Whether erosion tells what comes next, whatever its cutoff and size term (paper, appendix G).

use slopbench_metrics::sensitivity::{CUTOFFS, SizeTerm};
use slopbench_stats::correlation::{Correlation, pearson, spearman};

use super::layout::Content;
use crate::{
    Cell, Error, Population, RunSet, TidyRow,
    configuration::by_trajectory,
    measure::{COST, LARGEST_CC, LOC, STRICT_RATE, VERBOSITY},
    table::{ResultColumn, Unit},
};

type Predictor = (String, Box<dyn Fn(&TidyRow) -> Option<f64> + Sync>);

pub(super) fn table_6(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("pass_pairs", "n", Unit::Count),
        ("pass_spearman", "next pass rate: ρ", Unit::Signed),
        ("pass_spearman_p", "p", Unit::Probability),
        ("pass_pearson", "r", Unit::Signed),
        ("cost_pairs", "n", Unit::Count),
        ("cost_spearman", "next $: ρ", Unit::Signed),
        ("cost_spearman_p", "p", Unit::Probability),
        ("cost_pearson", "r", Unit::Signed),
    ];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit));
    let columns = [vec![ResultColumn::new("predictor", "at a checkpoint", Unit::Text)], columns.to_vec()].concat();
    let trajectories = by_trajectory(set.rows.iter().filter(|row| !row.configuration.one_shot));
    let row = |(name, predictor): Predictor| {
        let next = |of: &dyn Fn(&TidyRow) -> Option<f64>| pairs(&trajectories, &predictor, of);
        let (pass, cost) = (next(&|row| STRICT_RATE.value(row)), next(&|row| COST.value(row)));
        [vec![Cell::Text(name)], correlations(&pass), correlations(&cost)].concat()
    };
    let rows = predictors().into_iter().map(row).collect();
    let notes = vec![
        "Each checkpoint's figure beside the share of all cases that pass, and the cost, at the next checkpoint of its trajectory. \
         Pairs of one trajectory are not independent: the p-values are too small."
            .to_owned(),
    ];
    Ok(Content { population: Population::of(&set.rows), columns, rows, notes })
}

/// Erosion in nine variants, and what is simpler.
fn predictors() -> Vec<Predictor> {
    let name = |size: SizeTerm| match size {
        SizeTerm::Constant => "no size term",
        SizeTerm::SqrtSloc => "√SLOC",
        SizeTerm::Sloc => "SLOC",
    };
    let cells = CUTOFFS.into_iter().flat_map(|cutoff| SizeTerm::ALL.map(|size| (cutoff, size)));
    let variant = |(index, (cutoff, size)): (usize, (u32, SizeTerm))| -> Predictor {
        let of = move |row: &TidyRow| row.code.as_ref().and_then(|code| code.sensitivity.get(index).copied());
        (format!("erosion, CC > {cutoff}, {}", name(size)), Box::new(of))
    };
    let others = [&VERBOSITY, &LOC, &LARGEST_CC];
    let others = others.map(|measure| -> Predictor { (measure.title.to_owned(), Box::new(|row| measure.value(row))) });
    cells.enumerate().map(variant).chain(others).collect()
}

/// `before` at each checkpoint, and `next` at the one after it.
fn pairs(
    trajectories: &[Vec<&TidyRow>],
    before: &dyn Fn(&TidyRow) -> Option<f64>,
    next: &dyn Fn(&TidyRow) -> Option<f64>,
) -> (Vec<f64>, Vec<f64>) {
    let steps = trajectories.iter().flat_map(|rows| rows.windows(2));
    let follows = |step: &&[&TidyRow]| step[1].checkpoint == step[0].checkpoint + 1;
    steps.filter(follows).filter_map(|step| Some((before(step[0])?, next(step[1])?))).unzip()
}

fn correlations((before, next): &(Vec<f64>, Vec<f64>)) -> Vec<Cell> {
    let coefficient =
        |of: &Result<Correlation, _>| Cell::number(of.as_ref().map(|of| of.coefficient).map_err(|error| *error));
    let (spearman, pearson) = (spearman(before, next), pearson(before, next));
    vec![
        Cell::count(before.len()),
        coefficient(&spearman),
        Cell::number(spearman.map(|of| of.p)),
        coefficient(&pearson),
    ]
}
