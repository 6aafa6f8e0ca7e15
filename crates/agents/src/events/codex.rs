//! Codex' `exec --json`: items as they start and complete, and the usage of the whole at the end.
//!
//! It tells items, not turns: what comes after a tool's output counts as a new one. There is no cost.

use serde_json::Value;
use slopbench_gateway::turn::TokenUsage;

use super::{
    ReportBuilder,
    values::{entries, lines, number, text},
};

pub(super) fn read(events: &str, builder: &mut ReportBuilder) {
    for event in lines(events) {
        match text(&event, "/type") {
            "thread.started" => builder.session(text(&event, "/thread_id")),
            "item.completed" => item(&event["item"], builder),
            "turn.completed" => {
                builder.report.ended = true;
                builder.used(TokenUsage {
                    input: number(&event, "/usage/input_tokens"),
                    cached_input: number(&event, "/usage/cached_input_tokens"),
                    cache_writes: number(&event, "/usage/cache_write_input_tokens"),
                    output: number(&event, "/usage/output_tokens"),
                    reasoning: number(&event, "/usage/reasoning_output_tokens"),
                });
            }
            "turn.failed" => {
                builder.report.ended = true;
                builder.fail(text(&event, "/error/message"));
            }
            _ => {}
        }
    }
}

fn item(item: &Value, builder: &mut ReportBuilder) {
    let id = text(item, "/id");
    match text(item, "/type") {
        "reasoning" => builder.unnamed_turn().think(text(item, "/text")),
        "agent_message" => builder.unnamed_turn().say(text(item, "/text")),
        // A warning; what ends the turn comes as `turn.failed`.
        "error" => {}
        "file_change" => {
            let changes = entries(item, "/changes").map(|change| (text(change, "/path"), text(change, "/kind")));
            let told = changes.map(|(path, kind)| format!("{kind} {path}")).collect::<Vec<_>>().join("\n");
            builder.unnamed_turn().call(id, "apply_patch", &serde_json::json!({"changes": item["changes"]}));
            builder.result(id, &told);
        }
        "command_execution" => {
            builder.unnamed_turn().call(id, "shell", &serde_json::json!({"command": item["command"]}));
            builder.result(id, text(item, "/aggregated_output"));
        }
        other => {
            builder.unnamed_turn().call(id, other, item);
            builder.result(id, text(item, "/status"));
        }
    }
}
