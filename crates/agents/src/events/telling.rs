//! A report in the making.

use serde_json::{Map, Value, json};

use super::Report;
use crate::{
    trajectory::{Call, CallResult, Metrics, Source, Step},
    turn::Usage,
};

/// A report, and whether the last step may still grow.
pub(super) struct Telling {
    model: String,
    turn: Option<String>,
    pub(super) report: Report,
}

impl Telling {
    /// Begins with what the agent was asked.
    pub(super) fn new(model: &str, prompt: &str) -> Self {
        let mut telling = Self { model: model.to_owned(), turn: None, report: Report::default() };
        telling.add(Source::User).message = prompt.to_owned();
        telling
    }

    pub(super) fn finish(self) -> Report {
        self.report
    }

    /// The agent's step `id`: the last one if it has this name, otherwise a new one.
    pub(super) fn turn(&mut self, id: &str) -> &mut Step {
        if self.turn.as_deref() != Some(id) {
            self.turn = Some(id.to_owned());
            self.add(Source::Agent);
        }
        self.last()
    }

    /// The agent's last step, unless its tools have answered already: then a new one. For agents that name no turns.
    pub(super) fn unnamed_turn(&mut self) -> &mut Step {
        let last = self.last();
        if last.source != Source::Agent || last.observation.is_some() {
            self.add(Source::Agent);
        }
        self.last()
    }

    /// What a tool gave back to the call `id`; calls that nobody made are not known to ATIF.
    pub(super) fn result(&mut self, id: &str, content: &str) {
        let made = |step: &&mut Step| step.tool_calls.iter().any(|call| call.tool_call_id == id);
        if let Some(step) = self.report.steps.iter_mut().rev().find(made) {
            let result = CallResult { source_call_id: id.to_owned(), content: content.to_owned() };
            step.observation.get_or_insert_default().results.push(result);
        }
    }

    /// Tokens of the session's model.
    pub(super) fn used(&mut self, usage: Usage) {
        *self.report.usage.entry(self.model.clone()).or_default() += usage;
    }

    pub(super) fn fail(&mut self, reason: &str) {
        let reason = if reason.is_empty() { "the agent gives no reason" } else { reason };
        self.report.failure = Some(reason.to_owned());
    }

    fn add(&mut self, source: Source) -> &mut Step {
        self.report.steps.push(Step {
            step_id: self.report.steps.len() + 1,
            source,
            message: String::new(),
            reasoning_content: None,
            tool_calls: Vec::new(),
            observation: None,
            metrics: None,
        });
        self.last()
    }

    fn last(&mut self) -> &mut Step {
        let last = self.report.steps.len() - 1;
        &mut self.report.steps[last]
    }
}

impl Step {
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
        self.tool_calls.push(Call { tool_call_id: id.to_owned(), function_name: name.to_owned(), arguments });
    }

    pub(super) fn cost(&mut self, usage: Usage) {
        let Usage { input, cached_input, output, .. } = usage;
        self.metrics = Some(Metrics { prompt_tokens: input, completion_tokens: output, cached_tokens: cached_input });
    }
}
