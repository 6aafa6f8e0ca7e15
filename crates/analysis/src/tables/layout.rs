//! What tables share: their rows' first columns, and groups of rows.

use rayon::prelude::*;

use crate::{
    Cell, Population, RunSet, Statistic, TidyRow,
    configuration::{AgentSetup, by_configuration, labels},
    measure::Measure,
    statistic::Figure,
    table::{ResultColumn, Unit},
};

/// A table without its name.
pub(super) struct Content {
    pub(super) population: Population,
    pub(super) columns: Vec<ResultColumn>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) notes: Vec<String>,
}

impl Content {
    /// Of all rows of a set; `cells` gives those of a group.
    pub(super) fn of_groups<'a>(
        set: &RunSet,
        groups: Vec<Group<'a>>,
        columns: Vec<ResultColumn>,
        cells: impl Fn(&Group<'a>) -> Vec<Vec<Cell>> + Sync,
    ) -> Self {
        let with_key = |group: &Group<'a>| {
            let rows = cells(group).into_iter();
            rows.map(|row| [group.cells(), row].concat()).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Vec<Cell>>> = groups.par_iter().map(with_key).collect();
        Self {
            population: Population::of(&set.rows),
            columns: [Group::columns(), columns].concat(),
            rows: rows.into_iter().flatten().collect(),
            notes: Vec::new(),
        }
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Rows that one figure is of.
pub(super) struct Group<'a> {
    pub(super) label: String,
    /// Absent where several configurations are pooled.
    pub(super) configuration: Option<&'a AgentSetup>,
    pub(super) rows: Vec<&'a TidyRow>,
}

impl Group<'_> {
    fn columns() -> Vec<ResultColumn> {
        let details = ["model", "agent", "version", "reasoning", "prompt", "track", "mode"];
        let details = details.into_iter().map(|key| ResultColumn::detail(key, Unit::Text));
        [ResultColumn::new("configuration", "configuration", Unit::Text)].into_iter().chain(details).collect()
    }

    fn cells(&self) -> Vec<Cell> {
        let of =
            |part: fn(&AgentSetup) -> String| Cell::Text(self.configuration.map_or_else(|| POOLED.to_owned(), part));
        vec![
            Cell::text(&self.label),
            of(|one| one.model.clone().unwrap_or_default()),
            of(|one| one.agent.clone()),
            of(|one| one.version.clone()),
            of(|one| one.reasoning.clone()),
            of(|one| one.prompt.clone()),
            of(|one| one.track.to_string()),
            of(|one| if one.one_shot { "one shot".to_owned() } else { "iterative".to_owned() }),
        ]
    }
}

/// What several configurations together are called.
pub(crate) const POOLED: &str = "all";

/// A group per configuration.
pub(super) fn configurations(set: &RunSet) -> Vec<Group<'_>> {
    let grouped = by_configuration(&set.rows);
    let labels = labels(grouped.keys().copied());
    let group = |(configuration, rows)| Group {
        label: labels.get(configuration).cloned().unwrap_or_default(),
        configuration: Some(configuration),
        rows,
    };
    grouped.into_iter().map(group).collect()
}

/// The same after all of them together, where there are several. Who was given all checkpoints at once is not among all.
pub(super) fn pooled_and_configurations(set: &RunSet) -> Vec<Group<'_>> {
    let groups = configurations(set);
    if groups.len() < 2 {
        return groups;
    }
    let rows = set.rows.iter().filter(|row| !row.configuration.one_shot).collect();
    [Group { label: POOLED.to_owned(), configuration: None, rows }].into_iter().chain(groups).collect()
}

/// Configurations that are the same but for what `without` leaves out of them, where there are several.
pub(super) fn families<'a>(set: &'a RunSet, without: impl Fn(&AgentSetup) -> AgentSetup) -> Vec<Vec<Group<'a>>> {
    let mut families: Vec<Vec<Group<'_>>> = Vec::new();
    let common = |group: &Group<'_>| group.configuration.map(&without);
    for group in configurations(set) {
        match families.iter_mut().find(|family| common(&family[0]) == common(&group)) {
            Some(family) => family.push(group),
            None => families.push(vec![group]),
        }
    }
    families.retain(|family| family.len() > 1);
    families
}

/// A measure's column.
pub(super) fn column(measure: &Measure) -> ResultColumn {
    ResultColumn::new(measure.key, measure.title, measure.unit)
}

type Computed = Result<Statistic, slopbench_stats::Error>;

impl Measure {
    /// Mean ± deviation over the rows that it is asked of.
    pub(super) fn spread(&self, rows: &[&TidyRow]) -> Computed {
        self.with_asked(rows, |figure, rows| figure.spread(rows))
    }

    /// The mean with an interval clustered by problem.
    pub(super) fn clustered(&self, rows: &[&TidyRow]) -> Computed {
        self.with_asked(rows, |figure, rows| figure.clustered(rows))
    }

    /// The share of rows in which it is 1.
    pub(super) fn share(&self, rows: &[&TidyRow]) -> Computed {
        self.with_asked(rows, |figure, rows| figure.share(rows))
    }

    fn with_asked(&self, rows: &[&TidyRow], make: impl FnOnce(Figure<'_>, &[&TidyRow]) -> Computed) -> Computed {
        let asked: Vec<&TidyRow> = rows.iter().copied().filter(|row| self.is_asked(row)).collect();
        make(Figure { of: &self.of, among: |_| true }, &asked)
    }
}
