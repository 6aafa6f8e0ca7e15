//! What the embedded sandbox needs of a machine, and whether it is there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that the sandbox needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// As in "user namespaces".
    pub name: String,
    /// Whether it is there.
    pub state: FeatureState,
}

/// Whether a feature is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FeatureState {
    /// It was tried and worked.
    Found,
    /// It was tried and failed.
    Missing {
        /// What the system said.
        cause: String,
        /// What to do about it.
        advice: String,
    },
}

impl FeatureState {
    /// What the system said, where the feature is missing.
    pub(crate) fn cause(&self) -> Option<&str> {
        match self {
            Self::Found => None,
            Self::Missing { cause, .. } => Some(cause),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            FeatureState::Found => write!(f, "{}: found", self.name),
            FeatureState::Missing { cause, advice } => {
                write!(f, "{} missing ({cause}): {advice}", self.name)
            }
        }
    }
}
