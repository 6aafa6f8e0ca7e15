//! What cases are about.

use serde::{Deserialize, Serialize};

/// What a case is about (paper, section 2.3). Of cases, the fourth category is derived, and no case says it of itself: one of
/// an earlier checkpoint counts as regression, whatever its own category; see [`crate::VerdictCounts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Functionality mentioned or shown in the specification.
    Core,
    /// Hidden checks of the rest of it.
    Functionality,
    /// Behaviour on bad input.
    Error,
    /// Earlier behaviour, by a test's own mark: of tests in SlopCodeBench's format alone.
    Regression,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 4] = [Self::Core, Self::Functionality, Self::Error, Self::Regression];

    /// As written in cases and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Functionality => "functionality",
            Self::Error => "error",
            Self::Regression => "regression",
        }
    }
}
