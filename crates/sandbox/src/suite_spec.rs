//! What a worker has to know of a test suite: data that its two sides share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Limits, Runtime, Solution};

/// What the rooms of a suite are made of. All paths are the machine's, without symbolic links.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SuiteGround {
    /// The solution, of which both rooms get a copy that they may write to, with its environment.
    pub(crate) solution: Solution,
    /// What else of the machine is shown.
    pub(crate) runtime: Runtime,
    /// The suite's own folder.
    pub(crate) folder: PathBuf,
    /// What of it the solution's room shows as well: paths below it.
    pub(crate) shared: Vec<PathBuf>,
    /// What the suite's program is made of.
    pub(crate) environment: PathBuf,
    /// The worker and its libraries, by their names in [`PROGRAMS`](crate::layout::PROGRAMS).
    pub(crate) programs: Vec<(String, PathBuf)>,
}

/// What is run in the suite's room.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SuiteJob {
    /// The program and its arguments.
    pub(crate) argv: Vec<String>,
    /// Added to the fixed environment, and stronger than it.
    pub(crate) env: BTreeMap<String, String>,
    /// When to stop, for both rooms together.
    pub(crate) limits: Limits,
    /// Whether the solution's environment is shown.
    pub(crate) has_environment: bool,
}
