//! The study SLUMP: its tables, and the figures that show their cells.
//!
//! Everything is made of the figures of repositories, judged or not, and of what tasks' requests disclose.

mod cells;
mod disclosure;
mod own_tests;

use std::collections::BTreeSet;

use slopbench_plot::{Axis, Datum, Figure, Mark, Notation, Panel, Series};
use slopbench_slump::{
    SlumpTask,
    judging::JudgedExposure,
    scores::{LossMeasure, RepositoryScores, aggregates, guard_effects, slump_losses},
};

use self::{
    cells::{Content, NOT_JUDGED, column, figure, words},
    disclosure::{Disclosed, figure_1, figure_1_rows, table_5},
    own_tests::{correlations, figure_3, figure_3_rows},
};
use crate::{Cell, Population, ResultTable, table::Unit};

/// What tables of SLUMP are made of.
#[derive(Clone, Debug)]
pub struct SlumpSet {
    tasks: Vec<Disclosed>,
    scores: Vec<RepositoryScores>,
    runs: usize,
    /// How far the judges can be trusted whose scores these are.
    standings: Vec<String>,
}

/// A table of SLUMP that can be asked for.
pub struct SlumpTableDefinition {
    /// What it is called.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it stands in the paper.
    pub source: &'static str,
    make: fn(&SlumpSet) -> Content,
    /// What has to be said beside it.
    notes: &'static [&'static str],
}

/// A figure of SLUMP that can be asked for.
pub struct SlumpFigureDefinition {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it stands in the paper.
    pub source: &'static str,
    /// What is to be seen, for who does not see it.
    description: &'static str,
    /// The table whose cells it shows.
    table: &'static str,
    draw: fn(&ResultTable) -> Vec<Panel>,
}

/// Every table, in the order of the paper.
pub static SLUMP_TABLES: &[SlumpTableDefinition] = &[
    SlumpTableDefinition {
        name: "slump-figure-1",
        title: "What requests disclose, request after request",
        source: "SLUMP, Figure 1",
        make: |set| figure_1_rows(&set.tasks),
        notes: OF_TASKS,
    },
    SlumpTableDefinition {
        name: "slump-figure-2",
        title: "Each task under both ways of disclosure",
        source: "SLUMP, Figure 2",
        make: figure_2_rows,
        notes: OF_SESSIONS,
    },
    SlumpTableDefinition {
        name: "slump-figure-3",
        title: "Each session's own tests and its IF50",
        source: "SLUMP, Figure 3",
        make: |set| figure_3_rows(&set.scores),
        notes: OF_TESTS,
    },
    SlumpTableDefinition {
        name: "slump-own-tests",
        title: "Whether agents' own tests tell what IF50 does",
        source: "SLUMP, section 4.2",
        make: |set| correlations(&set.scores),
        notes: OF_TESTS,
    },
    SlumpTableDefinition {
        name: "slump-table-3",
        title: "Faithfulness by condition",
        source: "SLUMP, Table 3",
        make: table_3,
        notes: OF_SESSIONS,
    },
    SlumpTableDefinition {
        name: "slump-losses",
        title: "What is lost, paired by task",
        source: "SLUMP, section 4.2",
        make: losses,
        notes: OF_SESSIONS,
    },
    SlumpTableDefinition {
        name: "slump-table-5",
        title: "Tasks",
        source: "SLUMP, Table 5",
        make: |set| table_5(&set.tasks),
        notes: OF_TASKS,
    },
    SlumpTableDefinition {
        name: "slump-table-6",
        title: "What a guard does, task by task",
        source: "SLUMP, Table 6",
        make: table_6,
        notes: OF_SESSIONS,
    },
];

/// Every figure whose values are there, in the order of the paper.
pub static SLUMP_FIGURES: &[SlumpFigureDefinition] = &[
    SlumpFigureDefinition {
        name: "slump-figure-1",
        title: "What requests disclose",
        source: "SLUMP, Figure 1",
        description: "Left, the share of each task's components that are stated (R = 4) after so many requests; right, of those that can be \
                      recovered (R of at least 1).",
        table: "slump-figure-1",
        draw: figure_1,
    },
    SlumpFigureDefinition {
        name: "slump-figure-2",
        title: "IF50 of each task",
        source: "SLUMP, Figure 2",
        description: "Implementation faithfulness of each task where the specification emerges, and where it is given at once.",
        table: "slump-figure-2",
        draw: figure_2,
    },
    SlumpFigureDefinition {
        name: "slump-figure-3",
        title: "Own tests and IF50",
        source: "SLUMP, Figure 3",
        description: "Each session's implementation faithfulness over the share of the agent's own tests that pass in the end, with a marker \
                      for each condition.",
        table: "slump-figure-3",
        draw: figure_3,
    },
];

const OF_TASKS: &[&str] = &[
    "R, from 0 to 4, is how much of a component the requests so far give away, as the task's author or a judge of these requests says.",
    SESSIONS,
];

const OF_SESSIONS: &[&str] = &[OF_SCORES, SESSIONS];

const OF_SCORES: &str =
    "MCF is from 0 to 4, DIR and IF50 from 0 to 1. Means are over tasks, of each the mean of its repeats.";

const OF_TESTS: &[&str] = &[
    OF_SCORES,
    "The pass rate is passed / (collected - skipped + uncollected): a file whose tests cannot be collected counts as one that fails. Without \
     tests, an environment or an end there is none. Intervals draw tasks whole; where a draw has no coefficient, there is none.",
    SESSIONS,
];

const SESSIONS: &str =
    "Problems are tasks; trajectories and checkpoints are sessions, which have scores at their end alone.";

impl SlumpSet {
    /// Of the figures of repositories in so many runs, and their tasks: what these disclose, a judge says where there is one's word, and
    /// else their author.
    ///
    /// # Errors
    ///
    /// [`slopbench_slump::Error`] if a judged exposure is of no task of these, or not of it as it is.
    pub fn new(
        tasks: &[SlumpTask],
        exposures: &[JudgedExposure],
        scores: Vec<RepositoryScores>,
        runs: usize,
    ) -> Result<Self, slopbench_slump::Error> {
        if let Some(other) = exposures.iter().find(|one| tasks.iter().all(|task| task.name != one.task)) {
            let message = format!("no run has the task {}, whose judged exposure is given; leave it out", other.task);
            return Err(slopbench_slump::Error::Design(message));
        }
        let disclosed = |task: &SlumpTask| match exposures.iter().find(|one| one.task == task.name) {
            Some(judged) => Disclosed::judged(task, judged),
            None => Ok(Disclosed::authored(task)),
        };
        let tasks = tasks.iter().map(disclosed).collect::<Result<_, _>>()?;
        Ok(Self { tasks, scores, runs, standings: Vec::new() })
    }

    /// The same with a word beside each table of scores on how far the judges can be trusted.
    pub fn with_standings(self, standings: Vec<String>) -> Self {
        Self { standings, ..self }
    }

    /// Its tables, in their order.
    pub fn tables(&self) -> Vec<ResultTable> {
        let table = |definition: &SlumpTableDefinition| {
            let (columns, rows) = (definition.make)(self);
            let (name, title) = (definition.name.to_owned(), definition.title.to_owned());
            let source = definition.source.to_owned();
            let standings = if definition.notes.contains(&OF_SCORES) { &self.standings[..] } else { &[] };
            let notes = definition.notes.iter().map(|note| (*note).to_owned()).chain(standings.iter().cloned());
            let notes = notes.collect();
            let population = self.population();
            ResultTable { name, title, source, synthetic: false, population, columns, rows, notes }
        };
        SLUMP_TABLES.iter().map(table).collect()
    }

    fn population(&self) -> Population {
        let conditions: BTreeSet<_> = self.scores.iter().map(|one| (&one.platform, &one.condition)).collect();
        Population {
            runs: self.runs,
            configurations: conditions.len(),
            problems: self.tasks.len(),
            trajectories: self.scores.len(),
            planned: self.scores.len(),
            graded: self.scores.iter().filter(|one| one.mcf().is_some()).count(),
            produced: self.scores.len(),
            ..Population::default()
        }
    }
}

/// The figures that these tables have values for.
pub fn slump_figures(tables: &[ResultTable]) -> Vec<Figure> {
    let figure = |definition: &SlumpFigureDefinition| {
        let table = tables.iter().find(|table| table.name == definition.table)?;
        let panels = (definition.draw)(table);
        let has_values =
            panels.iter().flat_map(|panel| &panel.series).flat_map(|one| &one.data).any(|one| one.y.is_some());
        has_values.then(|| Figure {
            name: definition.name.to_owned(),
            title: definition.title.to_owned(),
            subtitle: format!("{} tasks, {} sessions", table.population.problems, table.population.trajectories),
            description: definition.description.to_owned(),
            synthetic: table.synthetic,
            panels,
            notes: table.notes.clone(),
            ..Figure::default()
        })
    };
    SLUMP_FIGURES.iter().filter_map(figure).collect()
}

/// The measures in columns, under both conditions.
fn figure_2_rows(set: &SlumpSet) -> Content {
    let columns = vec![
        words("platform"),
        words("measure"),
        words("task"),
        column("emergent", "emergent", Unit::Fraction),
        column("single_shot", "single shot", Unit::Fraction),
    ];
    let rows = slump_losses(&set.scores).into_iter().flat_map(|loss| {
        let names = [Cell::text(&loss.platform), Cell::text(measure_name(loss.measure))];
        loss.pairs.into_iter().map(move |pair| {
            let values = [Cell::text(pair.task), Cell::Number(pair.emergent), Cell::Number(pair.single_shot)];
            names.iter().cloned().chain(values).collect()
        })
    });
    (columns, rows.collect())
}

/// A panel for each platform, down whose side tasks are named.
fn figure_2(table: &ResultTable) -> Vec<Panel> {
    let text = |row: usize, key: &str| match table.cell(row, key) {
        Some(Cell::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let is_shown = |row: &usize| text(*row, "measure") == measure_name(LossMeasure::If50);
    let rows: Vec<_> = (0..table.rows.len()).filter(is_shown).collect();
    let platforms: BTreeSet<_> = rows.iter().map(|row| text(*row, "platform")).collect();
    let panel = |platform: String| {
        let rows: Vec<_> = rows.iter().copied().filter(|row| text(*row, "platform") == platform).collect();
        let series = [("emergent", "emergent"), ("single shot", "single_shot")].map(|(name, key)| {
            let point = |(at, row): (usize, &usize)| Datum::at(at as f64, table.cell(*row, key).and_then(Cell::value));
            let data = rows.iter().enumerate().map(point).collect();
            Series { name: name.to_owned(), mark: Mark::Point, data, ..Series::default() }
        });
        Panel {
            x: Axis::ordinal("", rows.iter().map(|row| (text(*row, "task"), String::new()))),
            y: Axis::linear("IF50", Notation::Number).with([0.0, 1.0]),
            title: platform,
            flipped: true,
            series: series.into(),
            ..Panel::default()
        }
    };
    platforms.into_iter().map(panel).collect()
}

fn table_3(set: &SlumpSet) -> Content {
    let counts = ["faithful", "severe", "not judged"].map(|title| (title.replace(' ', "_"), title));
    let columns = [words("platform"), words("condition"), column("tasks", "tasks", Unit::Count)]
        .into_iter()
        .chain(
            [("mcf", "MCF"), ("dir", "DIR"), ("if50", "IF50")].map(|(key, title)| column(key, title, Unit::Fraction)),
        )
        .chain(counts.map(|(key, title)| column(&key, title, Unit::Count)));
    let rows = aggregates(&set.scores).into_iter().map(|row| {
        let names = [Cell::text(row.platform), Cell::text(row.condition), Cell::count(row.tasks)];
        let figures = [row.mcf, row.dir, row.if50].map(|value| figure(value, NOT_JUDGED));
        let counts = [row.faithful, row.severe, row.not_judged].map(|count| match row.mcf {
            Some(_) => Cell::Count(count),
            None => Cell::absent(NOT_JUDGED),
        });
        names.into_iter().chain(figures).chain(counts).collect()
    });
    (columns.collect(), rows.collect())
}

fn losses(set: &SlumpSet) -> Content {
    let columns = vec![
        words("platform"),
        words("measure"),
        column("tasks", "tasks", Unit::Count),
        column("loss", "single shot - emergent", Unit::Signed),
        column("wins", "wins", Unit::Count),
        column("ties", "ties", Unit::Count),
        column("losses", "losses", Unit::Count),
        column("p", "Wilcoxon p", Unit::Probability),
    ];
    let rows = slump_losses(&set.scores).into_iter().filter(|loss| !loss.pairs.is_empty()).map(|loss| {
        let counts = [loss.wins, loss.ties, loss.losses].map(Cell::count);
        let names = [Cell::text(loss.platform), Cell::text(measure_name(loss.measure)), Cell::count(loss.pairs.len())];
        let mean = figure(loss.mean_loss, "no pair");
        names.into_iter().chain([mean]).chain(counts).chain([figure(loss.p, "no pair")]).collect()
    });
    (columns, rows.collect())
}

fn table_6(set: &SlumpSet) -> Content {
    let columns = vec![
        words("platform"),
        words("task"),
        column("mcf_recovery", "MCF recovery", Unit::Change),
        column("if50_recovery", "IF50 recovery", Unit::Change),
        column("dir_change", "DIR change", Unit::Change),
        column("state_kb", "state KB", Unit::Count),
        column("compactions", "compactions", Unit::Signed),
    ];
    let rows = guard_effects(&set.scores).into_iter().map(|effect| {
        vec![
            Cell::text(effect.platform),
            Cell::text(effect.task),
            figure(effect.mcf_recovery, "no gap, or not judged"),
            figure(effect.if50_recovery, "no gap, or not judged"),
            figure(effect.dir_change, "no DIR before"),
            figure(effect.state_kb, "not kept"),
            figure(effect.compaction_change, "the agent does not tell"),
        ]
    });
    (columns, rows.collect())
}

fn measure_name(measure: LossMeasure) -> &'static str {
    match measure {
        LossMeasure::Mcf => "MCF",
        LossMeasure::Dir => "DIR",
        LossMeasure::If50 => "IF50",
    }
}
