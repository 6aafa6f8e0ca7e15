//! Agents beside what people maintain: Tables 2 and 7, Figure 4.

use slopbench_stats::Error as StatsError;

use super::{
    layout::{Content, column, pooled_and_configurations},
    phases::means,
};
use crate::{
    Cell, Error, Population, RunSet, Statistic,
    measure::{CLONES, EROSION, Measure, VERBOSITY, VIOLATIONS},
    paper::{PublishedRepository, StarTier, repositories},
    statistic::mean_of_independent,
    table::{ResultColumn, Unit},
};

/// A figure of a repository, and the same of agents' code.
type Compared = (fn(&PublishedRepository) -> f64, &'static Measure);

static COMPARED: [Compared; 4] = [
    (|row| row.verbosity, &VERBOSITY),
    (|row| row.erosion, &EROSION),
    (|row| row.violation_ratio, &VIOLATIONS),
    (|row| row.clone_ratio, &CLONES),
];

pub(super) fn table_2(set: &RunSet) -> Result<Content, Error> {
    let repositories = repositories()?;
    let tiers = StarTier::ALL.map(|tier| {
        let rows: Vec<_> = repositories.iter().filter(|row| row.tier == tier).collect();
        human(tier.name(), &rows)
    });
    let all: Vec<_> = repositories.iter().collect();
    let agents = pooled_and_configurations(set).into_iter().map(|group| {
        let name = if group.configuration.is_none() { "all agents".to_owned() } else { group.label.clone() };
        let n = group.rows.iter().filter(|row| row.code.is_some()).count();
        let cells = COMPARED.map(|(_, measure)| Cell::figure(with_spread(measure, &group.rows)));
        [vec![Cell::Text(name), Cell::text("checkpoints"), Cell::count(n)], cells.to_vec()].concat()
    });
    let columns = [("who", "who", Unit::Text), ("of", "of", Unit::Text), ("n", "n", Unit::Count)];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit));
    Ok(Content {
        population: Population::of(&set.rows),
        columns: columns.into_iter().chain(COMPARED.iter().map(|(_, measure)| column(measure))).collect(),
        rows: tiers.into_iter().chain([human("all repositories", &all)]).chain(agents).collect(),
        notes: vec![
            "Mean ± sample standard deviation; brackets are 95% intervals: Student's of repositories, bootstrap of checkpoints with \
             problems drawn whole. Repositories: the paper's figures of them (Table 7)."
                .to_owned(),
            missing()?,
        ],
    })
}

pub(super) fn figure_4(set: &RunSet) -> Result<Content, Error> {
    let repositories = repositories()?;
    let mean = |of: fn(&PublishedRepository) -> f64| {
        let values: Vec<f64> = repositories.iter().map(of).collect();
        mean_of_independent(&values)
    };
    let said = |of: Result<Statistic, StatsError>| match of {
        Ok(Statistic { value, low: Some(low), high: Some(high), .. }) => format!("{value:.3} [{low:.3}, {high:.3}]"),
        _ => "unknown".to_owned(),
    };
    let (verbosity, erosion) = (said(mean(|row| row.verbosity)), said(mean(|row| row.erosion)));
    let content = means(set, &[&VERBOSITY, &EROSION]);
    Ok(content
        .note("Checkpoints with a workspace; brackets are 95% bootstrap intervals, problems drawn whole.")
        .note(format!("The human panel's 48 repositories at one time: verbosity {verbosity}, erosion {erosion}."))
        .note(
            "The paper's 568 commits of 20 repositories over time are not published; `slopbench history` measures a repository's \
             commits.",
        ))
}

pub(super) fn table_7(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("tier", "tier", Unit::Text),
        ("repository", "repository", Unit::Text),
        ("stars", "stars", Unit::Count),
        ("loc", "LOC", Unit::Count),
        ("violation_ratio", "violations", Unit::Fraction),
        ("clone_ratio", "clones", Unit::Fraction),
        ("verbosity", "verbosity", Unit::Fraction),
        ("erosion", "erosion", Unit::Fraction),
        ("sdist", "sdist", Unit::Text),
    ];
    let had = had()?;
    let row = |row: PublishedRepository| {
        let sdist = had.iter().find(|(name, _)| *name == row.repository);
        let sdist = sdist.map_or_else(|| "none with what was measured".to_owned(), |(_, sdist)| sdist.clone());
        let numbers = [row.violation_ratio, row.clone_ratio, row.verbosity, row.erosion].map(Cell::Number);
        let first =
            [Cell::text(row.tier.name()), Cell::Text(row.repository), Cell::Count(row.stars), Cell::Count(row.loc)];
        first.into_iter().chain(numbers).chain([Cell::Text(sdist)]).collect()
    };
    let rows = repositories()?.into_iter().map(row).collect();
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec();
    let notes = vec![
        "As published: repositories' heads of March 2026. `slopbench panel` measures the distributions that are named."
            .to_owned(),
        missing()?,
    ];
    Ok(Content { population: Population::of(&set.rows), columns, rows, notes })
}

fn human(name: &str, rows: &[&PublishedRepository]) -> Vec<Cell> {
    let cell = |(of, _): &Compared| {
        let values: Vec<f64> = rows.iter().map(|row| of(row)).collect();
        Cell::figure(mean_of_independent(&values))
    };
    let first = [Cell::text(name), Cell::text("repositories"), Cell::count(rows.len())];
    first.into_iter().chain(COMPARED.iter().map(cell)).collect()
}

/// Mean ± deviation of checkpoints, with an interval that heeds what problems share.
fn with_spread(measure: &Measure, rows: &[&crate::TidyRow]) -> Result<Statistic, StatsError> {
    Ok(Statistic { sd: measure.spread(rows)?.sd, ..measure.clustered(rows)? })
}

/// Repositories whose sources a distribution gives, and which.
fn had() -> Result<Vec<(String, String)>, Error> {
    let entries = slopbench_panel::entries();
    let entries = entries.map_err(|error| Error::Data { file: "panel.toml", message: error.to_string() })?;
    let name = |entry: slopbench_panel::PanelEntry| {
        let sdist = format!("{} {}", entry.sdist.name, entry.sdist.version);
        (entry.repository.unwrap_or(entry.sdist.name), sdist)
    };
    Ok(entries.into_iter().map(name).collect())
}

/// The repositories that no distribution gives, by name.
fn missing() -> Result<String, Error> {
    let had = had()?;
    let repositories = repositories()?;
    let lacks = |row: &&PublishedRepository| had.iter().all(|(name, _)| *name != row.repository);
    let names: Vec<_> = repositories.iter().filter(lacks).map(|row| row.repository.as_str()).collect();
    Ok(format!(
        "Of the 48 repositories, {} cannot be measured from published distributions: {}.",
        names.len(),
        names.join(", ")
    ))
}
