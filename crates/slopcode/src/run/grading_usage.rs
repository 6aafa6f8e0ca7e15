//! What grading took. Clocks differ from run to run: this is for people, and no result is made of it.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use slopbench_tests::CaseOutcome;

const USAGE_FORMAT: &str = "slopbench.usage/2";

/// A grade's `usage.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GradingUsage {
    format: String,
    /// From the first case's beginning to the end of the measurement.
    seconds: f64,
    /// Why the workspace could not be put into a sandbox, so that it is graded as nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unusable: Option<String>,
    /// Of each case that ran.
    cases: BTreeMap<String, CaseUsage>,
}

/// What the solution under test took for one case. Cases run side by side: their times may add up to more than the grade's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseUsage {
    /// From the program's start to its end.
    seconds: f64,
    /// Processor time of all its processes.
    cpu_seconds: f64,
    /// The most memory seen in a sample, in bytes; 0 for a program that ended before the first one.
    peak_memory: u64,
    peak_processes: u32,
}

impl GradingUsage {
    pub(super) fn new(took: Duration, outcomes: &[CaseOutcome], unusable: Option<String>) -> Self {
        let usage = |outcome: &CaseOutcome| {
            let usage = outcome.usage?;
            let case = CaseUsage {
                seconds: usage.wall.as_secs_f64(),
                cpu_seconds: usage.cpu.as_secs_f64(),
                peak_memory: usage.peak_memory,
                peak_processes: usage.peak_processes,
            };
            Some((outcome.id.to_string(), case))
        };
        let cases = outcomes.iter().filter_map(usage).collect();
        Self { format: USAGE_FORMAT.to_owned(), seconds: took.as_secs_f64(), unusable, cases }
    }
}
