//! The paper's own figures, and ours beside them.

use slopbench_stats::{
    describe::{mean, median},
    phase::Phase,
    trend,
};

use super::{
    growth::series,
    layout::{Content, configurations},
    phases::at,
};
use crate::{
    Cell, Error, Population, RunSet, Statistic, TidyRow,
    configuration::by_trajectory,
    measure::{COMPLEX, CORE, COST, EROSION, ISOLATED, LARGEST_CC, MINUTES, Measure, STRICT, VERBOSITY},
    paper::{PublishedResult, PublishedStatement, plain_name, results, statements as published_statements},
    table::{ResultColumn, Unit},
};

pub(super) fn table_1(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("model", "model", Unit::Text),
        ("strict", "strict", Unit::Share),
        ("isolated", "isolated", Unit::Share),
        ("core", "core", Unit::Share),
        ("partial", "partial", Unit::Share),
        ("cost_usd", "$/checkpoint", Unit::Dollars),
        ("net_usd", "net $", Unit::Dollars),
        ("minutes", "min/checkpoint", Unit::Minutes),
        ("erosion", "erosion", Unit::Fraction),
        ("verbosity", "verbosity", Unit::Fraction),
    ];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec();
    let row = |row: &PublishedResult| {
        let rates = [row.strict, row.isolated, row.core, row.partial].map(|percent| Cell::Number(percent / 100.0));
        let spread = |value, sd| {
            let of = Statistic {
                value,
                n: CHECKPOINTS,
                sd: Some(sd),
                missing: 0,
                passed: None,
                low: None,
                high: None,
                clusters: None,
            };
            Cell::Figure(of)
        };
        let figures = [
            spread(row.cost_usd, row.cost_usd_sd),
            Cell::Number(row.net_usd),
            spread(row.minutes, row.minutes_sd),
            spread(row.erosion, row.erosion_sd),
            spread(row.verbosity, row.verbosity_sd),
        ];
        [Cell::text(&row.model)].into_iter().chain(rates).chain(figures).collect()
    };
    let rows = results()?.iter().map(row).collect();
    let notes = vec!["As published: one run of 93 checkpoints a model; Opus 4.5 has 92.".to_owned()];
    Ok(Content { population: Population::of(&set.rows), columns, rows, notes })
}

/// The paper's checkpoints.
const CHECKPOINTS: usize = 93;

/// A figure of ours that stands beside a statement.
type Ours = (&'static str, fn(&[&TidyRow]) -> Option<f64>);

static OURS: &[Ours] = &[
    ("agents-erosion", |rows| mean_of(rows, &EROSION)),
    ("agents-verbosity", |rows| mean_of(rows, &VERBOSITY)),
    ("core-over-strict-start", |rows| core_over_strict(&at(rows, Phase::Start))),
    ("core-over-strict-final", |rows| core_over_strict(&at(rows, Phase::Final))),
    ("strict-final", |rows| mean_of(&at(rows, Phase::Final), &STRICT)),
    ("cost-growth", |rows| over(mean_of(&at(rows, Phase::Final), &COST)?, mean_of(&at(rows, Phase::Start), &COST)?)),
    ("complex-start", |rows| mean_of(&at(rows, Phase::Start), &COMPLEX)),
    ("complex-final", |rows| mean_of(&at(rows, Phase::Final), &COMPLEX)),
    ("largest-cc-start", |rows| mean_of(&at(rows, Phase::Start), &LARGEST_CC)),
    ("largest-cc-final", |rows| mean_of(&at(rows, Phase::Final), &LARGEST_CC)),
    ("erosion-rises", |rows| rising(rows, &EROSION)),
    ("verbosity-rises", |rows| rising(rows, &VERBOSITY)),
    ("verbosity-growth", |rows| growth(rows, &VERBOSITY)),
];

fn mean_of(rows: &[&TidyRow], measure: &Measure) -> Option<f64> {
    mean(&rows.iter().filter_map(|row| measure.value(row)).collect::<Vec<_>>()).ok()
}

fn over(over: f64, under: f64) -> Option<f64> {
    (under != 0.0).then(|| over / under)
}

fn core_over_strict(rows: &[&TidyRow]) -> Option<f64> {
    over(mean_of(rows, &CORE)?, mean_of(rows, &STRICT)?)
}

fn all_series(rows: &[&TidyRow], measure: &Measure) -> Vec<Vec<f64>> {
    let all = by_trajectory(rows.iter().copied()).into_iter().map(|rows| series(&rows, measure));
    all.filter(|series| series.len() > 1).collect()
}

fn rising(rows: &[&TidyRow], measure: &Measure) -> Option<f64> {
    let rises =
        all_series(rows, measure).into_iter().map(|series| f64::from(u8::from(series[series.len() - 1] > series[0])));
    mean(&rises.collect::<Vec<_>>()).ok()
}

fn growth(rows: &[&TidyRow], measure: &Measure) -> Option<f64> {
    let growths = all_series(rows, measure).into_iter().filter_map(|series| trend::growth(&series).ok());
    median(&growths.collect::<Vec<_>>()).ok()
}

pub(super) fn statements(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("figure", "figure", Unit::Text),
        ("unit", "in", Unit::Text),
        ("paper", "paper", Unit::Fraction),
        ("ours", "these runs", Unit::Fraction),
        ("source", "source", Unit::Text),
    ];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec();
    let rows: Vec<&TidyRow> = set.rows.iter().filter(|row| !row.configuration.one_shot).collect();
    let row = |PublishedStatement { name, title, unit, value, sd, source }: PublishedStatement| {
        let of = Statistic { value, n: 1, sd, missing: 0, passed: None, low: None, high: None, clusters: None };
        let paper = if sd.is_some() { Cell::Figure(of) } else { Cell::Number(value) };
        let ours = OURS.iter().find(|(known, _)| *known == name);
        let ours = match ours.map(|(_, of)| of(&rows)) {
            Some(Some(value)) => Cell::Number(value),
            Some(None) => Cell::absent("these runs have no such figure"),
            None => Cell::absent("not of runs"),
        };
        let unit = match unit {
            Unit::Times => "times",
            Unit::Count => "count",
            _ => "fraction",
        };
        vec![Cell::Text(title), Cell::text(unit), paper, ours, Cell::Text(source)]
    };
    let rows = published_statements()?.into_iter().map(row).collect();
    let notes = vec![
        "The bodies of Tables 2, 4 and 6 and of Figures 2 to 6 are pictures, or not in the text that these figures were entered from: \
         these are what the prose states of them."
            .to_owned(),
    ];
    Ok(Content { population: Population::of(&set.rows), columns, rows, notes })
}

/// A figure of Table 1: the paper's value and deviation, and ours.
type Reproduced = (&'static Measure, fn(&PublishedResult) -> (f64, Option<f64>));

static REPRODUCED: [Reproduced; 7] = [
    (&STRICT, |row| (row.strict / 100.0, None)),
    (&ISOLATED, |row| (row.isolated / 100.0, None)),
    (&CORE, |row| (row.core / 100.0, None)),
    (&COST, |row| (row.cost_usd, Some(row.cost_usd_sd))),
    (&MINUTES, |row| (row.minutes, Some(row.minutes_sd))),
    (&EROSION, |row| (row.erosion, Some(row.erosion_sd))),
    (&VERBOSITY, |row| (row.verbosity, Some(row.verbosity_sd))),
];

pub(super) fn reproduction(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("measure", "measure", Unit::Text),
        ("paper", "paper", Unit::Fraction),
        ("ours", "these runs", Unit::Fraction),
        ("difference", "difference", Unit::Signed),
        ("verdict", "within the spread", Unit::Text),
    ];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec();
    let published = results()?;
    let groups = configurations(set).into_iter().filter_map(|group| {
        let model = plain_name(group.configuration?.model.as_deref()?);
        let row = published.iter().find(|row| plain_name(&row.model) == model)?;
        (group.configuration?.prompt == "just-solve" && !group.configuration?.one_shot).then_some((group, row))
    });
    let mut sentences = Vec::new();
    let mut rows = Vec::new();
    for (group, paper) in groups {
        let compared: Vec<_> = REPRODUCED.iter().map(|one| beside(&group.rows, paper, one)).collect();
        sentences.push(sentence(&group.label, paper, &compared));
        let cells = compared.into_iter().map(|(cells, _)| cells).collect::<Vec<_>>();
        rows.extend(Content::of_groups(set, vec![group], Vec::new(), |_| cells.clone()).rows);
    }
    let mut content = Content::of_groups(set, Vec::new(), columns, |_| Vec::new());
    content.rows = rows;
    content.notes.push(
        "Within the spread: of a mean, at most √(sd²/93 + s²/n) · 1.96 apart, both deviations known; of a rate, both binomial. Checkpoints \
         of one problem are not independent, so that this is strict. Rates in fractions."
            .to_owned(),
    );
    if sentences.is_empty() {
        content.notes.push("None of these runs has a model of the paper's with the prompt just-solve.".to_owned());
    }
    content.notes.extend(sentences);
    Ok(content)
}

/// The cells of a measure, and whether it is within the spread.
fn beside(rows: &[&TidyRow], paper: &PublishedResult, (measure, published): &Reproduced) -> (Vec<Cell>, Option<bool>) {
    let (value, sd) = published(paper);
    let title = Cell::text(measure.title);
    let Ok(ours) = measure.spread(rows) else {
        return (
            vec![title, Cell::Number(value), Cell::absent("no value"), Cell::absent("no value"), Cell::text("unknown")],
            None,
        );
    };
    let variance = |sd: Option<f64>, mean: f64| sd.map_or(mean * (1.0 - mean), |sd| sd * sd);
    let ours_sd = if sd.is_some() { ours.sd } else { None };
    let known = sd.is_none() || ours.sd.is_some();
    let error = (variance(sd, value) / CHECKPOINTS as f64 + variance(ours_sd, ours.value) / ours.n as f64).sqrt();
    let within = known.then_some((ours.value - value).abs() <= 1.96 * error);
    let said = match within {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    (vec![title, Cell::Number(value), Cell::Figure(ours), Cell::Number(ours.value - value), Cell::text(said)], within)
}

fn sentence(label: &str, paper: &PublishedResult, compared: &[(Vec<Cell>, Option<bool>)]) -> String {
    let apart = REPRODUCED.iter().zip(compared).filter(|(_, (_, within))| *within != Some(true));
    let apart: Vec<_> = apart.map(|((measure, _), _)| measure.title).collect();
    match apart.is_empty() {
        true => format!("{label} reproduces the paper's {} within their spread.", paper.model),
        false => {
            format!("{label} does not reproduce the paper's {} within their spread: {}.", paper.model, apart.join(", "))
        }
    }
}
