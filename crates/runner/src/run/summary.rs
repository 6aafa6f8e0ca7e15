//! `summary.json`: every figure of a run that later analyses need, a pure function of its steps. No clock, host, path or
//! reason is in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_agents::turn::Usage;
use slopbench_digest::{Sha256, TreeId};
use slopbench_metrics::grading::Grading;
use slopbench_stats::{agreement::mean, trend::slope};
use slopbench_tests::{Counts, Solve, Tally};

use super::{
    QUALITY, VERDICTS,
    folder::{Part, RunFolder, read_json},
    footprint::Footprint,
    plan::Trajectory,
    record::Record,
};
use crate::{
    Error,
    results::{ProblemId, Quality, Tool},
};

/// A run's results.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    format: &'static str,
    tool: Tool,
    /// The digest of `plan.json`.
    pub plan: Sha256,
    /// Whether all checkpoints were given at once and only the last is graded.
    pub one_shot: bool,
    /// Whether every step is done.
    pub complete: bool,
    /// Means and rates, a worker, model and prompt each.
    pub groups: Vec<Group>,
    /// In the plan's order.
    pub trajectories: Vec<TrajectoryRow>,
}

/// One trajectory.
#[derive(Clone, Debug, Serialize)]
pub struct TrajectoryRow {
    /// As planned.
    pub id: String,
    /// What was to be solved, as graded; absent where nothing is yet.
    pub problem: Option<ProblemId>,
    /// Who solved it.
    pub worker: String,
    /// The model behind it.
    pub model: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// From 1.
    pub repeat: u32,
    /// In order.
    pub checkpoints: Vec<CheckpointRow>,
    /// The slope of erosion, a checkpoint, over those that have a workspace.
    pub erosion_slope: Option<f64>,
    /// The same of verbosity.
    pub verbosity_slope: Option<f64>,
}

/// One checkpoint of a trajectory.
#[derive(Clone, Debug, Serialize)]
pub struct CheckpointRow {
    /// From 1.
    pub checkpoint: u32,
    /// How its session ended, see [`super::Outcome::word`]; or `not-reached`, or `pending`. `unanswered` is pending, too.
    pub state: &'static str,
    /// What the session left; absent where that is nothing.
    pub snapshot: Option<TreeId>,
    /// Cases passed; absent where it is not graded yet.
    pub counts: Option<Counts>,
    /// How far it is solved.
    pub solve: Option<Solve>,
    /// Which share of its cases passes.
    pub rates: Option<Rates>,
    /// Absent where there is no workspace, and where too much of it could run and is not measured.
    pub quality: Option<Quality>,
    /// The share of its lines that could run and are not measured, from 0 to 1; absent where there is no workspace.
    pub unmeasured: Option<f64>,
    /// Tokens of the session; absent where the agent tells of none.
    pub usage: Option<Usage>,
    /// Their cost by our price table, in US dollars.
    pub cost_usd: Option<f64>,
    /// Their cost as the agent says.
    pub told_cost_usd: Option<f64>,
    /// What the session took besides.
    pub footprint: Option<Footprint>,
}

/// Shares of cases that pass, from 0 to 1 (paper, section 2.3 and Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Of all cases, regression cases among them.
    pub strict: f64,
    /// Of the checkpoint's own cases.
    pub isolated: f64,
    /// Of its core cases.
    pub core: f64,
}

/// Every trajectory of one worker with one model and one prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Who.
    pub worker: String,
    /// The model behind it.
    pub model: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// How many.
    pub trajectories: usize,
    /// Checkpoints graded.
    pub checkpoints: usize,
    /// The share of checkpoints that are strictly solved; the next two alike.
    pub strict: Option<f64>,
    /// Solved in isolation.
    pub isolated: Option<f64>,
    /// Solved by their core cases.
    pub core: Option<f64>,
    /// The share of trajectories with a checkpoint that is strictly solved.
    pub partial: Option<f64>,
    /// The mean over checkpoints with a workspace; the next alike.
    pub erosion: Option<f64>,
    /// Mean verbosity.
    pub verbosity: Option<f64>,
    /// The mean over trajectories with at least two workspaces; the next three alike.
    pub erosion_slope: Option<f64>,
    /// Mean slope of verbosity.
    pub verbosity_slope: Option<f64>,
    /// The share of trajectories in which erosion rises.
    pub erosion_rises: Option<f64>,
    /// The share of trajectories in which verbosity rises.
    pub verbosity_rises: Option<f64>,
    /// The mean over sessions whose cost is known.
    pub cost_usd: Option<f64>,
    /// The mean over sessions, input and output together.
    pub tokens: Option<f64>,
}

/// What of a graded checkpoint's `verdicts.json` is summed up.
#[derive(Deserialize)]
struct Verdicts {
    problem: ProblemId,
    counts: Counts,
    solve: Solve,
}

impl RunSummary {
    /// Reads every step that is there.
    pub fn read(folder: &RunFolder) -> Result<Self, Error> {
        let read = |trajectory: &Trajectory| TrajectoryRow::read(folder, trajectory);
        let trajectories = folder.plan.trajectories.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let complete = trajectories.iter().flat_map(|row| &row.checkpoints).all(|row| row.counts.is_some());
        let mut grouped: BTreeMap<_, Vec<&TrajectoryRow>> = BTreeMap::new();
        for row in &trajectories {
            grouped.entry((&row.worker, &row.model, &row.prompt)).or_default().push(row);
        }
        let groups = grouped.into_values().map(|rows| Group::of(&rows)).collect();
        let (format, tool, plan, one_shot) = ("slopbench.run/2", Tool::THIS, folder.digest(), folder.plan.one_shot);
        Ok(Self { format, tool, plan, one_shot, complete, groups, trajectories })
    }
}

impl TrajectoryRow {
    fn read(folder: &RunFolder, trajectory: &Trajectory) -> Result<Self, Error> {
        let (mut problem, mut checkpoints, mut ended) = (None, Vec::new(), false);
        for checkpoint in folder.plan.stops(&trajectory.problem) {
            let record = folder.record(&trajectory.id, checkpoint)?;
            let graded = folder.step(&trajectory.id, checkpoint, Part::Grade)?;
            let verdicts: Option<Verdicts> = graded.as_ref().map(|path| read_json(&path.join(VERDICTS))).transpose()?;
            let quality = graded.map(|path| path.join(QUALITY)).filter(|path| path.is_file());
            let quality = quality.map(|path| read_json::<Grading>(&path)).transpose()?;
            let state = match &record {
                Some(record) => record.outcome.word(),
                None if ended => "not-reached",
                None if folder.attempts(&trajectory.id, checkpoint)?.is_empty() => "pending",
                None => "unanswered",
            };
            checkpoints.push(CheckpointRow {
                checkpoint,
                state,
                snapshot: record.as_ref().and_then(|record| record.workspace),
                counts: verdicts.as_ref().map(|verdicts| verdicts.counts),
                solve: verdicts.as_ref().map(|verdicts| verdicts.solve),
                rates: verdicts.as_ref().map(|verdicts| Rates::of(&verdicts.counts)),
                quality: quality.as_ref().and_then(Quality::of),
                unmeasured: quality.as_ref().map(|grading| grading.unmeasured.share),
                usage: record.as_ref().filter(|record| !record.usage.is_empty()).map(Record::total),
                cost_usd: record.as_ref().and_then(|record| record.cost_usd),
                told_cost_usd: record.as_ref().and_then(|record| record.told_cost_usd),
                footprint: record.as_ref().map(|record| record.footprint.clone()),
            });
            ended |= record.is_some_and(|record| !record.outcome.goes_on());
            problem = verdicts.map(|verdicts| verdicts.problem).or(problem);
        }
        Ok(Self {
            id: trajectory.id.clone(),
            problem,
            worker: trajectory.worker.label(),
            model: trajectory.worker.model().map(str::to_owned),
            prompt: trajectory.prompt.clone(),
            repeat: trajectory.repeat,
            erosion_slope: trend(&checkpoints, |quality| quality.erosion),
            verbosity_slope: trend(&checkpoints, |quality| quality.verbosity),
            checkpoints,
        })
    }
}

fn trend(checkpoints: &[CheckpointRow], figure: fn(&Quality) -> f64) -> Option<f64> {
    let points = checkpoints.iter().filter_map(|row| Some((f64::from(row.checkpoint), figure(row.quality.as_ref()?))));
    let (x, y): (Vec<_>, Vec<_>) = points.unzip();
    slope(&x, &y)
}

impl Rates {
    fn of(counts: &Counts) -> Self {
        let own = [counts.core, counts.functionality, counts.error];
        Self { strict: rate(&[counts.all()]), isolated: rate(&own), core: rate(&[counts.core]) }
    }
}

/// A checkpoint has a core case, so the total is never 0.
fn rate(tallies: &[Tally]) -> f64 {
    let passed: usize = tallies.iter().map(|tally| tally.passed).sum();
    let total: usize = tallies.iter().map(|tally| tally.total).sum();
    passed as f64 / total.max(1) as f64
}

impl Group {
    fn of(rows: &[&TrajectoryRow]) -> Self {
        let checkpoints = || rows.iter().flat_map(|row| &row.checkpoints);
        let solves: Vec<_> = checkpoints().filter_map(|row| row.solve).collect();
        let share = |is: fn(&Solve) -> bool| mean_of(solves.iter().map(|solve| f64::from(u8::from(is(solve)))));
        let strict =
            |row: &&TrajectoryRow| row.checkpoints.iter().any(|row| row.solve.is_some_and(|solve| solve.strict));
        let graded = rows.iter().filter(|row| row.problem.is_some());
        let quality =
            |figure: fn(&Quality) -> f64| mean_of(checkpoints().filter_map(|row| Some(figure(row.quality.as_ref()?))));
        let slopes = |figure: fn(&TrajectoryRow) -> Option<f64>| rows.iter().filter_map(move |row| figure(row));
        let rising = |figure| mean_of(slopes(figure).map(|slope| f64::from(u8::from(slope > 0.0))));
        let tokens = checkpoints().filter_map(|row| row.usage).map(|usage| (usage.input + usage.output) as f64);
        Self {
            worker: rows[0].worker.clone(),
            model: rows[0].model.clone(),
            prompt: rows[0].prompt.clone(),
            trajectories: rows.len(),
            checkpoints: solves.len(),
            strict: share(|solve| solve.strict),
            isolated: share(|solve| solve.isolated),
            core: share(|solve| solve.core),
            partial: mean_of(graded.map(|row| f64::from(u8::from(strict(row))))),
            erosion: quality(|quality| quality.erosion),
            verbosity: quality(|quality| quality.verbosity),
            erosion_slope: mean_of(slopes(|row| row.erosion_slope)),
            verbosity_slope: mean_of(slopes(|row| row.verbosity_slope)),
            erosion_rises: rising(|row| row.erosion_slope),
            verbosity_rises: rising(|row| row.verbosity_slope),
            cost_usd: mean_of(checkpoints().filter_map(|row| row.cost_usd)),
            tokens: mean_of(tokens),
        }
    }
}

fn mean_of(values: impl Iterator<Item = f64>) -> Option<f64> {
    mean(&values.collect::<Vec<_>>())
}
