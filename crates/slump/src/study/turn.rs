//! `turn.json`: what is known of a request beside its [`StageRecord`](slopbench_agents::stage::StageRecord).

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_agents::{
    events::compaction::compactions,
    stage::{SESSION, StageRecord},
};
use slopbench_digest::TreeId;
use slopbench_gateway::turn::TokenUsage;
use slopbench_runner::{RunStore, read_json};

use super::stages::SessionStage;
use crate::Error;

/// The name of a [`TurnRecord`] among a stage's files.
pub const TURN: &str = "turn.json";
/// What `format` says in one of this version.
pub(super) const TURN_FORMAT: &str = "slopbench.slump-turn/1";

/// One request of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// `slopbench.slump-turn/1`.
    pub format: String,
    /// From 1.
    pub request: usize,
    /// Whether the conversation went on; else it began anew.
    pub continued: bool,
    /// Where the next request goes on: the folders `home` and `workspace` as they were left. Absent after the last one, and where
    /// they cannot be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TreeId>,
    /// How often the agent says that the conversation was compacted; absent where its events have no word for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compactions: Option<u64>,
    /// Tokens that the model read in each of its turns, in order, as the gateway counts them; empty where nobody tells.
    pub contexts: Vec<u64>,
}

/// The records of a request that is done.
///
/// # Errors
///
/// [`Error::Run`] if they are not as they were kept.
pub fn turn_record(store: &RunStore, unit: &str, request: usize) -> Result<Option<(StageRecord, TurnRecord)>, Error> {
    let Some(folder) = store.stage(unit, &SessionStage::Request(request).name())? else { return Ok(None) };
    Ok(Some((read_json(&folder.join(SESSION))?, read_json(&folder.join(TURN))?)))
}

/// What the events in the folder `session` say of compactions, in the format that its worker tells them in.
pub(super) fn told_compactions(format: Option<&str>, session: &Path) -> Option<u64> {
    compactions(format?, &fs::read(session.join("events")).ok()?)
}

/// What is read of a line of `gateway.jsonl`.
#[derive(Deserialize)]
struct LoggedTurn {
    #[serde(default)]
    turn: bool,
    usage: Option<TokenUsage>,
}

/// What the model read in each turn, by the gateway's log in the folder `session`.
pub(super) fn context_sizes(session: &Path) -> Vec<u64> {
    let log = fs::read_to_string(session.join("gateway.jsonl")).unwrap_or_default();
    let entries = log.lines().filter_map(|line| serde_json::from_str::<LoggedTurn>(line).ok());
    entries.filter(|entry| entry.turn).filter_map(|entry| Some(entry.usage?.input)).collect()
}
