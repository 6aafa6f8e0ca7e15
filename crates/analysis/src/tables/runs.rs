//! What the tables are made of.

use super::layout::Content;
use crate::{
    Cell, Error, Population, RunSet, TidyRow,
    configuration::labels,
    table::{ResultColumn, Unit},
};

pub(super) fn runs(set: &RunSet) -> Result<Content, Error> {
    let counts = ["problems", "trajectories", "planned", "graded", "produced", "pending", "infrastructure", "withheld"];
    let counts = counts.into_iter().map(|key| ResultColumn::new(key, key, Unit::Count));
    let columns = [("run", "run"), ("synthetic", "made up"), ("configurations", "configurations"), ("tool", "tool")];
    let columns = columns.into_iter().map(|(key, title)| ResultColumn::new(key, title, Unit::Text));
    let columns = columns.chain([ResultColumn::detail("plan", Unit::Text)]).chain(counts).collect();
    let rows = set.runs.iter().map(|run| {
        let rows: Vec<&TidyRow> = set.rows.iter().filter(|row| row.run == run.name).collect();
        let of = Population::of(rows.iter().copied());
        let labels = labels(rows.iter().map(|row| &row.configuration));
        let names: Vec<_> = labels.into_values().collect();
        let names = if names.len() > 3 { format!("{} configurations", names.len()) } else { names.join("; ") };
        let counts = [
            of.problems,
            of.trajectories,
            of.planned,
            of.graded,
            of.produced,
            of.pending,
            of.infrastructure,
            of.withheld,
        ];
        let made_up = run.synthetic.as_deref().unwrap_or("no");
        let texts = [&run.name, made_up, &names, run.tool.as_deref().unwrap_or_default(), &run.plan];
        texts.into_iter().map(Cell::text).chain(counts.map(Cell::count)).collect()
    });
    let rows = rows.collect();
    let accepted = set.runs.iter().flat_map(|run| {
        run.accepted_differences.iter().map(|difference| format!("{}: another instrument: {difference}", run.name))
    });
    Ok(Content { population: Population::of(&set.rows), columns, rows, notes: accepted.collect() })
}
