//! What prompts change over progress: Figure 5.

use slopbench_stats::{describe::mean, line, phase::Phase};

use super::{
    layout::{Content, Group, families},
    phases::at,
};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::AgentSetup,
    measure::{COST, EROSION, ISOLATED_RATE, Measure, STRICT_RATE, VERBOSITY},
    table::{ResultColumn, Unit},
};

/// The prompt that others are compared with, where it is there.
const BASELINE: &str = "just-solve";

static COLUMNS: [&Measure; 5] = [&VERBOSITY, &EROSION, &ISOLATED_RATE, &STRICT_RATE, &COST];

/// Configurations that differ in nothing but their prompt, the baseline first; where there are several.
pub(super) fn by_prompt(set: &RunSet) -> Vec<Vec<Group<'_>>> {
    let mut families = families(set, |one| AgentSetup { prompt: String::new(), ..one.clone() });
    let is_other = |group: &Group<'_>| group.configuration.is_none_or(|one| one.prompt != BASELINE);
    families.iter_mut().for_each(|family| family.sort_by_key(is_other));
    families
}

pub(super) const NO_PROMPTS: &str = "No configuration was run with more than one prompt.";

pub(super) fn figure_5(set: &RunSet) -> Result<Content, Error> {
    let families = by_prompt(set);
    let none = families.is_empty();
    let mut columns =
        vec![ResultColumn::new("measure", "measure", Unit::Text), ResultColumn::new("unit", "in", Unit::Text)];
    columns
        .extend(Phase::ALL.map(|phase| ResultColumn::new(&phase.name().to_lowercase(), phase.name(), Unit::Fraction)));
    columns.push(ResultColumn::new("slope", "slope m, a phase", Unit::Signed));
    columns.push(ResultColumn::new("start_change", "Start beside baseline", Unit::Change));
    let mut rows = Vec::new();
    let mut content = Content::of_groups(set, Vec::new(), columns, |_| Vec::new());
    for family in families {
        let baseline = family[0].rows.clone();
        let of = Content::of_groups(set, family, Vec::new(), |group| {
            COLUMNS.map(|measure| cells(&group.rows, &baseline, measure)).into()
        });
        rows.extend(of.rows);
    }
    content.rows = rows;
    let content = content.note(
        "Means over checkpoints with a workspace at each phase; the slope is that of the line through the phases' means, Start being 0. \
         The baseline is just-solve, or the first prompt where that was not run.",
    );
    Ok(if none { content.note(NO_PROMPTS) } else { content })
}

fn phase_mean(rows: &[&TidyRow], measure: &Measure, phase: Phase) -> Result<f64, slopbench_stats::Error> {
    mean(&at(rows, phase).iter().filter_map(|row| measure.value(row)).collect::<Vec<_>>())
}

fn cells(rows: &[&TidyRow], baseline: &[&TidyRow], measure: &Measure) -> Vec<Cell> {
    let means = Phase::ALL.map(|phase| phase_mean(rows, measure, phase));
    let points = (0..5).zip(&means).filter_map(|(x, mean)| Some((f64::from(x), *mean.as_ref().ok()?)));
    let (x, y): (Vec<_>, Vec<_>) = points.unzip();
    let before = phase_mean(baseline, measure, Phase::Start);
    let change = match (&means[0], before) {
        (Ok(_), Ok(0.0)) => Err("the baseline is 0".to_owned()),
        (Ok(start), Ok(before)) => Ok(start / before - 1.0),
        _ => Err("no figure at Start".to_owned()),
    };
    let unit = match measure.unit {
        Unit::Dollars => "US dollars",
        _ => "fraction",
    };
    let first = [Cell::text(measure.title), Cell::text(unit)];
    let means = means.map(Cell::number);
    first
        .into_iter()
        .chain(means)
        .chain([Cell::number(line::fit(&x, &y).map(|line| line.slope)), Cell::number(change)])
        .collect()
}
