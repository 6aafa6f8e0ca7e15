//! What tasks' requests disclose: Figure 1 and Table 5.

use slopbench_plot::{Axis, Datum, Mark, Notation, Panel, Series};
use slopbench_slump::{ExposureAudit, ExposurePoint, Recoverability, SlumpTask, judging::JudgedExposure};

use super::cells::{Content, column, figure, words};
use crate::{Cell, ResultTable, table::Unit};

/// A task's sizes, and what its requests disclose.
#[derive(Clone, Debug)]
pub(super) struct Disclosed {
    task: String,
    components: usize,
    versions: usize,
    requests: usize,
    /// Who says so.
    by: &'static str,
    /// After so many requests: the shares, or how many components were not judged.
    points: Vec<(usize, Result<ExposurePoint, usize>)>,
    /// RCR and ESR; absent where a component was not judged after the last request.
    rates: Option<[f64; 2]>,
}

impl Disclosed {
    /// As the task's author says.
    pub(super) fn authored(task: &SlumpTask) -> Self {
        let audit = ExposureAudit::new(task, &Recoverability::authored(task));
        Self {
            task: task.name.clone(),
            components: audit.components,
            versions: task.versions.len(),
            requests: task.requests.len(),
            by: "author",
            rates: Some([audit.rcr, audit.esr]),
            points: audit.curve.into_iter().map(|point| (point.request, Ok(point))).collect(),
        }
    }

    /// As a judge says, who sees the requests alone.
    ///
    /// # Errors
    ///
    /// As [`JudgedExposure::curve`].
    pub(super) fn judged(task: &SlumpTask, judged: &JudgedExposure) -> Result<Self, slopbench_slump::Error> {
        let points = judged.curve(task)?.into_iter().map(|one| (one.request, one.point.ok_or(one.not_judged)));
        // Where it did not judge all of the last prefix, there are no rates.
        let rates = judged.audit(task).ok().map(|audit| [audit.rcr, audit.esr]);
        Ok(Self { by: "judge", points: points.collect(), rates, ..Self::authored(task) })
    }
}

pub(super) fn figure_1_rows(tasks: &[Disclosed]) -> Content {
    let columns = vec![
        words("task"),
        words("by"),
        column("request", "request", Unit::Count),
        column("explicit", "R = 4", Unit::Share),
        column("recoverable", "R >= 1", Unit::Share),
    ];
    let rows = tasks.iter().flat_map(|disclosed| {
        disclosed.points.iter().map(|(request, point)| {
            let shares = match point {
                Ok(point) => [point.explicit, point.recoverable].map(Cell::Number),
                Err(count) => [(); 2].map(|()| Cell::absent(format!("{count} components are not judged"))),
            };
            let names = [Cell::text(&disclosed.task), Cell::text(disclosed.by), Cell::count(*request)];
            names.into_iter().chain(shares).collect()
        })
    });
    (columns, rows.collect())
}

/// A panel for each share, a line for each task.
pub(super) fn figure_1(table: &ResultTable) -> Vec<Panel> {
    let panel = |(title, key): (&str, &str)| {
        let mut series: Vec<Series> = Vec::new();
        for row in 0..table.rows.len() {
            let Some(Cell::Text(task)) = table.cell(row, "task") else { continue };
            let at = table.cell(row, "request").and_then(Cell::value).unwrap_or_default();
            let point = Datum::at(at, table.cell(row, key).and_then(Cell::value));
            match series.last_mut().filter(|last| last.name == *task) {
                Some(last) => last.data.push(point),
                None => series.push(Series { name: task.clone(), data: vec![point], ..Series::default() }),
            }
        }
        // Of one point there is no line to be seen: a judge was asked after the last request alone.
        series.iter_mut().filter(|one| one.data.len() == 1).for_each(|one| one.mark = Mark::Point);
        Panel {
            title: title.to_owned(),
            x: Axis::linear("requests so far", Notation::Number).with([0.0]),
            y: Axis::linear("share of components", Notation::Percent).with([0.0, 1.0]),
            series,
            ..Panel::default()
        }
    };
    [("Stated: R = 4", "explicit"), ("Recoverable: R of at least 1", "recoverable")].map(panel).into()
}

pub(super) fn table_5(tasks: &[Disclosed]) -> Content {
    let counts = ["components", "versions", "requests"].map(|key| column(key, key, Unit::Count));
    let shares = [("rcr", "RCR"), ("esr", "ESR")].map(|(key, title)| column(key, title, Unit::Fraction));
    let row = |one: &Disclosed| {
        let counts = [one.components, one.versions, one.requests].map(Cell::count);
        let rates = one.rates.map_or([None; 2], |rates| rates.map(Some));
        let rates = rates.map(|rate| figure(rate, "not judged whole after the last request"));
        [Cell::text(&one.task)].into_iter().chain(counts).chain([Cell::text(one.by)]).chain(rates).collect()
    };
    let columns = [words("task")].into_iter().chain(counts).chain([words("by")]).chain(shares);
    (columns.collect(), tasks.iter().map(row).collect())
}
