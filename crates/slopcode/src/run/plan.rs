//! The plan and the folder of this study's runs, and what its files are called.

use super::design::Design;

/// The name of this study in plans.
pub const STUDY: &str = "slopcode";

/// A plan of this study.
pub type Plan = slopbench_runner::Plan<Design>;

/// A run of this study on the disk. Beside what every run's store has, `suites/` has the locks of tests' environments.
pub type RunFolder = slopbench_runner::RunFolder<Design>;

pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const VERDICTS: &str = "verdicts.json";
pub(crate) const QUALITY: &str = "quality.json";
pub(crate) use slopbench_environments::RECORD as ENVIRONMENT;

pub(crate) const USAGE: &str = "usage.json";
