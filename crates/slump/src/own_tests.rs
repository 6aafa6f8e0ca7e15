//! What the tests say that an agent wrote (section 4.2, Figure 3).

use serde::{Deserialize, Serialize};
use slopbench_environments::EnvironmentIdentity;

/// What `format` says in a file of this version.
pub const OWN_TESTS_FORMAT: &str = "slopbench.slump-tests/1";

/// `tests.json`: an agent's own tests, as they were run in its final workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTestsRecord {
    /// [`OWN_TESTS_FORMAT`].
    pub format: String,
    /// What became of them.
    pub tests: OwnTests,
    /// Pytest's exit status; absent where it did not come to its end.
    pub exit: Option<i32>,
    /// Wall-clock time, in seconds; without what it took to build the environment.
    pub seconds: f64,
    /// The packages that they were run with; absent where nothing was to be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentIdentity>,
}

/// What became of an agent's own tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTests {
    /// How that ended.
    pub outcome: OwnTestsOutcome,
    /// Tests that were found.
    pub collected: usize,
    /// Of these, those that passed; one that was expected to fail and passes, too, unless it says that this is a failure.
    pub passed: usize,
    /// Those that failed themselves.
    pub failed: usize,
    /// Those before or after which something failed.
    pub errors: usize,
    /// Those that skipped themselves, or failed as expected.
    pub skipped: usize,
    /// Files, or parts of them, whose tests could not be found out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncollected: Vec<String>,
    /// Passed / (collected − skipped + uncollected), from 0 to 1; absent where that is of nothing, and where the tests did not come
    /// to their end.
    pub pass_rate: Option<f64>,
}

/// How a run of an agent's own tests ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "kebab-case", deny_unknown_fields)]
pub enum OwnTestsOutcome {
    /// They came to their end.
    Whole,
    /// There are none.
    NoTests,
    /// What the repository declares to need cannot be had.
    NoEnvironment {
        /// Why, with the line that asks for it.
        reason: String,
    },
    /// Their limit of wall-clock time ended them.
    TimedOut,
    /// Pytest, another limit or a test itself ended them.
    NotRun {
        /// What is known of it.
        reason: String,
    },
}

impl OwnTestsOutcome {
    /// In a word or two, for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Whole => "run",
            Self::NoTests => "no tests",
            Self::NoEnvironment { .. } => "no environment",
            Self::TimedOut => "timed out",
            Self::NotRun { .. } => "not run",
        }
    }
}

impl OwnTests {
    /// Of tests none of which was run.
    pub fn none(outcome: OwnTestsOutcome) -> Self {
        let [collected, passed, failed, errors, skipped] = [0; 5];
        Self { outcome, collected, passed, failed, errors, skipped, uncollected: Vec::new(), pass_rate: None }
    }

    /// The same with its pass rate.
    #[must_use]
    pub fn rated(self) -> Self {
        let all = (self.collected + self.uncollected.len()).saturating_sub(self.skipped);
        let has_rate = self.outcome == OwnTestsOutcome::Whole && all > 0;
        Self { pass_rate: has_rate.then(|| self.passed as f64 / all as f64), ..self }
    }

    /// For tables: the rate with what it is of, or why there is none.
    pub fn text(&self) -> String {
        let all = (self.collected + self.uncollected.len()).saturating_sub(self.skipped);
        match (self.pass_rate, &self.outcome) {
            (Some(rate), _) => format!("{rate:.3} ({}/{all})", self.passed),
            (None, OwnTestsOutcome::Whole) => "all skipped".to_owned(),
            (None, outcome) => outcome.word().to_owned(),
        }
    }
}
