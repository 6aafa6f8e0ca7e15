//! How much of a checkpoint a page holds.

/// The most bytes of what is known of single checkpoints. Beyond it, the page says that they are left out: half of them would pass for
/// all.
pub(crate) const MOST_DETAIL_BYTES: usize = 32 << 20;

/// How much of each checkpoint there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DetailLimits {
    /// Steps of the agent's.
    pub(crate) steps: usize,
    /// Characters of what is said, called and answered in a step.
    pub(crate) step_chars: usize,
    /// Callables, those of the largest mass.
    pub(crate) callables: usize,
    /// Matches of rules.
    pub(crate) matches: usize,
    /// Characters of what is said of a case.
    pub(crate) case_chars: usize,
    /// Characters of a diff; 0 leaves it out.
    pub(crate) diff_chars: usize,
    /// Characters of the sources of a checkpoint; 0 leaves them out.
    pub(crate) source_chars: usize,
}

impl DetailLimits {
    /// A page of 93 checkpoints stays below 3 MB.
    const WITHOUT_SOURCES: Self = Self {
        steps: 60,
        step_chars: 160,
        callables: 20,
        matches: 40,
        case_chars: 200,
        diff_chars: 0,
        source_chars: 0,
    };

    const WITH_SOURCES: Self = Self {
        steps: 500,
        step_chars: 4_000,
        callables: 200,
        matches: 2_000,
        case_chars: 2_000,
        diff_chars: 400_000,
        source_chars: 400_000,
    };

    /// With sources and diffs, or without.
    pub(crate) fn of(sources: bool) -> Self {
        if sources { Self::WITH_SOURCES } else { Self::WITHOUT_SOURCES }
    }
}
