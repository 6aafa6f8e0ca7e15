//! Claude Code's `stream-json`: messages of the Anthropic API as they come, and a result at the end.
//!
//! Messages of subagents name the call that began them. Sums are read from the result: in 2.1.329 the messages carry the usage of their start only, and in 2.0.51 the result's
//! `usage` leaves side requests out, which `modelUsage` has.

use serde_json::Value;
use slopbench_gateway::turn::TokenUsage;

use super::{
    ReportBuilder,
    values::{dollars, entries, lines, number, text},
};

pub(super) fn read(events: &str, builder: &mut ReportBuilder) {
    for event in lines(events) {
        builder.session(text(&event, "/session_id"));
        builder.at(text(&event, "/timestamp"));
        builder.of(text(&event, "/parent_tool_use_id"));
        match text(&event, "/type") {
            "assistant" => assistant(&event, builder),
            "user" => {
                for block in entries(&event, "/message/content").filter(|block| text(block, "/type") == "tool_result") {
                    builder.result(text(block, "/tool_use_id"), &output(block));
                }
            }
            "result" => result(&event, builder),
            _ => {}
        }
    }
}

fn assistant(event: &Value, builder: &mut ReportBuilder) {
    // What the agent says in its model's place, such as that a request failed.
    if text(event, "/message/model") == "<synthetic>" {
        return;
    }
    let step = builder.turn(text(event, "/message/id"));
    // Some versions tell the usage of the message's start alone.
    step.cost(step_usage(event), !text(event, "/message/stop_reason").is_empty());
    for block in entries(event, "/message/content") {
        match text(block, "/type") {
            "text" => step.say(text(block, "/text")),
            "thinking" => step.think(text(block, "/thinking")),
            "tool_use" => step.call(text(block, "/id"), text(block, "/name"), &block["input"]),
            _ => {}
        }
    }
}

fn step_usage(event: &Value) -> TokenUsage {
    let count = |name: &str| number(event, &format!("/message/usage/{name}"));
    let (read, written) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    TokenUsage {
        input: count("input_tokens") + read + written,
        cached_input: read,
        cache_writes: written,
        output: count("output_tokens"),
        reasoning: 0,
    }
}

/// A tool's output is a text, or a list of blocks.
fn output(block: &Value) -> String {
    match &block["content"] {
        Value::String(text) => text.clone(),
        _ => entries(block, "/content").map(|part| text(part, "/text")).collect::<Vec<_>>().join("\n"),
    }
}

fn result(event: &Value, builder: &mut ReportBuilder) {
    builder.report.ended = true;
    builder.report.reported_cost_usd = dollars(event, "/total_cost_usd");
    // A failure may call itself a success.
    if event.get("is_error").and_then(Value::as_bool) == Some(true) || text(event, "/subtype") != "success" {
        let said = text(event, "/result");
        builder.fail(if said.is_empty() { text(event, "/subtype") } else { said });
    }
    for (model, used) in event.get("modelUsage").and_then(Value::as_object).into_iter().flatten() {
        let (read, written) = (number(used, "/cacheReadInputTokens"), number(used, "/cacheCreationInputTokens"));
        let usage = TokenUsage {
            input: number(used, "/inputTokens") + read + written,
            cached_input: read,
            cache_writes: written,
            output: number(used, "/outputTokens"),
            reasoning: number(used, "/thinkingTokens"),
        };
        *builder.report.usage.entry(model.clone()).or_default() += usage;
    }
}
