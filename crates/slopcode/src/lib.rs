//! Runs of checkpoints, their results on disk, and the verification of archived ones.
//!
//! A [`GradingContext`] holds what every run needs: where cases are played, the rules, and someone to tell of progress. With it
//! [`grade()`] turns one snapshot of a solution at one checkpoint into verdicts and measurements, and [`reference::run`]
//! does so for all of a problem's reference solutions. [`artifact`] archives what a job produced and verifies it byte
//! for byte; [`run`] has agents solve problems checkpoint after checkpoint; [`results`] defines every file that is written.

pub mod artifact;
mod build;
mod error;
mod grade;
pub mod reference;
mod repository;
pub mod results;
pub mod run;
mod solution_player;
mod suites;

pub use build::toolchain;
pub use error::Error;
pub use grade::{Graded, grade};
pub use repository::Repository;
pub use solution_player::SolutionPlayer;
pub use suites::SuiteLocks;

use std::{num::NonZeroUsize, path::Path};

use slopbench_environments::Environments;
use slopbench_metrics::RuleSet;
use slopbench_sandbox::Sandbox;
use slopbench_tests::Gate;

/// Opens a sandbox in which the solution in a folder can be run.
pub type OpenSolution<'a> =
    dyn Fn(&Path, SolutionMounts<'_>) -> Result<Box<dyn Sandbox + 'a>, slopbench_sandbox::Error> + Sync + 'a;

/// What a solution finds beside itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolutionMounts<'a> {
    /// The environment of the packages that it declares.
    pub environment: Option<&'a Path>,
    /// The assets of its problem.
    pub assets: Option<&'a Path>,
    /// Whether its folder is a copy of ours, of which nothing is left out.
    pub whole: bool,
}

/// What every run needs.
#[derive(Clone)]
pub struct GradingContext<'a> {
    /// Where cases are played.
    pub open: &'a OpenSolution<'a>,
    /// What solutions' requirements become there.
    pub environments: &'a Environments<'a>,
    /// What tests are run with there, where that is settled.
    pub suites: SuiteLocks,
    /// How many sandboxes at once.
    pub jobs: NonZeroUsize,
    /// Who else is at work.
    pub gate: &'a Gate,
    /// What verbosity is measured with.
    pub rules: &'a RuleSet,
    /// Told of every step.
    pub progress: &'a dyn GradingProgress,
}

/// Somebody who watches a run. Called from several threads.
pub trait GradingProgress: Sync {
    /// `steps` steps of `what` begin.
    fn begin(&self, what: &str, steps: usize);
    /// One of them is done.
    fn step(&self);
}

/// Nobody.
impl GradingProgress for () {
    fn begin(&self, _: &str, _: usize) {}
    fn step(&self) {}
}
