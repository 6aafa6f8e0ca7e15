//! Erosion and verbosity of reference solutions and of hasty ones, checkpoint after checkpoint.

use slopbench_audit::report::{GrownSolution, GrowthFigures};
use slopbench_plot::{Axis, AxisTick, Datum, Figure, Notation, Panel, Series};

/// A measure: its name, and where it stands.
type Measure = (&'static str, fn(&GrowthFigures) -> f64);

const MEASURES: [Measure; 2] = [("structural erosion", |row| row.erosion), ("verbosity", |row| row.verbosity)];

const SOLUTIONS: [(&str, GrownSolution); 2] =
    [("hasty", GrownSolution::Hasty), ("reference", GrownSolution::Reference)];

/// The paper's two measures over the checkpoints of problems: for each, a panel of each measure.
pub fn growth_figure(problems: &[(String, Vec<GrowthFigures>)]) -> Figure {
    let panels = problems.iter().flat_map(|(name, rows)| MEASURES.map(|measure| panel(name, rows, measure)));
    Figure {
        name: "hasty".to_owned(),
        title: "Two ways to pass every case".to_owned(),
        subtitle: "Reference solutions, and solutions written in haste, over the checkpoints of a problem".to_owned(),
        description: "Structural erosion and verbosity of two solutions of each problem.".to_owned(),
        panels: panels.collect(),
        ..Figure::default()
    }
}

fn panel(name: &str, rows: &[GrowthFigures], (what, value): Measure) -> Panel {
    let last = rows.iter().map(|row| row.checkpoint).max().unwrap_or_default();
    let tick = |number: u32| AxisTick { at: f64::from(number), label: number.to_string(), detail: String::new() };
    let series = |(name, solution): (&str, GrownSolution)| {
        let own = rows.iter().filter(|row| row.solution == solution);
        let datum = |row: &GrowthFigures| {
            let value = value(row);
            let label = if row.checkpoint == last { format!("{name} {value:.3}") } else { String::new() };
            let name = format!("checkpoint {}", row.checkpoint);
            Datum { name, label, ..Datum::at(f64::from(row.checkpoint), Some(value)) }
        };
        Series { name: name.to_owned(), data: own.map(datum).collect(), ..Series::default() }
    };
    Panel {
        title: format!("{name}: {what}"),
        x: Axis { ticks: (1..=last).map(tick).collect(), ..Axis::linear("checkpoint", Notation::Number) },
        y: Axis::linear("fraction", Notation::Number).with([0.0, 0.8]),
        series: SOLUTIONS.map(series).into(),
        ..Panel::default()
    }
}
