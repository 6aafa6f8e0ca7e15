//! What agents tell while they work, each in its own format, read into one [`SessionReport`].
//!
//! Every agent is one module with a function `read`. Events that say nothing of what a report holds are passed over:
//! new versions tell more. What is cut off in the middle, as by a kill, is read as far as it goes.

mod claude_code;
mod codex;
pub mod compaction;
mod gemini_cli;
mod mini_swe_agent;
mod opencode;
mod report_builder;
mod values;

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use slopbench_gateway::{
    prices::{NoPrice, ProviderPrices},
    turn::TokenUsage,
};
use slopbench_sandbox::{Limit, ProgramEnd};

use self::report_builder::ReportBuilder;
use crate::{
    definition::Agent,
    session::EndedSession,
    trajectory::{AgentInfo, AtifTrajectory, FinalMetrics, SCHEMA_VERSION, TrajectoryStep},
};

/// What an agent told of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionReport {
    /// What the agent calls the session, if it says so.
    pub session_id: Option<String>,
    /// What was said and done.
    pub steps: Vec<TrajectoryStep>,
    /// What subagents said and did, by the call that began each.
    pub subagents: BTreeMap<String, Vec<TrajectoryStep>>,
    /// Tokens by model, requests beside the steps included where the agent tells of them.
    pub usage: BTreeMap<String, TokenUsage>,
    /// Who counted them.
    pub counted_by: Counter,
    /// What the agent says it cost, in US dollars, if it says so.
    pub reported_cost_usd: Option<f64>,
    /// What the agent says went wrong.
    pub failure: Option<String>,
    /// Whether it told of its end, good or bad.
    pub ended: bool,
}

/// Who counted a session's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counter {
    /// The agent, as it tells at its end.
    #[default]
    Agent,
    /// The gateway, in the provider's answers.
    Gateway,
}

/// What a trajectory says of sums that are not the agent's.
const COUNTED: &str = "The final metrics are the sums of what the provider's answers tell, as they passed the gateway.";

fn agent_info(agent: &Agent, version: &str, model: &str) -> AgentInfo {
    AgentInfo { name: agent.name.clone(), version: version.to_owned(), model_name: model.to_owned() }
}

/// How a session ended, in one word and with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum SessionEnd {
    /// The agent says that it is done.
    Done,
    /// The agent says that it failed, whatever its exit code.
    Failed {
        /// As it says.
        reason: String,
    },
    /// The process ended with an error that its events do not tell of.
    Crashed {
        /// The exit code.
        code: i32,
    },
    /// The process ended well without telling of its end.
    Silent,
    /// A signal that was not ours ended the process.
    Killed {
        /// Its number.
        signal: i32,
    },
    /// The time limit was reached.
    TimedOut,
    /// Another limit of its sandbox was reached.
    Limited {
        /// Which.
        limit: Limit,
    },
}

impl SessionEnd {
    /// In one word, as in the JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed { .. } => "failed",
            Self::Crashed { .. } => "crashed",
            Self::Silent => "silent",
            Self::Killed { .. } => "killed",
            Self::TimedOut => "timed-out",
            Self::Limited { .. } => "limited",
        }
    }
}

impl fmt::Display for SessionEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match self {
            Self::Failed { reason } => write!(f, "{word}: {reason}"),
            Self::Crashed { code } => write!(f, "{word} with exit code {code}"),
            Self::Killed { signal } => write!(f, "{word} by signal {signal}"),
            Self::Limited { limit } => write!(f, "{word}: {limit}"),
            Self::Done | Self::Silent | Self::TimedOut => f.write_str(word),
        }
    }
}

/// The reader of an agent's events.
type Read = fn(&str, &mut ReportBuilder);

/// By the name of a format, which an agent's definition gives. `none` tells of nothing, and is over when the process is.
const READERS: &[(&str, Read)] = &[
    ("none", |_, builder| builder.report.ended = true),
    ("claude-code", claude_code::read),
    ("codex", codex::read),
    ("gemini-cli", gemini_cli::read),
    ("mini-swe-agent", mini_swe_agent::read),
    ("opencode", opencode::read),
];

/// The names of the formats that can be read.
pub fn formats() -> Vec<&'static str> {
    READERS.iter().map(|(name, _)| *name).collect()
}

impl SessionReport {
    /// What `agent`, asked with `prompt` and with `model` behind it, told in `events`.
    pub fn of(agent: &Agent, model: &str, prompt: &str, events: &[u8]) -> Self {
        let mut builder = ReportBuilder::new(model, prompt);
        let reader = READERS.iter().find(|(name, _)| *name == agent.events.format);
        if let Some((_, read)) = reader {
            read(&String::from_utf8_lossy(events), &mut builder);
        }
        builder.finish()
    }

    /// How the session ended: the process's fate first, then the agent's own words, then its exit code.
    pub fn ending(&self, session: &EndedSession) -> SessionEnd {
        match (session.ended.end, &self.failure) {
            (ProgramEnd::Limit(Limit::Wall), _) => SessionEnd::TimedOut,
            (ProgramEnd::Limit(limit), _) => SessionEnd::Limited { limit },
            (ProgramEnd::Signalled(signal), _) => SessionEnd::Killed { signal },
            (_, Some(reason)) => SessionEnd::Failed { reason: reason.clone() },
            (ProgramEnd::Exited(0), None) if self.ended => SessionEnd::Done,
            // Only services are ever stopped.
            (ProgramEnd::Exited(0) | ProgramEnd::Stopped, None) => SessionEnd::Silent,
            (ProgramEnd::Exited(code), None) => SessionEnd::Crashed { code },
        }
    }

    /// All tokens.
    pub fn total(&self) -> TokenUsage {
        let mut total = TokenUsage::default();
        self.usage.values().for_each(|usage| total += *usage);
        total
    }

    /// What the tokens cost by `prices` on `date` (YYYY-MM-DD), in US dollars.
    ///
    /// # Errors
    ///
    /// [`NoPrice`] if one of the models has none.
    pub fn cost_usd(&self, prices: &ProviderPrices<'_>, date: &str) -> Result<f64, NoPrice> {
        self.usage.iter().map(|(model, usage)| prices.cost_usd(model, date, usage)).sum()
    }

    /// Takes the tokens that the gateway counted in place of what the agent tells, which may be less, as when it was killed,
    /// or anything. Where the gateway counted none, as for a provider that tells of none, the agent's own stay.
    pub fn count(&mut self, counted: BTreeMap<String, TokenUsage>) {
        if !counted.is_empty() {
            (self.usage, self.counted_by) = (counted, Counter::Gateway);
        }
    }

    /// The session in ATIF.
    pub fn trajectory(&self, agent: &Agent, version: &str, model: &str, cost_usd: Option<f64>) -> AtifTrajectory {
        let total = self.total();
        let of_subagent = |(id, steps): (&String, &Vec<TrajectoryStep>)| AtifTrajectory {
            schema_version: SCHEMA_VERSION.to_owned(),
            session_id: None,
            trajectory_id: Some(id.clone()),
            agent: agent_info(agent, version, model),
            steps: steps.clone(),
            notes: None,
            final_metrics: None,
            subagent_trajectories: Vec::new(),
        };
        AtifTrajectory {
            schema_version: SCHEMA_VERSION.to_owned(),
            session_id: self.session_id.clone(),
            trajectory_id: None,
            agent: agent_info(agent, version, model),
            steps: self.steps.clone(),
            notes: (self.counted_by == Counter::Gateway).then(|| COUNTED.to_owned()),
            final_metrics: Some(FinalMetrics {
                total_prompt_tokens: total.input,
                total_completion_tokens: total.output,
                total_cached_tokens: total.cached_input,
                total_cost_usd: cost_usd,
                total_steps: self.steps.len(),
            }),
            subagent_trajectories: self.subagents.iter().map(of_subagent).collect(),
        }
    }
}
