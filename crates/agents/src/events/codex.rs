//! Codex' `exec --json`: items as they start and complete, and the usage of the whole at the end.
//!
//! It tells items, not turns: what comes after a tool's output counts as a new one. There is no cost.

use serde_json::Value;

use super::{Telling, entries, lines, number, text};
use crate::turn::Usage;

pub(super) fn read(events: &str, telling: &mut Telling) {
    for event in lines(events) {
        match text(&event, "/type") {
            "thread.started" => telling.session(text(&event, "/thread_id")),
            "item.completed" => item(&event["item"], telling),
            "turn.completed" => {
                telling.report.ended = true;
                telling.used(Usage {
                    input: number(&event, "/usage/input_tokens"),
                    cached_input: number(&event, "/usage/cached_input_tokens"),
                    cache_writes: number(&event, "/usage/cache_write_input_tokens"),
                    output: number(&event, "/usage/output_tokens"),
                    reasoning: number(&event, "/usage/reasoning_output_tokens"),
                });
            }
            "turn.failed" => {
                telling.report.ended = true;
                telling.fail(text(&event, "/error/message"));
            }
            _ => {}
        }
    }
}

fn item(item: &Value, telling: &mut Telling) {
    let id = text(item, "/id");
    match text(item, "/type") {
        "reasoning" => telling.unnamed_turn().think(text(item, "/text")),
        "agent_message" => telling.unnamed_turn().say(text(item, "/text")),
        // A warning; what ends the turn comes as `turn.failed`.
        "error" => {}
        "file_change" => {
            let changes = entries(item, "/changes").map(|change| (text(change, "/path"), text(change, "/kind")));
            let told = changes.map(|(path, kind)| format!("{kind} {path}")).collect::<Vec<_>>().join("\n");
            telling.unnamed_turn().call(id, "apply_patch", &serde_json::json!({"changes": item["changes"]}));
            telling.result(id, &told);
        }
        "command_execution" => {
            telling.unnamed_turn().call(id, "shell", &serde_json::json!({"command": item["command"]}));
            telling.result(id, text(item, "/aggregated_output"));
        }
        other => {
            telling.unnamed_turn().call(id, other, item);
            telling.result(id, text(item, "/status"));
        }
    }
}
