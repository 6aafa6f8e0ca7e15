//! One observation: a checkpoint of a trajectory, with everything that is known of it.

use serde::{Serialize, Serializer};
use slopbench_gateway::turn::TokenUsage;
use slopbench_metrics::{grading::Grading, measurement::Measurement};
use slopbench_slopcode::{results::Quality, run::Rates};
use slopbench_stats::phase::Phase;
use slopbench_tests::{Solve, VerdictCounts};

use crate::configuration::AgentSetup;

/// Whether a checkpoint says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It is graded. Where its session or an earlier one failed, it is graded as what was left, or as nothing.
    Graded,
    /// Its session, or its grade, is still to be done.
    Pending,
    /// Its provider gave no answer: this says nothing of the agent, and is to be done again.
    Infrastructure,
}

impl Standing {
    /// As in exports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::Pending => "pending",
            Self::Infrastructure => "infrastructure",
        }
    }
}

/// One checkpoint of one trajectory of one run. What is `None` is not known, never 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TidyRow {
    /// The run's folder, by its own name.
    pub run: String,
    /// Whether the run is made up, so that nothing of it was ever observed.
    pub synthetic: bool,
    /// Who worked, and how it was told to.
    #[serde(flatten)]
    pub configuration: AgentSetup,
    /// From 1, within the run.
    pub repeat: u32,
    /// The trajectory, as planned; unique in its run.
    pub trajectory: String,
    /// What was to be solved.
    pub problem: String,
    /// From 1.
    pub checkpoint: u32,
    /// How many the problem has.
    pub checkpoints: u32,
    /// The progress phase; a problem of one checkpoint has none.
    #[serde(serialize_with = "phase_name")]
    pub phase: Option<Phase>,
    /// How the session ended, as in `summary.json`.
    pub state: String,
    /// Whether it says something.
    pub standing: Standing,
    /// Whether a session left a workspace: what the paper's Table 1 is of.
    pub produced: bool,
    /// How far it is solved.
    pub solve: Option<Solve>,
    /// Cases passed of all, by category.
    pub counts: Option<VerdictCounts>,
    /// Shares of cases that pass.
    pub rates: Option<Rates>,
    /// Cost of the session by the price table, in US dollars.
    pub cost_usd: Option<f64>,
    /// The same as the agent says.
    pub reported_cost_usd: Option<f64>,
    /// What the session took, in minutes.
    pub minutes: Option<f64>,
    /// Tokens of the session.
    pub usage: Option<TokenUsage>,
    /// Turns in which the agent called tools.
    pub turns: Option<u64>,
    /// Lines added and removed in source files.
    pub lines_edited: Option<u64>,
    /// What its code is like; absent where there is none, and where figures are withheld.
    pub code: Option<CodeFigures>,
    /// Why they are withheld.
    pub withheld: Option<String>,
    /// What a judge flags in it; absent without a judge.
    pub flags: Option<FlagFigures>,
}

/// How many spans of a checkpoint a judge flags. What was not judged is not known: it may have flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FlagFigures {
    /// Flags of verbosity and of erosion on lines that the checkpoint changed; absent where a part of these was not judged.
    pub new: Option<[u64; 2]>,
    /// The same on lines that stand as an earlier checkpoint left them; absent where a part was not judged there.
    pub carried: Option<[u64; 2]>,
    /// Lines of code that the checkpoint changed.
    pub changed_lines: u64,
}

impl FlagFigures {
    /// New flags of both kinds.
    pub fn all_new(&self) -> Option<u64> {
        self.new.map(|new| new.iter().sum())
    }

    /// Carried flags of both kinds.
    pub fn all_carried(&self) -> Option<u64> {
        self.carried.map(|carried| carried.iter().sum())
    }
}

fn phase_name<S: Serializer>(phase: &Option<Phase>, serializer: S) -> Result<S::Ok, S::Error> {
    phase.map(Phase::name).serialize(serializer)
}

/// What the code of a checkpoint is like. Ratios are fractions, and 0 where their denominator is 0, as in `quality.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeFigures {
    /// Physical lines.
    pub total_lines: u64,
    /// Lines of code.
    pub loc: u64,
    /// Callables.
    pub callables: u64,
    /// Those with CC > 10.
    pub complex_callables: u64,
    /// The largest CC; 0 where there is no callable.
    pub largest_cc: u32,
    /// Structural erosion (paper, equation 3).
    pub erosion: f64,
    /// Verbosity (paper, equation 4): over total lines.
    pub verbosity: f64,
    /// Lines of rule matches / total lines.
    pub violation_ratio: f64,
    /// Lines of clones / total lines.
    pub clone_ratio: f64,
    /// The mean SLOC of callables; absent where there is none.
    pub mean_callable_sloc: Option<f64>,
    /// Functions that only pass a call on; absent where a file's language has no analysis of these.
    pub trivial_wrappers: Option<u64>,
    /// Functions that are called once or never; absent likewise.
    pub single_use: Option<u64>,
    /// (Callables with CC > 10 + those with CC > 30) / callables: the blog's erosion without lint errors.
    pub complex_share: f64,
    /// What a linter finds; absent without one, and where that is not known.
    pub lint_errors: Option<u64>,
    /// The blog's verbosity; absent without a judge's findings.
    pub verbosity_v0: Option<f64>,
    /// The blog's erosion; absent without a linter's findings.
    pub erosion_v0: Option<f64>,
    /// Erosion by cutoff, then by size term, in the order of `quality.json`.
    pub sensitivity: Vec<f64>,
}

impl CodeFigures {
    /// Of a grade; `None` where its figures are withheld.
    pub(crate) fn of(grading: &Grading) -> Option<Self> {
        let (measurement, quality) = (grading.measurement.as_ref()?, Quality::of(grading)?);
        let total = &measurement.total;
        let is_analysed = measurement.files.iter().all(|file| file.measures.wrappers.is_some());
        let wrappers = total.wrappers.filter(|_| is_analysed);
        Some(Self {
            total_lines: total.total_lines,
            loc: quality.loc,
            callables: quality.callables,
            complex_callables: quality.complex_callables as u64,
            largest_cc: quality.largest_cc,
            erosion: quality.erosion,
            verbosity: quality.verbosity,
            violation_ratio: total.violation_ratio,
            clone_ratio: total.clone_ratio,
            mean_callable_sloc: mean_sloc(measurement),
            trivial_wrappers: wrappers.map(|wrappers| wrappers.trivial),
            single_use: wrappers.map(|wrappers| wrappers.single_use),
            complex_share: measurement.composites.complex_share,
            lint_errors: measurement.composites.lint_errors,
            verbosity_v0: measurement.composites.verbosity_v0,
            erosion_v0: measurement.composites.erosion_v0,
            sensitivity: measurement.sensitivity.iter().map(|variant| variant.erosion).collect(),
        })
    }
}

impl CodeFigures {
    /// So many callables as a share of all; 0 where there is none.
    pub fn share_of_callables(&self, count: u64) -> f64 {
        if self.callables == 0 { 0.0 } else { count as f64 / self.callables as f64 }
    }
}

fn mean_sloc(measurement: &Measurement) -> Option<f64> {
    let count = measurement.callables.len();
    let sum: u64 = measurement.callables.iter().map(|callable| u64::from(callable.sloc)).sum();
    (count > 0).then(|| sum as f64 / count as f64)
}

impl TidyRow {
    /// What repeats are told apart by: their run and their number.
    pub fn repetition(&self) -> (&str, u32) {
        (&self.run, self.repeat)
    }

    /// Whether it counts in Table 1: graded, and of a session that left a workspace.
    pub fn counts_as_produced(&self) -> bool {
        self.produced && self.solve.is_some()
    }
}
