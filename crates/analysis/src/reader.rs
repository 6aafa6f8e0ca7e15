//! From run folders to rows.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use slopbench_agents::stage::StageRecord;
use slopbench_metrics::grading::Grading;
use slopbench_slopcode::run::{CheckpointRow, LinterIdentity, RunFolder, STUDY, Trajectory, TrajectoryRow};
use slopbench_stats::phase::Phase;

use crate::{
    Error,
    configuration::AgentSetup,
    row::{CodeFigures, Standing, TidyRow},
};

/// The part of an instrument that says of a run that it is made up.
pub(crate) const SYNTHETIC: &str = "synthetic";

/// Any number of runs as rows, in the order of runs, plans and checkpoints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSet {
    /// Where they come from.
    pub runs: Vec<RunOrigin>,
    /// One per checkpoint of each trajectory.
    pub rows: Vec<TidyRow>,
}

/// A run that rows come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOrigin {
    /// Its folder's own name; where two have the same, with a number.
    pub name: String,
    /// The digest of its plan.
    pub plan: String,
    /// How it was made up, where it is: then nothing of it was observed.
    pub synthetic: Option<String>,
    /// What its results are made with: the tool.
    pub tool: Option<String>,
    /// Who linted its checkpoints, where somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linter: Option<LinterIdentity>,
    /// In what the instruments of some stages differ from the planned one.
    pub accepted_differences: Vec<String>,
}

impl RunSet {
    /// Reads every stage of these runs that is there. Each of its files is compared with its seal.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if a folder holds no run of this version, or one that is not as it was kept; [`Error::Twice`].
    pub fn read<P: AsRef<Path>>(roots: &[P]) -> Result<Self, Error> {
        let mut set = Self::default();
        let mut seen: Vec<PathBuf> = Vec::new();
        for root in roots {
            let root = root.as_ref();
            let folder = RunFolder::open(root, STUDY).map_err(slopbench_slopcode::Error::from)?;
            if let Some(first) = seen.iter().find(|seen| **seen == folder.store.root) {
                return Err(Error::Twice { first: first.clone(), second: root.to_owned() });
            }
            let origin = RunOrigin::of(&folder, set.fresh_name(&folder.store.root))?;
            seen.push(folder.store.root.clone());
            set.rows.extend(rows(&folder, &origin)?);
            set.runs.push(origin);
        }
        Ok(set)
    }

    /// Whether a run of them is made up.
    pub fn is_synthetic(&self) -> bool {
        self.rows.iter().any(|row| row.synthetic) || self.runs.iter().any(|run| run.synthetic.is_some())
    }

    fn fresh_name(&self, root: &Path) -> String {
        let name = root.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned());
        let is_taken = |name: &String| self.runs.iter().any(|run| run.name == *name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        [name.clone()].into_iter().chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
    }
}

impl RunOrigin {
    fn of(folder: &RunFolder, name: String) -> Result<Self, Error> {
        let instrument = &folder.plan.instrument;
        let accepted = folder.store.accepted().map_err(slopbench_slopcode::Error::from)?;
        Ok(Self {
            name,
            plan: folder.store.plan().to_string(),
            synthetic: instrument.part(SYNTHETIC).map(str::to_owned),
            tool: instrument.part("tool").map(str::to_owned),
            linter: None,
            accepted_differences: accepted.iter().map(ToString::to_string).collect(),
        })
    }
}

fn rows(folder: &RunFolder, origin: &RunOrigin) -> Result<Vec<TidyRow>, Error> {
    let of = |trajectory: &Trajectory| rows_of(folder, origin, trajectory);
    let rows: Vec<Vec<TidyRow>> = folder.plan.design.trajectories.par_iter().map(of).collect::<Result<_, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}

/// What a summary's row does not hold.
struct Beside {
    minutes: Option<f64>,
    code: Option<CodeFigures>,
    withheld: Option<String>,
}

fn rows_of(folder: &RunFolder, origin: &RunOrigin, trajectory: &Trajectory) -> Result<Vec<TidyRow>, Error> {
    let design = &folder.plan.design;
    let mut beside = Vec::new();
    let read =
        TrajectoryRow::read_with(folder, trajectory, |record: Option<&StageRecord>, grade: Option<&Grading>| {
            beside.push(Beside {
                minutes: record.map(|record| record.seconds / 60.0),
                code: grade.and_then(CodeFigures::of),
                withheld: grade.and_then(|grade| grade.withheld.clone()),
            });
        })?;
    let checkpoints = design.problems.get(&trajectory.problem).map_or(0, |problem| problem.checkpoints);
    let configuration = AgentSetup::of(&trajectory.worker, &trajectory.prompt, design.track, design.one_shot);
    let row = |(checkpoint, beside): (CheckpointRow, Beside)| TidyRow {
        run: origin.name.clone(),
        synthetic: origin.synthetic.is_some(),
        configuration: configuration.clone(),
        repeat: trajectory.repeat,
        trajectory: trajectory.id.clone(),
        problem: trajectory.problem.clone(),
        checkpoint: checkpoint.checkpoint,
        checkpoints,
        phase: Phase::of(checkpoint.checkpoint, checkpoints).ok(),
        standing: standing(&checkpoint),
        produced: checkpoint.is_produced(),
        solve: checkpoint.solve,
        counts: checkpoint.counts,
        rates: checkpoint.rates,
        cost_usd: checkpoint.cost_usd,
        reported_cost_usd: checkpoint.reported_cost_usd,
        minutes: beside.minutes,
        usage: checkpoint.usage,
        turns: checkpoint.footprint.as_ref().map(|footprint| footprint.turns),
        lines_edited: checkpoint.footprint.as_ref().map(|footprint| footprint.lines_edited),
        code: beside.code,
        withheld: beside.withheld,
        flags: None,
        state: checkpoint.state,
    };
    Ok(read.checkpoints.into_iter().zip(beside).map(row).collect())
}

fn standing(row: &CheckpointRow) -> Standing {
    match (&row.counts, row.state.as_str()) {
        (Some(_), _) => Standing::Graded,
        (None, "unanswered") => Standing::Infrastructure,
        (None, _) => Standing::Pending,
    }
}
