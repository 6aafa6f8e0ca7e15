//! What cases are about.

use serde::{Deserialize, Serialize};

/// What a case is about (paper, section 2.3). The fourth category, regression, is derived; see [`crate::Tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Functionality mentioned or shown in the specification.
    Core,
    /// Hidden checks of the rest of it.
    Functionality,
    /// Behaviour on bad input.
    Error,
}

impl Category {
    /// As written in cases and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Functionality => "functionality",
            Self::Error => "error",
        }
    }
}
