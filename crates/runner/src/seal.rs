//! `seal.json`: what a stage consists of, so that what somebody changed later is noticed when it is read.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, Sha256, TreeId};

use crate::{Instrument, Spent};

/// What it is called in a stage's folder.
pub const SEAL: &str = "seal.json";
/// What `format` says in a seal of this version.
pub const SEAL_FORMAT: &str = "slopbench.seal/3";

/// A stage that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// `slopbench.seal/3`.
    pub format: String,
    /// The unit.
    pub unit: String,
    /// The stage.
    pub stage: String,
    /// The digest of the run's plan.
    pub plan: Sha256,
    /// What it was carried out with.
    pub instrument: Instrument,
    /// The workspaces that its files name.
    pub trees: BTreeSet<TreeId>,
    /// What it cost.
    pub spent: Spent,
    /// Its files.
    pub files: Listing,
}
