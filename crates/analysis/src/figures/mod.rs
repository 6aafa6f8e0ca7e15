//! Every figure: what it is called, where it stands in the paper, and how tables become it.
//!
//! A figure computes nothing: its values are cells of tables, so that there is one way to compute a number.

mod human;
mod overview;
mod parts;
mod phases;
mod prompts;
mod sensitivity;
mod variation;

use rayon::prelude::*;
use slopbench_plot::{Figure, Panel};

use crate::{
    Error, ResultTable, RunSet,
    tables::{self, TableDefinition},
};

/// A figure that can be asked for.
pub struct FigureDefinition {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it stands in the paper, or how its values are defined.
    pub source: &'static str,
    /// What is to be seen, for who does not see it.
    description: &'static str,
    /// The tables whose cells it shows; their first one's population and notes are the figure's.
    tables: &'static [&'static str],
    /// What is drawn, once or several times.
    draw: fn(&[&ResultTable]) -> Vec<Drawing>,
}

/// A figure without what its definition says.
#[derive(Default)]
struct Drawing {
    /// What tells it from the others of its definition; may be empty.
    of: String,
    panels: Vec<Panel>,
    /// What thin lines are.
    context: String,
    notes: Vec<String>,
}

macro_rules! definitions {
    ($($name:literal, $title:literal, $source:literal, $description:literal, [$($table:literal),*], $draw:expr;)*) => {
        &[$(FigureDefinition {
            name: $name, title: $title, source: $source, description: $description, tables: &[$($table),*], draw: $draw,
        }),*]
    };
}

/// Every figure, in the order of the paper.
pub static FIGURES: &[FigureDefinition] = definitions![
    "overview", "Solve rates, cost and quality", "paper, Table 1",
        "Each configuration's solve rates with 95% intervals, and its cost, erosion and verbosity with standard deviations.",
        ["table-1"], overview::overview;
    "figure-2", "Solve rates and cost over progress", "paper, Figure 2",
        "Left, the shares of checkpoints that are solved at each phase of progress; right, what a checkpoint costs.",
        ["figure-2"], phases::figure_2;
    "figure-3", "Erosion, verbosity and complexity over progress", "paper, Figure 3",
        "What the code is like at each phase of progress: erosion, verbosity, callables with CC above 10, and the largest CC.",
        ["figure-3"], phases::figure_3;
    "figure-4", "Agents over progress beside the human panel", "paper, Figure 4",
        "Agents' verbosity and erosion at each phase of progress, beside what repositories that people maintain have.",
        ["figure-4", "table-2"], human::figure_4;
    "figure-5", "Prompt strategies over progress", "paper, Figure 5",
        "Each prompt's verbosity, erosion, pass rates and cost at each phase of progress; m is the slope a phase.",
        ["figure-5"], prompts::figure_5;
    "figure-6", "Pass rates by type of test over progress", "paper, Figure 6",
        "The share of cases that pass at each phase of progress, by the type of case.",
        ["figure-6"], phases::figure_6;
    "sensitivity", "Sensitivity of erosion", "paper, Table 6",
        "How erosion in nine variants, and what is simpler, goes with the next checkpoint's pass rate and cost.",
        ["table-6"], sensitivity::sensitivity;
    "variation", "Coefficient of variation over repeats", "the authors' blog, version 0.1",
        "How far repeats of one configuration lie apart at the first, the middle and the final checkpoints.",
        ["variation"], variation::variation;
];

impl FigureDefinition {
    /// The figure as these tables have it, which its own are among; several where it is of one thing after the other.
    fn of(&self, tables: &[&ResultTable]) -> Vec<Figure> {
        let Some(first) = tables.first() else { return Vec::new() };
        let population = &first.population;
        let subtitle = format!(
            "{} configurations, {} problems, {} trajectories, {} checkpoints with a workspace",
            population.configurations, population.problems, population.trajectories, population.produced
        );
        let drawings = (self.draw)(tables);
        let alone = drawings.len() == 1;
        let figure = |(number, drawing): (usize, Drawing)| Figure {
            name: if alone { self.name.to_owned() } else { format!("{}-{}", self.name, number + 1) },
            title: match drawing.of.is_empty() {
                true => self.title.to_owned(),
                false => format!("{}: {}", self.title, drawing.of),
            },
            subtitle: subtitle.clone(),
            description: self.description.to_owned(),
            synthetic: tables.iter().any(|table| table.synthetic),
            panels: drawing.panels,
            context: drawing.context,
            notes: [drawing.notes, first.notes.clone()].concat(),
            ..Figure::default()
        };
        drawings.into_iter().enumerate().map(figure).collect()
    }
}

/// These figures of these runs. Tables that are made already are taken from `known`.
///
/// # Errors
///
/// As [`TableDefinition::of`].
pub fn build(set: &RunSet, definitions: &[&FigureDefinition], known: &[ResultTable]) -> Result<Vec<Figure>, Error> {
    let is_known = |name: &str| known.iter().any(|table| table.name == name);
    let mut needed: Vec<&TableDefinition> = Vec::new();
    for name in definitions.iter().flat_map(|definition| definition.tables).filter(|name| !is_known(name)) {
        let is_new = needed.iter().all(|table| table.name != *name);
        needed.extend(tables::find(name).filter(|_| is_new));
    }
    let made = tables::build(set, &needed)?;
    let named = |name: &&str| known.iter().chain(&made).find(|table| table.name == *name);
    let figures = definitions.par_iter().map(|definition| {
        let tables: Vec<_> = definition.tables.iter().filter_map(named).collect();
        definition.of(&tables)
    });
    Ok(figures.collect::<Vec<_>>().concat())
}

/// The figure with this name.
pub fn find(name: &str) -> Option<&'static FigureDefinition> {
    FIGURES.iter().find(|definition| definition.name == name)
}
