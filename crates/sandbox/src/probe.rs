//! What this machine offers to the embedded sandbox: for `slopbench doctor`, and for errors that
//! say what is missing.

use crate::Error;
pub use crate::feature::{Feature, FeatureState};
use crate::protocol::{WorkerReply, WorkerRequest};
use crate::worker_process::start_worker;

/// Tries every feature, in a process of its own. Takes some tens of milliseconds.
///
/// # Errors
///
/// Only if the trials cannot be made: the worker is not found, or was lost. A missing feature is a
/// [`FeatureState::Missing`].
pub fn features() -> Result<Vec<Feature>, Error> {
    let mut worker = start_worker()?;
    match worker.ask(&WorkerRequest::Probe, TIMEOUT)? {
        WorkerReply::Features(features) => Ok(features),
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
    missing.retain(|feature| feature.state != FeatureState::Found);
    // What fails for the same reason waits for the same remedy.
    missing.dedup_by(|later, first| later.state.cause() == first.state.cause());
    if missing.is_empty() { Ok(()) } else { Err(Error::Unsupported { missing }) }
}

/// How long the trials may take.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

/// If a step failed because the machine lacks something, says what.
pub(crate) fn explain(error: Error) -> Error {
    if !matches!(error, Error::Setup { .. }) {
        return error;
    }
    match available() {
        Err(unsupported @ Error::Unsupported { .. }) => unsupported,
        _ => error,
    }
}
