//! mini-swe-agent's trajectory file: one JSON object with all messages, raw responses among them.

use serde_json::Value;
use slopbench_gateway::{json::parse_within, turn::TokenUsage};

use super::{
    ReportBuilder,
    values::{MOST_VALUES, dollars, entries, iso, number, text},
};

pub(super) fn read(events: &str, builder: &mut ReportBuilder) {
    let mut room = MOST_VALUES;
    let Some(file) = parse_within(&mut room, events) else { return };
    for (index, message) in entries(&file, "/messages").enumerate() {
        match text(message, "/role") {
            "assistant" => assistant(index, message, builder),
            "tool" => builder.result(text(message, "/tool_call_id"), text(message, "/extra/raw_output")),
            _ => {}
        }
    }
    let status = text(&file, "/info/exit_status");
    builder.report.ended = !status.is_empty();
    if builder.report.ended && status != "Submitted" {
        builder.fail(status);
    }
    builder.report.reported_cost_usd = dollars(&file, "/info/model_stats/instance_cost");
}

fn assistant(index: usize, message: &Value, builder: &mut ReportBuilder) {
    let used = |path: &str| number(message, &format!("/extra/response/usage/{path}"));
    let usage = TokenUsage {
        input: used("prompt_tokens"),
        cached_input: used("prompt_tokens_details/cached_tokens"),
        cache_writes: used("prompt_tokens_details/cache_creation_tokens"),
        output: used("completion_tokens"),
        reasoning: used("completion_tokens_details/reasoning_tokens"),
    };
    let seconds = message.pointer("/extra/timestamp").and_then(Value::as_f64).unwrap_or_default();
    builder.at(&iso((seconds * 1000.0) as u64));
    let step = builder.turn(&index.to_string());
    step.say(text(message, "/content"));
    if let Some(thought) = message.get("reasoning_content").and_then(Value::as_str) {
        step.think(thought);
    }
    for call in entries(message, "/tool_calls") {
        let arguments = serde_json::from_str(text(call, "/function/arguments")).unwrap_or(Value::Null);
        step.call(text(call, "/id"), text(call, "/function/name"), &arguments);
    }
    step.cost(usage, true);
    builder.used(usage);
}
