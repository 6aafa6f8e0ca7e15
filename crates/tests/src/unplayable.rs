use crate::{Mismatch, Verdict};

/// Why a solution cannot be run at all, which is its own fault: then nothing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// The packages that it declares cannot be had, for this reason.
    NoEnvironment(String),
    /// It cannot be built: what the compiler said first.
    BuildFailed(String),
}

impl Unplayable {
    /// Of every case.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::NoEnvironment(_) => Verdict::NoEnvironment,
            Self::BuildFailed(_) => Verdict::BuildFailed,
        }
    }

    /// Why, for people.
    pub fn detail(&self) -> Mismatch {
        match self {
            Self::NoEnvironment(reason) => Mismatch::sentence("environment", reason.clone()),
            Self::BuildFailed(reason) => Mismatch::sentence("build", reason.clone()),
        }
    }
}
