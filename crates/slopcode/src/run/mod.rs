//! A bench run: workers solve problems checkpoint after checkpoint, and each checkpoint is graded (paper, section 2.2).
//!
//! The [`Design`] of the run's plan lists its trajectories, which are the units of [`SlopCode`]. [`BenchRun`] has the engine do
//! them, and writes `summary.json` once all are done.

mod bench_run;
mod checkpoint;
mod design;
mod estimate;
mod grading_usage;
mod group;
mod instrument;
mod lint;
mod plan;
pub mod prompt;
mod rubric;
mod study;
mod suites;
mod summary;
mod usage;
mod view;

pub use self::{
    bench_run::{BenchEnd, BenchRun, problems},
    checkpoint::{environments, grading, record, steps, verdicts},
    design::{DEFAULT_LIMIT_SECONDS, Design, DesignChoice, PlannedProblem, Trajectory},
    estimate::{Estimate, EstimateRow},
    group::{DesignGroup, PassRates, SolveRates},
    instrument::{instrument, origins, planned_session_parts, session_parts},
    lint::{LintCheckpoint, LintTrajectory, RUN_LINT_FORMAT, RunLint, lint_run},
    plan::{Plan, RunFolder, STUDY},
    rubric::{RUN_RUBRIC_FORMAT, RubricCheckpoint, RubricTrajectory, RunRubric, estimate_rubric, judge_run},
    study::SlopCode,
    summary::{CheckpointRow, Rates, RunSummary, TrajectoryRow},
    usage::{GroupUsage, RunUsage},
    view::{CheckpointView, changes},
};
pub use slopbench_lint::LinterIdentity;
