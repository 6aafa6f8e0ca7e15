//! What results say of a suite, and what keeps one from being played.

use std::{collections::BTreeSet, io};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_sandbox::Error;

use super::exposure::Exposure;

/// What cannot be made of a suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// No sandbox can be opened.
    #[error(transparent)]
    Sandbox(#[from] Error),
    /// The environment of its tests cannot be had.
    #[error("the environment of the tests cannot be made: {0}")]
    Environment(String),
    /// Its files cannot be staged.
    #[error("the tests cannot be put together: {0}")]
    Staging(#[from] io::Error),
}

/// What a suite's verdicts were made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRecord {
    /// The lock of the tests' environment: names, versions and digests of packages.
    pub lock: Sha256,
    /// Where what is expected is in the solution's reach, because tests import the solution. Verdicts of a solution that
    /// cheats say nothing then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expectations_exposed: Vec<Exposure>,
    /// Data beside the tests, by paths below their folder, that tests handed to a program, and that the solution sees
    /// therefore; assets are not among them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub handed_over: BTreeSet<String>,
}
