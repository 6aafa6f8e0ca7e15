//! What an agent said and did, from ATIF.

use serde::Serialize;
use slopbench_agents::trajectory::{AtifTrajectory, StepCall, StepSource, TrajectoryStep};

use crate::{brief::clipped, limits::DetailLimits};

/// Steps of a session, subagents' among them.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct StepList {
    /// Who acted: agent, version and model.
    agent: String,
    steps: Vec<PageStep>,
    /// How many more there were.
    left_out: usize,
}

#[derive(Clone, Debug, Serialize)]
struct PageStep {
    source: StepSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reasoning: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<PageCall>,
    /// Input and output, where the agent tells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<(u64, Option<u64>)>,
}

#[derive(Clone, Debug, Serialize)]
struct PageCall {
    tool: String,
    arguments: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

impl StepList {
    pub(crate) fn of(trajectory: &AtifTrajectory, limits: &DetailLimits) -> Self {
        let info = &trajectory.agent;
        let mut list =
            Self { agent: format!("{} {}, {}", info.name, info.version, info.model_name), ..Self::default() };
        list.add(trajectory, None, limits);
        list
    }

    fn add(&mut self, trajectory: &AtifTrajectory, subagent: Option<&str>, limits: &DetailLimits) {
        let room = limits.steps.saturating_sub(self.steps.len());
        let shown = trajectory.steps.iter().take(room);
        self.steps.extend(shown.map(|step| PageStep::of(step, subagent, limits)));
        self.left_out += trajectory.steps.len().saturating_sub(room);
        for inner in &trajectory.subagent_trajectories {
            self.add(inner, Some(inner.trajectory_id.as_deref().unwrap_or("subagent")), limits);
        }
    }
}

impl PageStep {
    fn of(step: &TrajectoryStep, subagent: Option<&str>, limits: &DetailLimits) -> Self {
        let clip = |text: &str| clipped(text, limits.step_chars);
        let results = step.observation.as_ref().map_or(&[][..], |observation| &observation.results);
        let call = |call: &StepCall| PageCall {
            tool: call.function_name.clone(),
            arguments: clip(&arguments(call)),
            result: results.iter().find(|one| one.source_call_id == call.tool_call_id).map(|one| clip(&one.content)),
        };
        Self {
            source: step.source,
            subagent: subagent.map(str::to_owned),
            message: clip(&step.message),
            reasoning: clip(step.reasoning_content.as_deref().unwrap_or_default()),
            calls: step.tool_calls.iter().map(call).collect(),
            tokens: step.metrics.map(|metrics| (metrics.prompt_tokens, metrics.completion_tokens)),
        }
    }
}

/// A text as it is, and anything else as JSON: what is run or written is read best without quotes.
fn arguments(call: &StepCall) -> String {
    let argument = |(name, value): (&String, &serde_json::Value)| match value.as_str() {
        Some(text) => format!("{name}: {text}"),
        None => format!("{name}: {value}"),
    };
    call.arguments.iter().map(argument).collect::<Vec<_>>().join("\n")
}
