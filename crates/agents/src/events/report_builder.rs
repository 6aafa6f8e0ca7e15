//! A report in the making.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use slopbench_gateway::turn::TokenUsage;

use super::SessionReport;
use crate::trajectory::{CallResult, StepCall, StepMetrics, StepSource, SubagentRef, TrajectoryStep};

/// A report, and whose turn it is.
pub(super) struct ReportBuilder {
    model: String,
    /// The subagent that the events are of; none for the session's own agent.
    subagent: Option<String>,
    /// The name of the last step, if it has one, of each agent.
    turns: BTreeMap<Option<String>, String>,
    timestamp: Option<String>,
    pub(super) report: SessionReport,
}

impl ReportBuilder {
    /// Begins with what the agent was asked.
    pub(super) fn new(model: &str, prompt: &str) -> Self {
        let mut builder = Self {
            model: model.to_owned(),
            subagent: None,
            turns: BTreeMap::new(),
            timestamp: None,
            report: SessionReport::default(),
        };
        builder.add(StepSource::User).message = prompt.to_owned();
        builder
    }

    pub(super) fn finish(self) -> SessionReport {
        self.report
    }

    /// What comes next is of the agent that the call `parent` began; without one, of the session's own.
    pub(super) fn of(&mut self, parent: &str) {
        self.subagent = (!parent.is_empty()).then(|| parent.to_owned());
    }

    /// The agent's name for the session.
    pub(super) fn session(&mut self, id: &str) {
        if !id.is_empty() {
            self.report.session_id.get_or_insert_with(|| id.to_owned());
        }
    }

    /// What comes next was told then, in ISO 8601.
    pub(super) fn at(&mut self, timestamp: &str) {
        self.timestamp = (!timestamp.is_empty()).then(|| timestamp.to_owned());
    }

    /// The agent's step `id`: the last one if it has this name, otherwise a new one.
    pub(super) fn turn(&mut self, id: &str) -> &mut TrajectoryStep {
        if self.turns.get(&self.subagent).map(String::as_str) != Some(id) {
            self.turns.insert(self.subagent.clone(), id.to_owned());
            self.add(StepSource::Agent);
        }
        self.last()
    }

    /// The agent's last step, unless its tools have answered already: then a new one. For agents that name no turns.
    pub(super) fn unnamed_turn(&mut self) -> &mut TrajectoryStep {
        let is_open =
            self.steps().last().is_some_and(|last| last.source == StepSource::Agent && last.observation.is_none());
        if !is_open {
            self.add(StepSource::Agent);
        }
        self.last()
    }

    /// What a tool gave back to the call `id`; calls that nobody made are not known to ATIF.
    pub(super) fn result(&mut self, id: &str, content: &str) {
        let subagent = self.report.subagents.contains_key(id).then(|| SubagentRef { trajectory_id: id.to_owned() });
        let made = |step: &&mut TrajectoryStep| step.tool_calls.iter().any(|call| call.tool_call_id == id);
        if let Some(step) = self.steps().iter_mut().rev().find(made) {
            step.observation.get_or_insert_default().results.push(CallResult {
                source_call_id: id.to_owned(),
                content: content.to_owned(),
                subagent_trajectory_ref: subagent.into_iter().collect(),
            });
        }
    }

    /// Tokens of the session's model.
    pub(super) fn used(&mut self, usage: TokenUsage) {
        *self.report.usage.entry(self.model.clone()).or_default() += usage;
    }

    pub(super) fn fail(&mut self, reason: &str) {
        let reason = if reason.is_empty() { "the agent gives no reason" } else { reason };
        self.report.failure = Some(reason.to_owned());
    }

    fn steps(&mut self) -> &mut Vec<TrajectoryStep> {
        match &self.subagent {
            None => &mut self.report.steps,
            Some(id) => self.report.subagents.entry(id.clone()).or_default(),
        }
    }

    fn add(&mut self, source: StepSource) -> &mut TrajectoryStep {
        let timestamp = self.timestamp.clone();
        let steps = self.steps();
        steps.push(TrajectoryStep {
            step_id: steps.len() + 1,
            timestamp,
            source,
            message: String::new(),
            reasoning_content: None,
            tool_calls: Vec::new(),
            observation: None,
            metrics: None,
        });
        self.last()
    }

    fn last(&mut self) -> &mut TrajectoryStep {
        let steps = self.steps();
        let last = steps.len() - 1;
        &mut steps[last]
    }
}

impl TrajectoryStep {
    pub(super) fn say(&mut self, text: &str) {
        self.message.push_str(text);
    }

    pub(super) fn think(&mut self, text: &str) {
        self.reasoning_content.get_or_insert_default().push_str(text);
    }

    pub(super) fn call(&mut self, id: &str, name: &str, arguments: &Value) {
        let arguments = match arguments {
            Value::Object(map) => map.clone(),
            other => Map::from_iter([("input".to_owned(), json!(other))]),
        };
        self.tool_calls.push(StepCall { tool_call_id: id.to_owned(), function_name: name.to_owned(), arguments });
    }

    /// What the step took; before its end, what it has read.
    pub(super) fn cost(&mut self, usage: TokenUsage, is_at_end: bool) {
        if usage == TokenUsage::default() {
            return;
        }
        let TokenUsage { input, cached_input, output, .. } = usage;
        let completion_tokens = is_at_end.then_some(output);
        self.metrics = Some(StepMetrics { prompt_tokens: input, completion_tokens, cached_tokens: cached_input });
    }
}
