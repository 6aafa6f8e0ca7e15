//! What grading took. Clocks differ from run to run: this is for people, and no result is made of it.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;
use slopbench_tests::CaseOutcome;

const USAGE_FORMAT: &str = "slopbench.usage/2";

/// A grade's `usage.json`.
#[derive(Debug, Serialize)]
pub(super) struct GradingUsage<'a> {
    format: &'static str,
    /// From the first case's beginning to the end of the measurement.
    seconds: f64,
    /// Why the workspace could not be put into a sandbox, so that it is graded as nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    unusable: Option<String>,
    /// Of each case that ran.
    cases: BTreeMap<&'a str, CaseUsage>,
}

/// What the solution under test took for one case. Cases run side by side: their times may add up to more than the grade's.
#[derive(Debug, Serialize)]
struct CaseUsage {
    /// From the program's start to its end.
    seconds: f64,
    /// Processor time of all its processes.
    cpu_seconds: f64,
    /// The most memory seen in a sample, in bytes; 0 for a program that ended before the first one.
    peak_memory: u64,
    peak_processes: u32,
}

impl<'a> GradingUsage<'a> {
    pub(super) fn new(took: Duration, outcomes: &'a [CaseOutcome], unusable: Option<String>) -> Self {
        let usage = |outcome: &'a CaseOutcome| {
            let usage = outcome.usage?;
            let case = CaseUsage {
                seconds: usage.wall.as_secs_f64(),
                cpu_seconds: usage.cpu.as_secs_f64(),
                peak_memory: usage.peak_memory,
                peak_processes: usage.peak_processes,
            };
            Some((outcome.id.as_str(), case))
        };
        let cases = outcomes.iter().filter_map(usage).collect();
        Self { format: USAGE_FORMAT, seconds: took.as_secs_f64(), unusable, cases }
    }
}
