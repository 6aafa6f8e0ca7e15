//! What suites are run with: pytest, and what tests import.

use std::path::PathBuf;

use slopbench_digest::Sha256;

/// What every suite is run with: names, versions and digests, as `requirements.txt` says them.
pub const BASE_LOCK: &str = include_str!("base.lock");

/// An environment for suites that is built.
#[derive(Clone, Debug)]
pub struct SuiteEnvironment {
    /// Its folder: `bin/python` imports what is locked.
    pub dir: PathBuf,
    /// The digest of its lock.
    pub lock: Sha256,
}

/// Gives the environment that [`BASE_LOCK`] and these packages make, or says why it cannot be had.
pub type SuiteEnvironments<'a> = dyn Fn(&[String]) -> Result<SuiteEnvironment, String> + Sync + 'a;

/// No environment at all: for problems whose cases need none.
///
/// # Errors
///
/// Always.
pub fn no_environments(_: &[String]) -> Result<SuiteEnvironment, String> {
    Err("nobody said where environments of tests come from".to_owned())
}

/// The packages of [`BASE_LOCK`], by name.
pub(super) fn base_modules() -> impl Iterator<Item = &'static str> {
    BASE_LOCK.lines().filter_map(|line| Some(line.split_once("==")?.0)).filter(|name| !name.starts_with([' ', '#']))
}
