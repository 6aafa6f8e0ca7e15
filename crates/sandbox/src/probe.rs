//! What this machine offers to the embedded sandbox: for `slopbench doctor`, and for errors that
//! say what is missing.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::namespaces::start_worker;
use crate::worker::{Reply, Request};

/// One thing that the sandbox needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// As in "user namespaces".
    pub name: String,
    /// Whether it is there.
    pub state: State,
}

/// Whether a feature is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
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

impl State {
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
            State::Found => write!(f, "{}: found", self.name),
            State::Missing { cause, advice } => {
                write!(f, "{} missing ({cause}): {advice}", self.name)
            }
        }
    }
}

/// Tries every feature, in a process of its own. Takes some tens of milliseconds.
///
/// # Errors
///
/// Only if the trials cannot be made: the worker is not found, or was lost. A missing feature is a
/// [`State::Missing`].
pub fn features() -> Result<Vec<Feature>, Error> {
    let mut worker = start_worker()?;
    match worker.ask(&Request::Probe, TIMEOUT)? {
        Reply::Features(features) => Ok(features),
        other => Err(worker.nonsense(&other)),
    }
}

/// Whether the embedded sandbox works here.
///
/// # Errors
///
/// [`Error::Unsupported`] names what is missing; otherwise as [`features`].
pub fn available() -> Result<(), Error> {
    let mut missing = features()?;
    missing.retain(|feature| feature.state != State::Found);
    // What fails for the same reason waits for the same remedy.
    missing.dedup_by(|later, first| later.state.cause() == first.state.cause());
    if missing.is_empty() { Ok(()) } else { Err(Error::Unsupported { missing }) }
}

/// How long the trials may take.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);
