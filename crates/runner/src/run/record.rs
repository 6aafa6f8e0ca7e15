//! `session.json`: how a session ended and what it took. Clocks and reasons are here and nowhere in the summary.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_agents::{events::Ending, turn::Usage};
use slopbench_digest::{Sha256, TreeId};
use slopbench_sandbox::{Limit, snapshot::Skipped};

use super::footprint::Footprint;

/// What `format` says in a record of this version.
pub(crate) const SESSION_FORMAT: &str = "slopbench.session/1";

/// One session of a worker at one checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`SESSION_FORMAT`].
    pub format: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The workspace that it began with; absent where there was no file.
    pub before: Option<TreeId>,
    /// The workspace that it left; absent where there is no file.
    pub workspace: Option<TreeId>,
    /// What in the workspace was not kept, and why.
    pub not_kept: Vec<Skipped>,
    /// The digest of what the worker was told.
    pub prompt: Sha256,
    /// Tokens by model, as the agent tells; empty where it tells of none, as when it was killed.
    pub usage: BTreeMap<String, Usage>,
    /// What they cost by our price table on that day, in US dollars; absent where the table lacks a model.
    pub cost_usd: Option<f64>,
    /// What the agent says it cost.
    pub told_cost_usd: Option<f64>,
    /// What it took besides.
    pub footprint: Footprint,
    /// When it began, in UTC.
    pub began: String,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// The worker says that it is done, and changed the workspace.
    Done,
    /// It says that it is done, and changed nothing.
    Unchanged,
    /// It says that it failed, whatever its exit code.
    Failed {
        /// As it says.
        reason: String,
    },
    /// It ended with this exit code and does not say why.
    Crashed {
        /// The code.
        code: i32,
    },
    /// It ended with exit code 0 and does not say that it is done.
    Silent,
    /// A signal that was not ours ended it.
    Killed {
        /// The signal's number.
        signal: i32,
    },
    /// It was still at work when its time was up.
    TimedOut,
    /// It reached another limit of its sandbox.
    Limited {
        /// Which.
        limit: Limit,
    },
    /// Its workspace is too large to be kept.
    TooLarge {
        /// How large.
        reason: String,
    },
    /// Its model's provider, or the cassette, gave no answer. Says nothing of the worker: such a session is kept as an
    /// attempt, and done again when the run is resumed.
    Unanswered {
        /// What the gateway saw.
        reason: String,
    },
}

impl Outcome {
    /// In one word, as in the JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Unchanged => "unchanged",
            Self::Failed { .. } => "failed",
            Self::Crashed { .. } => "crashed",
            Self::Silent => "silent",
            Self::Killed { .. } => "killed",
            Self::TimedOut => "timed-out",
            Self::Limited { .. } => "limited",
            Self::TooLarge { .. } => "too-large",
            Self::Unanswered { .. } => "unanswered",
        }
    }

    /// Whether the next checkpoint is begun. After a failure it is not: the rest scores zero (paper, section 2.3).
    pub fn goes_on(&self) -> bool {
        matches!(self, Self::Done | Self::Unchanged)
    }
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Done => Self::Done,
            Ending::Failed { reason } => Self::Failed { reason },
            Ending::Crashed { code } => Self::Crashed { code },
            Ending::Silent => Self::Silent,
            Ending::Killed { signal } => Self::Killed { signal },
            Ending::TimedOut => Self::TimedOut,
            Ending::Limited { limit } => Self::Limited { limit },
        }
    }
}

impl Record {
    /// All tokens.
    pub fn total(&self) -> Usage {
        let mut total = Usage::default();
        self.usage.values().for_each(|usage| total += *usage);
        total
    }
}
