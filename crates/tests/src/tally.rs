//! Verdicts, counted.

use serde::{Deserialize, Serialize};

use crate::{CaseOutcome, Category, Verdict};

/// Passed of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Cases passed.
    pub passed: usize,
    /// Cases in all.
    pub total: usize,
}

impl Tally {
    /// Whether every case passed.
    pub fn is_full(self) -> bool {
        self.passed == self.total
    }

    fn add(&mut self, verdict: &Verdict) {
        self.total += 1;
        self.passed += usize::from(*verdict == Verdict::Pass);
    }
}

/// Verdicts by category. A case of an earlier checkpoint counts as regression, whatever its own category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    /// This checkpoint's core cases.
    pub core: Tally,
    /// This checkpoint's functionality cases.
    pub functionality: Tally,
    /// This checkpoint's error cases.
    pub error: Tally,
    /// All cases of earlier checkpoints, and those of this one that say so.
    pub regression: Tally,
    /// How many of all cases have no verdict on the solution because the sandbox failed.
    pub infrastructure: usize,
}

impl VerdictCounts {
    /// Counts the outcomes of checkpoint `checkpoint`'s suite.
    pub fn of(checkpoint: u32, outcomes: &[CaseOutcome]) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            counts.infrastructure += usize::from(outcome.verdict == Verdict::Infrastructure);
            counts.tally(outcome.checkpoint < checkpoint, outcome.category).add(&outcome.verdict);
        }
        counts
    }

    fn tally(&mut self, is_regression: bool, category: Category) -> &mut Tally {
        match (is_regression, category) {
            (true, _) | (false, Category::Regression) => &mut self.regression,
            (false, Category::Core) => &mut self.core,
            (false, Category::Functionality) => &mut self.functionality,
            (false, Category::Error) => &mut self.error,
        }
    }

    /// All cases together.
    pub fn all(&self) -> Tally {
        let parts = [self.core, self.functionality, self.error, self.regression];
        Tally {
            passed: parts.iter().map(|tally| tally.passed).sum(),
            total: parts.iter().map(|tally| tally.total).sum(),
        }
    }
}

/// How far a checkpoint is solved (paper, section 2.3 and Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solve {
    /// All cases pass, regression cases among them.
    pub strict: bool,
    /// All but regression cases pass.
    pub isolated: bool,
    /// All core cases pass.
    pub core: bool,
}

impl From<&VerdictCounts> for Solve {
    fn from(counts: &VerdictCounts) -> Self {
        let isolated = [counts.core, counts.functionality, counts.error].into_iter().all(Tally::is_full);
        Self { strict: isolated && counts.regression.is_full(), isolated, core: counts.core.is_full() }
    }
}
