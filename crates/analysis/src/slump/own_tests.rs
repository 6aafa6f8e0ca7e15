//! Whether agents' own tests tell what IF50 does: Figure 3.

use std::collections::{BTreeMap, BTreeSet};

use slopbench_plot::{Axis, Datum, Mark, Notation, Panel, Series};
use slopbench_slump::{SlumpCondition, scores::RepositoryScores};
use slopbench_stats::{
    Error,
    bootstrap::Bootstrap,
    correlation::{Correlation, pearson, spearman},
};

use super::cells::{Content, NOT_JUDGED, column, figure, words};
use crate::{
    Cell, ResultTable, Statistic,
    statistic::{CONFIDENCE, DRAWS},
    table::Unit,
};

/// Pass rate and IF50 of each session of a task.
type TaskPairs = Vec<(f64, f64)>;

const NOT_RUN: &str = "not run";

/// A row for each session.
pub(super) fn figure_3_rows(scores: &[RepositoryScores]) -> Content {
    let counts = ["passed", "collected", "skipped", "uncollected"];
    let columns = ["platform", "condition", "task"]
        .map(words)
        .into_iter()
        .chain([column("repeat", "repeat", Unit::Count), words("tests")])
        .chain(counts.map(|key| column(key, key, Unit::Count)))
        .chain([("pass_rate", "pass rate"), ("if50", "IF50")].map(|(key, title)| column(key, title, Unit::Fraction)));
    let row = |one: &RepositoryScores| {
        let tests = one.own_tests.as_ref();
        let word = tests.map_or(NOT_RUN, |tests| tests.outcome.word());
        let counts = tests.map(|it| [it.passed, it.collected, it.skipped, it.uncollected.len()]);
        let counts = counts.map_or_else(|| [(); 4].map(|()| Cell::absent(NOT_RUN)), |counts| counts.map(Cell::count));
        let why = if word == "run" { "every test is skipped" } else { word };
        let names = [Cell::text(&one.platform), Cell::text(&one.condition), Cell::text(&one.task)];
        let repeat = Cell::Count(u64::from(one.repeat));
        let figures = [figure(one.pass_rate(), why), figure(one.if50(), NOT_JUDGED)];
        names.into_iter().chain([repeat, Cell::text(word)]).chain(counts).chain(figures).collect()
    };
    (columns.collect(), scores.iter().map(row).collect())
}

/// A panel for each platform, markers by condition.
pub(super) fn figure_3(table: &ResultTable) -> Vec<Panel> {
    let text = |row: usize, key: &str| match table.cell(row, key) {
        Some(Cell::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let platforms: BTreeSet<_> = (0..table.rows.len()).map(|row| text(row, "platform")).collect();
    let panel = |platform: String| {
        let series = |condition: SlumpCondition| {
            let is_of = |row: &usize| text(*row, "platform") == platform && text(*row, "condition") == condition.name();
            let point = |row: usize| {
                let value = |key: &str| table.cell(row, key).and_then(Cell::value);
                let rate = value("pass_rate")?;
                let name = format!("{}, {:.1}% of tests pass", text(row, "task"), 100.0 * rate);
                Some(Datum { name, ..Datum::at(rate, Some(value("if50")?)) })
            };
            let data: Vec<_> = (0..table.rows.len()).filter(is_of).filter_map(point).collect();
            Series { name: condition.name().to_owned(), mark: Mark::Point, data, ..Series::default() }
        };
        let series = SlumpCondition::ALL.map(series).into_iter().filter(|series| !series.data.is_empty());
        Panel {
            x: Axis::linear("pass rate of the agent's own tests", Notation::Percent).with([0.0, 1.0]),
            y: Axis::linear("IF50", Notation::Number).with([0.0, 1.0]),
            series: series.collect(),
            title: platform.clone(),
            ..Panel::default()
        }
    };
    platforms.into_iter().map(panel).filter(|panel| !panel.series.is_empty()).collect()
}

/// How alike pass rate and IF50 are, over all sessions of a platform that have both.
pub(super) fn correlations(scores: &[RepositoryScores]) -> Content {
    let columns = vec![
        words("platform"),
        column("sessions", "sessions", Unit::Count),
        column("spearman", "Spearman", Unit::Signed),
        column("spearman_p", "p", Unit::Probability),
        column("pearson", "Pearson", Unit::Signed),
        column("pearson_p", "p", Unit::Probability),
    ];
    let mut platforms: BTreeMap<&str, BTreeMap<&str, TaskPairs>> = BTreeMap::new();
    for one in scores {
        let Some(pair) = one.pass_rate().zip(one.if50()) else { continue };
        platforms.entry(&one.platform).or_default().entry(&one.task).or_default().push(pair);
    }
    let row = |(platform, tasks): (&str, BTreeMap<&str, TaskPairs>)| {
        let tasks: Vec<_> = tasks.into_values().collect();
        let names = [Cell::text(platform), Cell::count(tasks.iter().map(Vec::len).sum())];
        names.into_iter().chain([spearman, pearson].into_iter().flat_map(|of| coefficient(&tasks, of))).collect()
    };
    (columns, platforms.into_iter().map(row).collect())
}

/// A coefficient with the percentile interval of drawing tasks whole, where every resample has one, and its p-value.
fn coefficient(tasks: &[TaskPairs], correlation: fn(&[f64], &[f64]) -> Result<Correlation, Error>) -> [Cell; 2] {
    let of = |tasks: &[&TaskPairs]| {
        let (x, y): (Vec<_>, Vec<_>) = tasks.iter().copied().flatten().copied().unzip();
        correlation(&x, &y)
    };
    let found = of(&tasks.iter().collect::<Vec<_>>());
    let drawn = Bootstrap::new(tasks, |tasks| Ok(of(tasks)?.coefficient), DRAWS);
    let interval = drawn.and_then(|drawn| drawn.percentile(CONFIDENCE)).ok().filter(|_| tasks.len() > 1);
    let value = found.as_ref().map_or_else(
        |error| Cell::absent(error.to_string()),
        |found| {
            Cell::Figure(Statistic {
                value: found.coefficient,
                n: found.n,
                missing: 0,
                passed: None,
                sd: None,
                low: interval.map(|one| one.low),
                high: interval.map(|one| one.high),
                clusters: Some(tasks.len()),
            })
        },
    );
    [value, Cell::number(found.map(|found| found.p))]
}
