//! `session.json`: how a session ended and what it took. Clocks and reasons are here and nowhere in the summary.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, TreeId};
use slopbench_gateway::{server::PackageUse, turn::TokenUsage};
use slopbench_runner::Spent;
use slopbench_sandbox::snapshot::Skips;

use super::footprint::Footprint;
use crate::events::{Counter, SessionEnd};

/// What `format` says in a record of this version.
pub(crate) const SESSION_FORMAT: &str = "slopbench.session/3";

/// One stage of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageRecord {
    /// [`SESSION_FORMAT`].
    pub format: String,
    /// How it ended.
    pub outcome: StageOutcome,
    /// The workspace that it began with; absent where there was no file.
    pub before: Option<TreeId>,
    /// The workspace that it left; absent where there is no file.
    pub workspace: Option<TreeId>,
    /// What in the workspace was not kept, and why.
    pub not_kept: Skips,
    /// The digest of what the worker was told.
    pub prompt: Sha256,
    /// Tokens by model; empty where nobody tells of any.
    pub usage: BTreeMap<String, TokenUsage>,
    /// Who counted them: the gateway, as far as the provider's answers tell.
    pub counted_by: Counter,
    /// What they cost by our price table on that day, in US dollars; absent where the table lacks a model.
    pub cost_usd: Option<f64>,
    /// What the agent says it cost.
    pub reported_cost_usd: Option<f64>,
    /// What it took besides.
    pub footprint: Footprint,
    /// When it began, in UTC.
    pub began: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// By what its agent calls the conversation, so that a later stage can go on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// What it had of package indexes.
    #[serde(default, skip_serializing_if = "is_unused")]
    pub packages: PackageUse,
}

fn is_unused(packages: &PackageUse) -> bool {
    *packages == PackageUse::default()
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum StageOutcome {
    /// The worker says that it is done, and changed nothing.
    Unchanged,
    /// Its workspace is too large to be kept.
    TooLarge {
        /// How large.
        reason: String,
    },
    /// Its workspace cannot be kept for another reason.
    NotKept {
        /// Which.
        reason: String,
    },
    /// Its model's provider, or the cassette, gave no answer. Says nothing of the worker: such a session is kept as an
    /// attempt, and done again when the run is resumed.
    Unanswered {
        /// What the gateway saw.
        reason: String,
    },
    /// As the worker itself ended; one that is done has changed the workspace.
    #[serde(untagged)]
    Ended(SessionEnd),
}

impl StageOutcome {
    /// In one word, as in the JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::TooLarge { .. } => "too-large",
            Self::NotKept { .. } => "not-kept",
            Self::Unanswered { .. } => "unanswered",
            Self::Ended(ending) => ending.word(),
        }
    }

    /// Whether the worker is done, by its own account.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Ended(SessionEnd::Done) | Self::Unchanged)
    }
}

impl fmt::Display for StageOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unchanged => f.write_str(self.word()),
            Self::TooLarge { reason } | Self::NotKept { reason } | Self::Unanswered { reason } => {
                write!(f, "{}: {reason}", self.word())
            }
            Self::Ended(ending) => ending.fmt(f),
        }
    }
}

impl StageRecord {
    /// What counts against a budget: by our price table, or by the agent's own figure where that has none.
    pub fn spent(&self) -> Spent {
        let total = self.total();
        let usd = self.cost_usd.or(self.reported_cost_usd).unwrap_or_default();
        Spent { usd, tokens: total.input + total.output }
    }

    /// All tokens.
    pub fn total(&self) -> TokenUsage {
        let mut total = TokenUsage::default();
        self.usage.values().for_each(|usage| total += *usage);
        total
    }
}

#[cfg(test)]
mod tests {
    use slopbench_sandbox::Limit;

    use super::*;

    #[test]
    fn an_outcome_is_one_flat_object_whoever_says_it() {
        let rows = [
            (StageOutcome::Unchanged, r#"{"outcome":"unchanged"}"#, "unchanged"),
            (StageOutcome::Ended(SessionEnd::Done), r#"{"outcome":"done"}"#, "done"),
            (
                StageOutcome::Ended(SessionEnd::Crashed { code: 3 }),
                r#"{"outcome":"crashed","code":3}"#,
                "crashed with exit code 3",
            ),
            (
                StageOutcome::Ended(SessionEnd::Limited { limit: Limit::Memory }),
                r#"{"outcome":"limited","limit":"memory"}"#,
                "limited: memory",
            ),
            (
                StageOutcome::Unanswered { reason: "no answer".to_owned() },
                r#"{"outcome":"unanswered","reason":"no answer"}"#,
                "unanswered: no answer",
            ),
        ];
        for (outcome, json, text) in rows {
            assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
            assert_eq!(serde_json::from_str::<StageOutcome>(json).unwrap(), outcome);
            assert_eq!(outcome.to_string(), text);
        }
        assert!(serde_json::from_str::<StageOutcome>(r#"{"outcome":"vanished"}"#).is_err());
    }
}
