//! Runs of checkpoints, their results on disk, and the verification of archived ones.
//!
//! A [`GradingContext`] holds what every run needs: where cases are played, the rules, and someone to tell of progress. With it
//! [`grade()`] turns one snapshot of a solution at one checkpoint into verdicts and measurements, and [`reference::run`]
//! does so for all of a problem's reference solutions. [`artifact`] archives what a job produced and verifies it byte
//! for byte; [`run`] has agents solve problems checkpoint after checkpoint; [`results`] defines every file that is written.

pub mod artifact;
mod error;
mod grade;
pub mod reference;
mod repository;
pub mod results;
pub mod run;

pub use error::Error;
pub use grade::{Graded, grade};
pub use repository::Repository;

use slopbench_metrics::RuleSet;
use slopbench_tests::Engine;

/// What every run needs.
pub struct GradingContext<'a> {
    /// Where cases are played.
    pub engine: Engine<'a>,
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
