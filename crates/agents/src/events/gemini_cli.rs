//! Gemini CLI's `stream-json`: messages and tool calls as they come, sums by model at the end. There is no cost.
//!
//! It tells no turns: what comes after a tool's output counts as a new one. Thoughts are counted in the total only.

use serde_json::Value;
use slopbench_gateway::turn::TokenUsage;

use super::{
    ReportBuilder,
    values::{lines, number, text},
};

pub(super) fn read(events: &str, builder: &mut ReportBuilder) {
    for event in lines(events) {
        builder.session(text(&event, "/session_id"));
        builder.at(text(&event, "/timestamp"));
        match text(&event, "/type") {
            "message" if text(&event, "/role") == "assistant" => {
                builder.unnamed_turn().say(text(&event, "/content"));
            }
            "tool_use" => {
                let (id, name) = (text(&event, "/tool_id"), text(&event, "/tool_name"));
                builder.unnamed_turn().call(id, name, &event["parameters"]);
            }
            "tool_result" => {
                let said = text(&event, "/output");
                let told = if said.is_empty() { text(&event, "/error/message") } else { said };
                builder.result(text(&event, "/tool_id"), told);
            }
            "result" => result(&event, builder),
            _ => {}
        }
    }
}

fn result(event: &Value, builder: &mut ReportBuilder) {
    builder.report.ended = true;
    if text(event, "/status") != "success" {
        builder.fail(text(event, "/error/message"));
    }
    for (model, used) in event.pointer("/stats/models").and_then(Value::as_object).into_iter().flatten() {
        let (input, output) = (number(used, "/input_tokens"), number(used, "/output_tokens"));
        let reasoning = number(used, "/total_tokens").saturating_sub(input + output);
        let cached_input = number(used, "/cached");
        let usage = TokenUsage { input, cached_input, cache_writes: 0, output: output + reasoning, reasoning };
        *builder.report.usage.entry(model.clone()).or_default() += usage;
    }
}
