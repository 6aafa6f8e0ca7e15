//! `summary.json`: every figure of a run that later analyses need, a pure function of its steps. No clock, host, path or
//! reason is in it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use slopbench_agents::stage::{Footprint, StageRecord};
use slopbench_digest::{Sha256, TreeId};
use slopbench_environments::EnvironmentIdentity;
use slopbench_gateway::turn::TokenUsage;
use slopbench_metrics::grading::Grading;
use slopbench_runner::{Instrument, InstrumentDifference, read_json};
use slopbench_stats::line;
use slopbench_tests::{Solve, Tally, Track, VerdictCounts};

use super::{
    checkpoint::{CheckpointStage, record, stage},
    design::Trajectory,
    grading_usage::GradingUsage,
    group::DesignGroup,
    plan::{QUALITY, RunFolder, USAGE, VERDICTS},
};
use crate::{
    Error,
    results::{ProblemId, Quality, ToolVersion, Verdicts},
};

/// A run's results.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSummary {
    /// `slopbench.run/4`.
    pub format: String,
    /// What wrote it.
    pub tool: ToolVersion,
    /// The digest of `plan.json`.
    pub plan: Sha256,
    /// In which language solutions are written.
    pub track: Track,
    /// Whether all checkpoints were given at once and only the last is graded.
    pub one_shot: bool,
    /// Whether every step is done.
    pub complete: bool,
    /// What results were planned to be made with.
    pub instrument: Instrument,
    /// In what the instruments of some steps differ from that.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub accepted_differences: BTreeSet<InstrumentDifference>,
    /// Means and rates, a worker, model and prompt each.
    pub groups: Vec<DesignGroup>,
    /// In the plan's order.
    pub trajectories: Vec<TrajectoryRow>,
}

/// One trajectory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// By how much erosion at the last checkpoint with a workspace is above that at the first (paper, section 4.1).
    pub erosion_rise: Option<f64>,
    /// The same of verbosity.
    pub verbosity_rise: Option<f64>,
}

/// One checkpoint of a trajectory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointRow {
    /// From 1.
    pub checkpoint: u32,
    /// How its session ended, see [`slopbench_agents::stage::StageOutcome::word`]; or `unusable`, where what it left cannot be put into a sandbox and
    /// is graded as nothing; or `not-reached`, or `pending`. `unanswered` is pending, too.
    pub state: String,
    /// What the session left; absent where that is nothing.
    pub snapshot: Option<TreeId>,
    /// What its requirements became; absent where it declares nothing, or is not graded yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentIdentity>,
    /// Cases passed; absent where it is not graded yet.
    pub counts: Option<VerdictCounts>,
    /// How far it is solved.
    pub solve: Option<Solve>,
    /// Which share of its cases passes.
    pub rates: Option<Rates>,
    /// Absent where there is no workspace, and where too much of it could run and is not measured.
    pub quality: Option<Quality>,
    /// The share of its lines that could run and are not measured, from 0 to 1; absent where there is no workspace.
    pub unmeasured: Option<f64>,
    /// Tokens of the session; absent where the agent tells of none.
    pub usage: Option<TokenUsage>,
    /// Their cost by our price table, in US dollars.
    pub cost_usd: Option<f64>,
    /// Their cost as the agent says.
    pub reported_cost_usd: Option<f64>,
    /// What the session took besides.
    pub footprint: Option<Footprint>,
}

/// Shares of cases that pass, from 0 to 1 (paper, section 2.3 and Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Of all cases, regression cases among them unless all checkpoints were given at once.
    pub strict: f64,
    /// Of the checkpoint's own cases.
    pub isolated: f64,
    /// Of its core cases; absent, as the next three, where there is none.
    pub core: Option<f64>,
    /// Of its functionality cases.
    pub functionality: Option<f64>,
    /// Of its error cases.
    pub error: Option<f64>,
    /// Of the cases of earlier checkpoints.
    pub regression: Option<f64>,
}

impl RunSummary {
    /// Reads every stage that is there.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if one is not as it was kept.
    pub fn read(folder: &RunFolder) -> Result<Self, Error> {
        let read = |trajectory: &Trajectory| TrajectoryRow::read(folder, trajectory);
        let trajectories = folder.plan.design.trajectories.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let complete = trajectories.iter().flat_map(|row| &row.checkpoints).all(|row| row.counts.is_some());
        let mut grouped: BTreeMap<_, Vec<&TrajectoryRow>> = BTreeMap::new();
        for row in &trajectories {
            grouped.entry((&row.worker, &row.model, &row.prompt)).or_default().push(row);
        }
        let groups = grouped.into_values().map(|rows| DesignGroup::of(&rows)).collect();
        let (format, tool) = ("slopbench.run/4".to_owned(), ToolVersion::this());
        let (plan, track, one_shot) = (folder.store.plan(), folder.plan.design.track, folder.plan.design.one_shot);
        let (instrument, accepted_differences) = (folder.plan.instrument.clone(), folder.store.accepted()?);
        Ok(Self {
            format,
            tool,
            plan,
            track,
            one_shot,
            complete,
            instrument,
            accepted_differences,
            groups,
            trajectories,
        })
    }
}

impl TrajectoryRow {
    /// Reads every stage of one trajectory that is there.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if one is not as it was kept.
    pub fn read(folder: &RunFolder, trajectory: &Trajectory) -> Result<Self, Error> {
        Self::read_with(folder, trajectory, |_, _| ())
    }

    /// The same; of each checkpoint, `see` is shown what the row is made of and does not hold: how its session ended, and
    /// its whole measurement. So that who needs more of them does not read them twice.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_with(
        folder: &RunFolder,
        trajectory: &Trajectory,
        mut see: impl FnMut(Option<&StageRecord>, Option<&Grading>),
    ) -> Result<Self, Error> {
        let (mut problem, mut checkpoints, mut ended) = (None, Vec::new(), false);
        for checkpoint in folder.plan.design.stops(&trajectory.problem) {
            let record = record(&folder.store, &trajectory.id, checkpoint)?;
            let graded = stage(&folder.store, &trajectory.id, checkpoint, CheckpointStage::Grade)?;
            let verdicts: Option<Verdicts> = graded.as_ref().map(|path| read_json(&path.join(VERDICTS))).transpose()?;
            let unusable = graded.as_ref().map(|path| read_json::<GradingUsage>(&path.join(USAGE))).transpose()?;
            let unusable = unusable.is_some_and(|grade| grade.unusable.is_some());
            let quality = graded.map(|path| path.join(QUALITY)).filter(|path| path.is_file());
            let quality = quality.map(|path| read_json::<Grading>(&path)).transpose()?;
            see(record.as_ref(), quality.as_ref());
            let state = match &record {
                Some(_) if unusable => "unusable",
                Some(record) => record.outcome.word(),
                None if ended => "not-reached",
                None if folder.store.attempts(&trajectory.id, &CheckpointStage::Session.of(checkpoint))?.is_empty() => {
                    "pending"
                }
                None => "unanswered",
            };
            checkpoints.push(CheckpointRow {
                checkpoint,
                state: state.to_owned(),
                snapshot: record.as_ref().and_then(|record| record.workspace),
                environment: verdicts.as_ref().and_then(|verdicts| verdicts.environment.clone()),
                counts: verdicts.as_ref().map(|verdicts| verdicts.counts),
                solve: verdicts.as_ref().map(|verdicts| verdicts.solve),
                rates: verdicts.as_ref().and_then(|verdicts| Rates::of(&verdicts.counts, folder.plan.design.one_shot)),
                quality: quality.as_ref().and_then(Quality::of),
                unmeasured: quality.as_ref().map(|grading| grading.unmeasured.share),
                usage: record.as_ref().filter(|record| !record.usage.is_empty()).map(StageRecord::total),
                cost_usd: record.as_ref().and_then(|record| record.cost_usd),
                reported_cost_usd: record.as_ref().and_then(|record| record.reported_cost_usd),
                footprint: record.as_ref().map(|record| record.footprint.clone()),
            });
            ended |= record.is_some_and(|record| !record.outcome.is_done());
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
            erosion_rise: rise(&checkpoints, |quality| quality.erosion),
            verbosity_rise: rise(&checkpoints, |quality| quality.verbosity),
            checkpoints,
        })
    }
}

#[cfg(test)]
impl TrajectoryRow {
    /// Of a trajectory that is nothing but these.
    pub(super) fn of_checkpoints(checkpoints: Vec<CheckpointRow>) -> Self {
        Self {
            id: String::new(),
            problem: None,
            worker: String::new(),
            model: None,
            prompt: String::new(),
            repeat: 1,
            erosion_slope: trend(&checkpoints, |quality| quality.erosion),
            verbosity_slope: trend(&checkpoints, |quality| quality.verbosity),
            erosion_rise: rise(&checkpoints, |quality| quality.erosion),
            verbosity_rise: rise(&checkpoints, |quality| quality.verbosity),
            checkpoints,
        }
    }
}

fn trend(checkpoints: &[CheckpointRow], figure: fn(&Quality) -> f64) -> Option<f64> {
    let points = checkpoints.iter().filter_map(|row| Some((f64::from(row.checkpoint), figure(row.quality.as_ref()?))));
    let (x, y): (Vec<_>, Vec<_>) = points.unzip();
    line::fit(&x, &y).ok().map(|line| line.slope)
}

/// From the first to the last of at least two.
fn rise(checkpoints: &[CheckpointRow], figure: fn(&Quality) -> f64) -> Option<f64> {
    let mut figures = checkpoints.iter().filter_map(|row| row.quality.as_ref().map(figure));
    let first = figures.next()?;
    figures.next_back().map(|last| last - first)
}

impl CheckpointRow {
    /// Whether a session left a workspace here: what the paper's Table 1 is of.
    pub fn is_produced(&self) -> bool {
        self.snapshot.is_some()
    }
}

impl Rates {
    fn of(counts: &VerdictCounts, one_shot: bool) -> Option<Self> {
        let own = [counts.core, counts.functionality, counts.error];
        let isolated = rate(&own)?;
        Some(Self {
            strict: if one_shot { isolated } else { rate(&[counts.all()])? },
            isolated,
            core: rate(&[counts.core]),
            functionality: rate(&[counts.functionality]),
            error: rate(&[counts.error]),
            regression: rate(&[counts.regression]),
        })
    }
}

/// `None` where there is no case.
fn rate(tallies: &[Tally]) -> Option<f64> {
    let passed: usize = tallies.iter().map(|tally| tally.passed).sum();
    let total: usize = tallies.iter().map(|tally| tally.total).sum();
    (total > 0).then(|| passed as f64 / total as f64)
}
