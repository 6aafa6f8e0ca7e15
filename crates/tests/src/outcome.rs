//! What became of one case, and what was seen.

use serde::Serialize;
use slopbench_sandbox::{Limit, Observation, ProgramEnd, ResourceUsage};

use crate::{Case, CaseId, Category, Mismatch, Unplayable, Verdict};

/// One case's verdict and what people want to know about it.
#[derive(Clone, Debug, Serialize)]
pub struct CaseOutcome {
    /// The case.
    pub id: CaseId,
    /// The checkpoint that introduced it.
    pub checkpoint: u32,
    /// The case's own category.
    pub category: Category,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Each thing that was not as expected.
    pub details: Vec<Mismatch>,
    /// What the last attempt used; absent where nothing ran.
    #[serde(skip)]
    pub usage: Option<ResourceUsage>,
    /// Which of the case's limits of time that came closest to, and the share of it that was used.
    #[serde(skip)]
    pub closest: Option<(Limit, f64)>,
    /// Why the sandbox failed, where it did.
    pub infrastructure: Option<String>,
    /// Whether the clock decided, not what the solution did: a wall clock limit, or an answer that did not come in time.
    #[serde(skip)]
    pub by_clock: bool,
}

impl CaseOutcome {
    pub(crate) fn new(case: &Case, verdict: Verdict) -> Self {
        let (id, checkpoint, category) = (case.id.clone(), case.checkpoint, case.category);
        Self {
            id,
            checkpoint,
            category,
            verdict,
            details: Vec::new(),
            usage: None,
            closest: None,
            infrastructure: None,
            by_clock: false,
        }
    }

    /// Of a solution that cannot be run.
    pub fn unplayed(case: &Case, why: &Unplayable) -> Self {
        Self { details: vec![why.detail()], ..Self::new(case, why.verdict()) }
    }

    pub(crate) fn of(case: &Case, observation: &Observation, verdict: Verdict, details: Vec<Mismatch>) -> Self {
        let by_clock = observation.end == ProgramEnd::Limit(Limit::Wall);
        let (usage, closest) = (Some(observation.usage), Some(case.limits.closest(&observation.usage)));
        Self { details, usage, closest, by_clock, ..Self::new(case, verdict) }
    }

    /// Passed, unless there is something that is not as expected.
    pub(crate) fn compared(case: &Case, observation: &Observation, details: Vec<Mismatch>) -> Self {
        let names: Vec<_> = details.iter().map(|mismatch| mismatch.what.clone()).collect();
        let verdict = if names.is_empty() { Verdict::Pass } else { Verdict::Fail { mismatches: names } };
        Self::of(case, observation, verdict, details)
    }
}
