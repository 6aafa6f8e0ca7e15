//! Trajectories in ATIF, Harbor's JSON format for what an agent did, version 1.7.
//!
//! The members are those of the format, as far as agents' command lines tell what belongs there.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the format.
pub const SCHEMA_VERSION: &str = "ATIF-v1.7";

/// An agent's session, step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtifTrajectory {
    /// [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// What the agent calls the session; absent where it calls it nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// A subagent's: the call of the parent's that began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory_id: Option<String>,
    /// Who acted.
    pub agent: AgentInfo,
    /// What was said and done, in order; never empty.
    pub steps: Vec<TrajectoryStep>,
    /// Where figures come from that are not the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Sums over the session, subagents and requests beside the steps included; absent for a subagent, which is part of its
    /// parent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_metrics: Option<FinalMetrics>,
    /// What the agent had others do, each with a [trajectory id](Self::trajectory_id).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subagent_trajectories: Vec<AtifTrajectory>,
}

/// Who acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentInfo {
    /// The agent's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its model.
    pub model_name: String,
}

/// Whose words a step holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepSource {
    /// The agent's own setting.
    System,
    /// Who gave the task.
    User,
    /// The model, through the agent.
    Agent,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrajectoryStep {
    /// From 1.
    pub step_id: usize,
    /// When it was told, in ISO 8601; absent where the agent does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Whose turn it is.
    pub source: StepSource,
    /// What was said; may be empty.
    pub message: String,
    /// What the model thought, as far as it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// The tools that were called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<StepCall>,
    /// What the tools gave back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<StepObservation>,
    /// Tokens of this step, where the agent tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<StepMetrics>,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepCall {
    /// Unique within the trajectory.
    pub tool_call_id: String,
    /// The tool's name.
    pub function_name: String,
    /// What it was given.
    pub arguments: Map<String, Value>,
}

/// What tools gave back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepObservation {
    /// One for each call that ended.
    pub results: Vec<CallResult>,
}

/// What one tool gave back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// The call.
    pub source_call_id: String,
    /// Its output.
    pub content: String,
    /// The subagent that did it, if one did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subagent_trajectory_ref: Vec<SubagentRef>,
}

/// Names one of a trajectory's subagents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubagentRef {
    /// Its [`AtifTrajectory::trajectory_id`].
    pub trajectory_id: String,
}

/// Tokens of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepMetrics {
    /// All input tokens, cached ones included.
    pub prompt_tokens: u64,
    /// All output tokens, reasoning included; absent where the agent tells those of the message's start alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Those of the input that came from a cache.
    pub cached_tokens: u64,
}

/// Sums over a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinalMetrics {
    /// All input tokens, cached ones included.
    pub total_prompt_tokens: u64,
    /// All output tokens, reasoning included.
    pub total_completion_tokens: u64,
    /// Those of the input that came from a cache.
    pub total_cached_tokens: u64,
    /// By our price table, in US dollars; `None` where it lacks a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_cost_usd: Option<f64>,
    /// The number of steps, without those of subagents.
    pub total_steps: usize,
}
