//! Problems in SlopCodeBench's own format: a suite of pytest's tests, which start the solution themselves.
//!
//! [`load`] reads a folder with a `config.yaml` ([`format`] has its keys, [`exposed`] looks at what its tests import).
//! [`play`] stages the files of one checkpoint ([`staging`]), has pytest run them in a sandbox with our own `runner.py`
//! before it, and reads what that reports ([`report`]); [`judge`] makes verdicts of it.

mod command;
mod environment;
mod exposed;
mod exposure;
mod format;
mod judge;
mod load;
mod play;
mod record;
mod report;
mod staging;
mod stdlib;
mod suite;

pub use environment::{
    BASE_LOCK, SuiteEnvironment, SuiteEnvironments, base_requirements, is_in_base_lock, no_environments,
};
pub use exposure::Exposure;
pub(crate) use load::{CONFIG, Loaded, load};
pub(crate) use play::{SuiteJob, play};
pub use record::{SuiteError, SuiteRecord};
pub use suite::PytestSuite;
