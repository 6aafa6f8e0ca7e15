//! What the page knows: one value, `slopbench.page/1`, which the script reads.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use slopbench_analysis::{
    Population, RunOrigin, TidyRow,
    configuration::AgentSetup,
    measure::{Better, MEASURES},
    row::Standing,
    table::Unit,
    tables::{self, TableDefinition},
};
use slopbench_slopcode::results::ToolVersion;

use crate::{
    Error,
    brief::Brief,
    cells::PageTable,
    checkpoint::TrajectoryDetail,
    comparisons::PageComparison,
    limits::{DetailLimits, MOST_DETAIL_BYTES},
    study::{PageStudy, Placed, Specification},
};

/// What a page is to hold.
#[derive(Default)]
pub struct PageSettings<'a> {
    /// Tables to show beside the overview's, in order.
    pub tables: &'a [&'static TableDefinition],
    /// Figures to show.
    pub figures: Vec<PageFigure>,
    /// What was asked, as far as it is at hand.
    pub specifications: &'a [Specification],
    /// Whether sources, diffs and whole steps go in.
    pub sources: bool,
    /// Whether a server is there to be asked for single trajectories, and tells of changes.
    pub live: bool,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct PageFigure {
    /// What it is called, as a file.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The figure as SVG.
    pub svg: String,
    /// Its data as CSV, a row per point.
    pub csv: String,
}

/// Everything that the page knows.
#[derive(Debug, Serialize)]
pub struct PageDocument {
    format: &'static str,
    tool: ToolVersion,
    synthetic: bool,
    live: bool,
    population: Population,
    runs: Vec<RunOrigin>,
    configurations: Vec<PageConfiguration>,
    problems: Vec<String>,
    /// What each number of a checkpoint is, after its number, state and outcome.
    measures: Vec<PageMeasure>,
    states: Vec<String>,
    outcomes: &'static [&'static str],
    trajectories: Vec<PageTrajectory>,
    tables: Vec<PageTable>,
    comparisons: Vec<PageComparison>,
    figures: Vec<PageFigure>,
    /// By problem and track, a text per checkpoint.
    specifications: BTreeMap<String, Vec<String>>,
    sources: bool,
    /// A value per trajectory; absent where they are asked for one by one, or would be too large.
    details: Option<Vec<Box<RawValue>>>,
}

#[derive(Debug, Serialize)]
struct PageConfiguration {
    label: String,
    setup: AgentSetup,
    population: Population,
}

#[derive(Debug, Serialize)]
struct PageMeasure {
    key: &'static str,
    title: &'static str,
    unit: Unit,
    /// 1 where more is better, -1 where less is, 0 where neither.
    better: i8,
}

#[derive(Debug, Serialize)]
struct PageTrajectory {
    run: usize,
    id: String,
    configuration: usize,
    problem: usize,
    repeat: u32,
    /// Number, place among the states, place among the outcomes, cases passed and all, whether figures are withheld, and the measures.
    checkpoints: Vec<Vec<Option<Brief>>>,
}

/// What became of a checkpoint, the best first.
const OUTCOMES: &[&str] = &["strict", "isolated", "core", "failed", "not reached", "pending", "infrastructure"];

impl PageDocument {
    /// What is known of these runs.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if a checkpoint is not as it was kept; other errors are bugs.
    pub fn of(study: &PageStudy, settings: &PageSettings<'_>) -> Result<Self, Error> {
        let setups = study.configurations();
        let needed = ["runs", "table-1"].into_iter().filter_map(tables::find);
        let mut definitions: Vec<&TableDefinition> = needed.collect();
        definitions.extend(settings.tables.iter().filter(|one| !["runs", "table-1"].contains(&one.name)));
        let tables = tables::build(&study.set, &definitions)?;
        let listing = Listing::of(study, &setups);
        Ok(Self {
            format: "slopbench.page/1",
            tool: ToolVersion::this(),
            synthetic: study.set.is_synthetic(),
            live: settings.live,
            population: Population::of(&study.set.rows),
            runs: study.set.runs.clone(),
            comparisons: PageComparison::all(&study.set, &setups)?,
            configurations: setups.iter().map(|one| PageConfiguration::of(study, one)).collect(),
            problems: listing.problems,
            measures: MEASURES.iter().map(|one| PageMeasure::of(one)).collect(),
            states: listing.states,
            outcomes: OUTCOMES,
            trajectories: listing.trajectories,
            tables: tables.iter().map(PageTable::of).collect::<Result<_, _>>()?,
            figures: settings.figures.clone(),
            specifications: specifications(study, settings.specifications),
            sources: settings.sources,
            details: if settings.live { None } else { details(study, &DetailLimits::of(settings.sources))? },
        })
    }

    pub(crate) fn figures(&self) -> &[PageFigure] {
        &self.figures
    }

    pub(crate) fn is_live(&self) -> bool {
        self.live
    }

    /// What is known of one trajectory, by its place; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if a checkpoint is not as it was kept.
    pub fn detail(study: &PageStudy, place: usize, sources: bool) -> Result<Option<TrajectoryDetail>, Error> {
        let placed = study.trajectories().nth(place);
        placed.map(|placed| TrajectoryDetail::of(study, &placed, &DetailLimits::of(sources))).transpose()
    }
}

/// Texts of problems that are just those that were planned.
fn specifications(study: &PageStudy, at_hand: &[Specification]) -> BTreeMap<String, Vec<String>> {
    let planned = study.problems();
    let is_asked = |one: &&Specification| planned.get(&one.problem).is_some_and(|all| all.contains(&&one.planned));
    at_hand.iter().filter(is_asked).map(|one| (format!("{} {}", one.problem, one.track), one.texts.clone())).collect()
}

/// Every trajectory's detail as JSON, unless all of them together are too large.
fn details(study: &PageStudy, limits: &DetailLimits) -> Result<Option<Vec<Box<RawValue>>>, Error> {
    let placed: Vec<Placed<'_>> = study.trajectories().collect();
    let (mut details, mut bytes) = (Vec::new(), 0);
    for some in placed.chunks(64) {
        let written = some.par_iter().map(|one| -> Result<Box<RawValue>, Error> {
            Ok(serde_json::value::to_raw_value(&TrajectoryDetail::of(study, one, limits)?)?)
        });
        details.extend(written.collect::<Result<Vec<_>, Error>>()?);
        bytes = details[details.len() - some.len()..].iter().fold(bytes, |sum, one| sum + one.get().len());
        if bytes > MOST_DETAIL_BYTES {
            return Ok(None);
        }
    }
    Ok(Some(details))
}

/// Trajectories with their checkpoints, and the words that they name by place.
struct Listing {
    problems: Vec<String>,
    states: Vec<String>,
    trajectories: Vec<PageTrajectory>,
}

impl Listing {
    fn of(study: &PageStudy, setups: &[(&AgentSetup, String)]) -> Self {
        let mut listing = Self { problems: Vec::new(), states: Vec::new(), trajectories: Vec::new() };
        listing.problems = study.problems().into_keys().cloned().collect();
        let runs: BTreeMap<&str, usize> =
            study.set.runs.iter().enumerate().map(|(place, run)| (run.name.as_str(), place)).collect();
        let setups: BTreeMap<&AgentSetup, usize> =
            setups.iter().enumerate().map(|(place, (setup, _))| (*setup, place)).collect();
        for row in &study.set.rows {
            let run = runs.get(row.run.as_str()).copied().unwrap_or_default();
            if listing.trajectories.last().is_none_or(|last| last.run != run || last.id != row.trajectory) {
                listing.trajectories.push(PageTrajectory {
                    run,
                    id: row.trajectory.clone(),
                    configuration: setups.get(&row.configuration).copied().unwrap_or_default(),
                    problem: listing.problems.binary_search(&row.problem).unwrap_or_default(),
                    repeat: row.repeat,
                    checkpoints: Vec::new(),
                });
            }
            let numbers = listing.numbers(row);
            if let Some(last) = listing.trajectories.last_mut() {
                last.checkpoints.push(numbers);
            }
        }
        listing
    }

    fn numbers(&mut self, row: &TidyRow) -> Vec<Option<Brief>> {
        let known = self.states.iter().position(|state| *state == row.state);
        let state = known.unwrap_or_else(|| {
            self.states.push(row.state.clone());
            self.states.len() - 1
        });
        let outcome = OUTCOMES.iter().position(|word| *word == outcome(row)).unwrap_or_default();
        let cases = row.counts.map(|counts| counts.all());
        let head = [
            Some(f64::from(row.checkpoint)),
            Some(state as f64),
            Some(outcome as f64),
            cases.map(|cases| cases.passed as f64),
            cases.map(|cases| cases.total as f64),
            Some(f64::from(u8::from(row.withheld.is_some()))),
        ];
        let measures = MEASURES.iter().map(|measure| measure.value(row));
        head.into_iter().chain(measures).map(|value| value.map(Brief)).collect()
    }
}

fn outcome(row: &TidyRow) -> &'static str {
    match (row.standing, row.solve) {
        (Standing::Infrastructure, _) => "infrastructure",
        (Standing::Pending, _) => "pending",
        (Standing::Graded, Some(solve)) if solve.strict => "strict",
        (Standing::Graded, Some(solve)) if solve.isolated => "isolated",
        (Standing::Graded, Some(solve)) if solve.core => "core",
        (Standing::Graded, _) if row.state == "not-reached" => "not reached",
        (Standing::Graded, _) => "failed",
    }
}

impl PageConfiguration {
    fn of(study: &PageStudy, (setup, label): &(&AgentSetup, String)) -> Self {
        let population = Population::of(study.set.rows.iter().filter(|row| row.configuration == **setup));
        Self { label: label.clone(), setup: (*setup).clone(), population }
    }
}

impl PageMeasure {
    fn of(measure: &slopbench_analysis::measure::Measure) -> Self {
        let better = match measure.better {
            Better::Higher => 1,
            Better::Lower => -1,
            Better::Neither => 0,
        };
        Self { key: measure.key, title: measure.title, unit: measure.unit, better }
    }
}
