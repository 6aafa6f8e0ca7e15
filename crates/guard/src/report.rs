//! What goes into a guard and comes out of it: a finished turn, a brief, a report.

use serde::{Deserialize, Serialize};

use crate::asking::forecast::Forecast;
use crate::asking::{ModelFailure, ModelUse};
use crate::restart::RestartReason;
use crate::structural::StructuralChange;
use crate::turns::SemanticOutcome;

/// What became of a turn.
#[derive(Debug, Clone, Copy)]
pub struct FinishedTurn<'a> {
    /// What the user asked for.
    pub request: &'a str,
    /// What the agent answered at the end; may be empty.
    pub answer: &'a str,
}

/// What an agent is told before a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// Which format this is.
    pub format: BriefFormat,
    /// The text, in Markdown.
    pub text: String,
    /// Why the agent's session is to begin anew, with this text; nothing where it is to go on.
    pub restart: Option<RestartReason>,
    /// What is expected of the request; nothing where no model was asked, or it failed.
    pub forecast: Option<Forecast>,
    /// Records and files that the forecast named and that are not there; they are not in the text.
    pub unknown: Vec<String>,
    /// Why there is no forecast, where a model was asked.
    pub failure: Option<ModelFailure>,
    /// What the model's call took.
    pub used: ModelUse,
}

/// The name and version of a brief's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BriefFormat {
    /// The only version.
    #[serde(rename = "slopbench.guard-brief/1")]
    V1,
}

impl Brief {
    /// The brief, and the request behind it.
    pub fn before(&self, request: &str) -> String {
        format!("{}\n# Request\n\n{}\n", self.text.trim_end_matches('\n').to_owned() + "\n", request.trim())
    }
}

/// What an update found and did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnReport {
    /// Which format this is.
    pub format: TurnReportFormat,
    /// The number of the turn, from 1.
    pub turn: u32,
    /// What changed in the code.
    pub structure: StructuralChange,
    /// What became of the records.
    pub records: SemanticOutcome,
    /// What models' calls took.
    pub used: ModelUse,
    /// How many turns the records do not have now.
    pub unread_turns: usize,
    /// How large the state is now.
    pub size: StateSize,
}

/// The name and version of a report's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TurnReportFormat {
    /// The only version.
    #[serde(rename = "slopbench.guard-report/1")]
    V1,
}

/// How large a state is, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSize {
    /// Records and the edge table.
    pub semantic: u64,
    /// The structural state.
    pub structural: u64,
    /// The log of turns, which is no part of the state that a brief is made of.
    pub log: u64,
}

impl StateSize {
    /// Records, edge table and structural state, in kilobytes of 1,000 bytes.
    pub fn kilobytes(&self) -> f64 {
        (self.semantic + self.structural) as f64 / 1000.0
    }
}
