//! Verdicts of what a session reported.

use slopbench_sandbox::{Limit, ResourceUsage};

use super::{
    report::{FailedPhase, Failure, TestRecord},
    staging::category,
    suite::PytestSuite,
};
use crate::{CaseId, CaseOutcome, Mismatch, Verdict};

/// What a failure's text says where a clock may have decided: pytest-timeout's, subprocess's, a client's.
const CLOCKS: [&str; 3] = ["TimeoutExpired", "Timeout", "timed out"];

/// What archived verdicts call the failure of a test that was never run.
#[derive(Clone, Copy)]
pub(super) enum Obstacle {
    /// Its file, or what that needs, cannot be imported.
    Collection,
    /// The session ended before it: a test or a fixture ended it.
    Session,
}

impl Obstacle {
    fn as_str(self) -> &'static str {
        match self {
            Self::Collection => "collection",
            Self::Session => "session",
        }
    }
}

/// How much of a failure's text is shown, in lines.
const TEXT_LINES: usize = 60;

/// Judges tests of one checkpoint's suite.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) suite: &'a PytestSuite,
    /// Whose suite is played.
    pub(super) number: u32,
}

impl Judge<'_> {
    /// A test that is over.
    pub(super) fn test(&self, id: &str, record: &TestRecord) -> CaseOutcome {
        let failed = &record.failed;
        let is_late = failed.iter().any(|phase| phase.is_late);
        let verdict = match failed.as_slice() {
            [] if record.is_skipped => Verdict::Skipped,
            [] => Verdict::Pass,
            _ if is_late => Verdict::Limit { limit: Limit::Wall },
            _ => Verdict::Fail { mismatches: failed.iter().map(|phase| phase.phase.as_str().to_owned()).collect() },
        };
        let by_clock = failed.iter().any(|phase| names_clock(&phase.failure));
        let details = failed.iter().map(|FailedPhase { phase, failure, .. }| detail(phase.as_str(), failure)).collect();
        let usage = Some(ResourceUsage { wall: record.took, ..ResourceUsage::default() });
        CaseOutcome { details, usage, by_clock: by_clock || is_late, ..self.outcome(id, &record.markers, verdict) }
    }

    /// A test, or a file of tests, that was never run, by the doing of tests or solution.
    pub(super) fn unrun(&self, id: &str, markers: &[String], why: Obstacle, failure: &Failure) -> CaseOutcome {
        let verdict = Verdict::Fail { mismatches: vec![why.as_str().to_owned()] };
        let details = vec![detail(why.as_str(), failure)];
        CaseOutcome { details, by_clock: names_clock(failure), ..self.outcome(id, markers, verdict) }
    }

    /// A test that a limit of the whole suite stopped, or never let begin.
    pub(super) fn stopped(&self, id: &str, markers: &[String], limit: Limit) -> CaseOutcome {
        let outcome = self.outcome(id, markers, Verdict::Limit { limit });
        CaseOutcome { by_clock: limit == Limit::Wall, ..outcome }
    }

    /// A test of which nothing is known, because the infrastructure failed.
    pub(super) fn unknown(&self, id: &str, markers: &[String], cause: &str) -> CaseOutcome {
        CaseOutcome { infrastructure: Some(cause.to_owned()), ..self.outcome(id, markers, Verdict::Infrastructure) }
    }

    /// A test of which there is nothing to say but this.
    pub(super) fn outcome(&self, id: &str, markers: &[String], verdict: Verdict) -> CaseOutcome {
        let number = self.suite.number_of(file_of(id));
        let category = category(self.suite, number.is_some(), markers);
        CaseOutcome {
            id: CaseId::of_test(id),
            checkpoint: number.unwrap_or(self.number),
            category,
            verdict,
            details: Vec::new(),
            usage: None,
            closest: None,
            infrastructure: None,
            by_clock: false,
        }
    }
}

/// The file of a test's identifier.
pub(super) fn file_of(id: &str) -> &str {
    id.split_once("::").map_or(id, |(file, _)| file)
}

fn names_clock(failure: &Failure) -> bool {
    CLOCKS.iter().any(|word| failure.text.contains(word) || failure.message.contains(word))
}

fn detail(what: &str, failure: &Failure) -> Mismatch {
    let lines: Vec<_> = failure.text.lines().collect();
    let shown = lines.get(lines.len().saturating_sub(TEXT_LINES)..).unwrap_or_default();
    let sentence = failure.message.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    Mismatch {
        what: what.to_owned(),
        detail: crate::excerpt::cut(sentence.trim()),
        diff: shown.iter().map(|line| format!(" {line}\n")).collect(),
    }
}
