//! Where a rule matches.

use serde::{Deserialize, Serialize};

/// One match of one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Path of the file.
    pub path: String,
    /// First matched line.
    pub start_line: u32,
    /// Last matched line.
    pub end_line: u32,
    /// The rule's id.
    pub rule: String,
}
