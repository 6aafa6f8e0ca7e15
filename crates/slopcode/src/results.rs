//! The files a run writes, all canonical JSON. None of them holds a clock, a host, an absolute path or a random id, so
//! that two runs of the same inputs give the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, TreeId};
use slopbench_environments::EnvironmentIdentity;
use slopbench_metrics::{grading::Grading, measurement::RulesId};
use slopbench_tests::{CaseOutcome, Category, Solve, Tally, Track, Verdict, VerdictCounts, pytest::SuiteRecord};

/// The program that made a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolVersion {
    /// `slopbench`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl ToolVersion {
    /// This version.
    pub fn this() -> Self {
        Self { name: "slopbench".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl fmt::Display for ToolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// A problem, by name and by the digest of what it asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemId {
    /// The folder's name.
    pub name: String,
    /// Over specifications, cases and limits; see [`slopbench_tests::Problem::digest`].
    pub digest: Sha256,
}

/// `checkpoint_<n>/verdicts.json`: what became of every case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// Its format and version.
    pub format: String,
    /// What wrote it.
    pub tool: ToolVersion,
    /// What was to be solved.
    pub problem: ProblemId,
    /// In which language.
    pub track: Track,
    /// At which checkpoint, from 1.
    pub checkpoint: u32,
    /// Which solution; absent where there is none.
    pub snapshot: Option<TreeId>,
    /// What its requirements became; absent where it declares nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentIdentity>,
    /// What its compiler said first; absent where it is built, or its track builds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_failed: Option<String>,
    /// Whether all checkpoints were given at once: then the last one's own cases are what is to be solved, and regression
    /// stands apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_shot: bool,
    /// What tests were run with; absent where the suite is of cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteRecord>,
    /// Passed of all, by category.
    pub counts: VerdictCounts,
    /// How far the checkpoint is solved.
    pub solve: Solve,
    /// Every case of the suite, by checkpoint and identifier.
    pub cases: Vec<CaseVerdict>,
}

/// One case in [`Verdicts`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseVerdict {
    /// Its checkpoint and identifier.
    pub case: String,
    /// What it is about.
    pub category: Category,
    /// Whether it is of an earlier checkpoint, or says of itself that it is about earlier behaviour.
    pub regression: bool,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Verdicts {
    pub(crate) fn new(
        problem: ProblemId,
        track: Track,
        checkpoint: u32,
        snapshot: Option<TreeId>,
        outcomes: &[CaseOutcome],
        suite: Option<SuiteRecord>,
    ) -> Self {
        let counts = VerdictCounts::of(checkpoint, outcomes);
        let case = |outcome: &CaseOutcome| CaseVerdict {
            case: outcome.id.to_string(),
            category: outcome.category,
            regression: outcome.checkpoint < checkpoint || outcome.category == Category::Regression,
            verdict: outcome.verdict.clone(),
        };
        let cases = outcomes.iter().map(case).collect();
        let solve = Solve::from(&counts);
        let (format, tool) = ("slopbench.verdicts/2".to_owned(), ToolVersion::this());
        Self {
            format,
            tool,
            problem,
            track,
            checkpoint,
            snapshot,
            environment: None,
            build_failed: None,
            one_shot: false,
            suite,
            counts,
            solve,
            cases,
        }
    }

    /// The same of a solution that was never asked to keep earlier behaviour: strictly solved is what is solved in isolation.
    pub(crate) fn of_one_shot(self) -> Self {
        let solve = Solve { strict: self.solve.isolated, ..self.solve };
        Self { one_shot: true, solve, ..self }
    }
}

/// `summary.json`: all checkpoints of one trajectory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceSummary {
    /// Its format and version.
    pub format: String,
    /// What wrote it.
    pub tool: ToolVersion,
    /// What was to be solved.
    pub problem: ProblemId,
    /// In which language.
    pub track: Track,
    /// What verbosity was measured with.
    pub rules: RulesId,
    /// In order.
    pub checkpoints: Vec<CheckpointSummary>,
    /// Over all checkpoints.
    pub solved: Solved,
}

/// How many checkpoints are solved (paper, Table 1).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solved {
    /// Checkpoints in all; missing ones count as not solved.
    pub checkpoints: usize,
    /// Strictly.
    pub strict: usize,
    /// In isolation.
    pub isolated: usize,
    /// By their core cases.
    pub core: usize,
    /// Whether at least one checkpoint is strictly solved.
    pub partial: bool,
}

/// One checkpoint in [`ReferenceSummary`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointSummary {
    /// From 1.
    pub checkpoint: u32,
    /// Which solution; absent where there is none.
    pub snapshot: Option<TreeId>,
    /// Passed of all, by category.
    pub counts: VerdictCounts,
    /// How far the checkpoint is solved.
    pub solve: Solve,
    /// Absent where there is no solution: missing checkpoints are excluded, not imputed. Absent, too, where too much of it
    /// could run and is not measured; `quality.json` says what.
    pub quality: Option<Quality>,
    /// The share of its lines that could run and are not measured, from 0 to 1; absent where there is no solution.
    pub unmeasured: Option<f64>,
    /// How many core cases of the next checkpoint this solution passes already; absent at the last one, and where it was
    /// not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_core: Option<Tally>,
    /// What its requirements became; absent where it declares nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentIdentity>,
}

/// The figures of a snapshot that trajectories are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// Lines of code.
    pub loc: u64,
    /// Callables.
    pub callables: u64,
    /// Of these, those with CC > 10.
    pub complex_callables: usize,
    /// The largest CC of a callable; 0 where there is none.
    pub largest_cc: u32,
    /// Structural erosion (paper, equation 3).
    pub erosion: f64,
    /// Verbosity (paper, equation 4): over total lines.
    pub verbosity: f64,
    /// The share of total lines that are code and clones.
    pub clone_share: f64,
    /// Files and folders that could not be measured; `quality.json` names them.
    pub skipped: usize,
}

impl Quality {
    /// Of a graded solution; `None` where its figures are withheld.
    pub fn of(grading: &Grading) -> Option<Self> {
        let measurement = grading.measurement.as_ref()?;
        let total = &measurement.total;
        Some(Self {
            loc: total.loc,
            callables: total.callables,
            complex_callables: measurement.callables.iter().filter(|callable| callable.is_complex()).count(),
            largest_cc: measurement.callables.iter().map(|callable| callable.cc).max().unwrap_or_default(),
            erosion: total.erosion,
            verbosity: total.verbosity,
            clone_share: total.sloc_clone_ratio,
            skipped: grading.unmeasured.files.len(),
        })
    }
}

impl ReferenceSummary {
    pub(crate) fn new(problem: ProblemId, track: Track, rules: RulesId, checkpoints: Vec<CheckpointSummary>) -> Self {
        let count = |is: fn(&Solve) -> bool| checkpoints.iter().filter(|checkpoint| is(&checkpoint.solve)).count();
        let strict = count(|solve| solve.strict);
        let solved = Solved {
            checkpoints: checkpoints.len(),
            strict,
            isolated: count(|solve| solve.isolated),
            core: count(|solve| solve.core),
            partial: strict > 0,
        };
        Self {
            format: "slopbench.summary/3".to_owned(),
            tool: ToolVersion::this(),
            problem,
            track,
            rules,
            checkpoints,
            solved,
        }
    }
}
