//! Where expectations are in the solution's reach.

use serde::{Deserialize, Serialize};

/// A place where tests bring the solution into pytest's own process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// The file below the folder of tests; where only the session showed it, the module that was loaded.
    pub place: String,
    /// What it does, in a few words.
    pub how: String,
}
