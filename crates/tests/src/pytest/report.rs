//! What `runner.py` reports of a session, line by line.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::Duration,
};

use indexmap::IndexMap;
use serde::Deserialize;

/// One line.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    /// A test that is going to be run.
    Collected { id: String, markers: Vec<String> },
    /// A file whose tests cannot be known.
    Uncollected { id: String, message: String, text: String },
    /// A test began.
    Started { id: String },
    /// A test's setup, call or teardown is over.
    Phase { id: String, when: Phase, outcome: PhaseOutcome, late: bool, seconds: f64, message: String, text: String },
    /// Data of the tests', relative to the suite's folder, that a program was given the path of.
    Handed { value: String },
    /// A program that tests started, and that is not the solution.
    StartedBeside { value: String },
    /// Pytest itself failed.
    Broken { text: String },
    /// The session is over.
    Ended { status: i32, exposed: Vec<String> },
}

/// A part of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    Setup,
    Call,
    Teardown,
}

impl Phase {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Call => "call",
            Self::Teardown => "teardown",
        }
    }
}

/// How a part of a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PhaseOutcome {
    Passed,
    Failed,
    Skipped,
}

/// Something that failed.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// In a line or a few.
    pub(super) message: String,
    /// With the code around it.
    pub(super) text: String,
}

/// A part of a test that failed.
#[derive(Clone, Debug)]
pub(super) struct FailedPhase {
    pub(super) phase: Phase,
    /// Whether the test's timeout ended it.
    pub(super) is_late: bool,
    pub(super) failure: Failure,
}

/// One test's parts so far.
#[derive(Clone, Debug, Default)]
pub(super) struct TestRecord {
    /// Its markers, the nearest first.
    pub(super) markers: Vec<String>,
    /// What failed of it.
    pub(super) failed: Vec<FailedPhase>,
    /// Whether it skipped itself, or failed as expected.
    pub(super) is_skipped: bool,
    /// All parts together.
    pub(super) took: Duration,
    /// Whether its last part is over.
    pub(super) is_over: bool,
}

/// A session as far as it came.
#[derive(Debug, Default)]
pub(super) struct SessionReport {
    /// In the order of the run.
    pub(super) tests: IndexMap<String, TestRecord>,
    /// Files, or parts of them, whose tests are not known.
    pub(super) uncollected: BTreeMap<String, Failure>,
    /// The test that began last.
    pub(super) started: Option<String>,
    /// Data of the tests', relative to the suite's folder, that programs were given the paths of.
    pub(super) handed: BTreeSet<PathBuf>,
    /// Programs that tests started, and that are not the solution.
    pub(super) started_beside: BTreeSet<String>,
    /// What pytest said that broke it.
    pub(super) broken: Option<String>,
    /// The exit status, if the session came to its end.
    pub(super) status: Option<i32>,
    /// Modules of the solution in pytest's own process at the end.
    pub(super) exposed: Vec<String>,
}

impl SessionReport {
    /// Reads a report; the error says what was expected.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut report = Self::default();
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let event: Event = serde_json::from_slice(line)
                .map_err(|error| format!("the suite's report has a line that is no event of its runner's: {error}"))?;
            report.add(event);
        }
        Ok(report)
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Collected { id, markers } => {
                self.tests.insert(id, TestRecord { markers, ..TestRecord::default() });
            }
            Event::Uncollected { id, message, text } => {
                self.uncollected.insert(id, Failure { message, text });
            }
            Event::Started { id } => self.started = Some(id),
            Event::Phase { id, when, outcome, late, seconds, message, text } => {
                let test = self.tests.entry(id).or_default();
                test.took += Duration::try_from_secs_f64(seconds).unwrap_or_default();
                test.is_over = when == Phase::Teardown;
                match outcome {
                    PhaseOutcome::Failed => {
                        let failure = Failure { message, text };
                        test.failed.push(FailedPhase { phase: when, is_late: late, failure });
                    }
                    // A test that passes though it was expected to fail has passed.
                    PhaseOutcome::Skipped => test.is_skipped = true,
                    PhaseOutcome::Passed => {}
                }
            }
            Event::Handed { value } => drop(self.handed.insert(PathBuf::from(value))),
            Event::StartedBeside { value } => drop(self.started_beside.insert(value)),
            Event::Broken { text } => self.broken = Some(text),
            Event::Ended { status, exposed } => (self.status, self.exposed) = (Some(status), exposed),
        }
    }
}
