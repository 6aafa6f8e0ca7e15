//! What kinds of programs problems ask for.

use serde::{Deserialize, Serialize};

/// How a solution is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A program that is run once per case.
    Cli,
    /// A server that is started once per case and asked over HTTP.
    Http,
}
