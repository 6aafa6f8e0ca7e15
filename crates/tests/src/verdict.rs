use serde::{Deserialize, Serialize};
use slopbench_sandbox::Limit;

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Everything was as expected.
    Pass,
    /// The program ended, and something was not as expected.
    Fail {
        /// What was not: see [`Mismatch::what`](crate::Mismatch::what).
        mismatches: Vec<String>,
    },
    /// A signal that was not the sandbox's ended the program.
    Crashed {
        /// The signal's number.
        signal: i32,
    },
    /// The sandbox ended the program at a limit.
    Limit {
        /// Which.
        limit: Limit,
    },
    /// A test that skipped itself, or failed as its author expected. Counts as not passed, as in the paper's harness.
    Skipped,
    /// There is no solution to run: scored as not passed (paper, section 2.3).
    Missing,
    /// The packages that the solution declares cannot be had, so nothing was run: not passed.
    NoEnvironment,
    /// The solution cannot be built, so nothing was run: not passed.
    BuildFailed,
    /// The sandbox failed, again and again. Says nothing about the solution.
    Infrastructure,
}
