//! Anthropic Messages.

use serde_json::{Value, json};

use super::{
    parsed_reply::{ParsedReply, TurnEnd, push, put, text},
    request::{ChatMessage, Request, ToolDefinition},
};
use crate::turn::{Arguments, ToolCall};

pub(super) fn body(request: &Request) -> Value {
    let mut messages = Vec::new();
    let mut add = |role: &str, part: Value| push(&mut messages, role, "content", part);
    for message in &request.messages {
        match message {
            ChatMessage::User(text) => add("user", json!({"type": "text", "text": text})),
            ChatMessage::Assistant { text, calls } => {
                // A text of blanks alone is refused, and the whole request with it.
                if !text.trim().is_empty() {
                    add("assistant", json!({"type": "text", "text": text}));
                }
                for call in calls {
                    let input = call.arguments.to_json();
                    add("assistant", json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}));
                }
            }
            ChatMessage::ToolResult { id, content, .. } => {
                add("user", json!({"type": "tool_result", "tool_use_id": id, "content": content}));
            }
        }
    }
    let mut body = json!({"model": request.model, "max_tokens": request.max_tokens, "messages": messages});
    put(&mut body, "system", (!request.system.is_empty()).then(|| request.system.clone()));
    put(&mut body, "temperature", request.temperature);
    let tool = |tool: &ToolDefinition| json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters});
    put(&mut body, "tools", (!request.tools.is_empty()).then(|| request.tools.iter().map(tool).collect::<Vec<_>>()));
    put(&mut body, "tool_choice", request.no_calls().then(|| json!({"type": "none"})));
    let format = |schema: &Value| json!({"format": {"type": "json_schema", "schema": schema}});
    put(&mut body, "output_config", request.schema.as_ref().map(format));
    body
}

pub(super) fn parse(answer: &Value) -> Result<ParsedReply, String> {
    let blocks = answer["content"].as_array().ok_or("it has no `content`")?;
    let of = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    let call = |block: &Value| ToolCall {
        id: text(block, "/id").to_owned(),
        name: text(block, "/name").to_owned(),
        arguments: Arguments::Json(block["input"].as_object().cloned().unwrap_or_default()),
        signature: None,
    };
    let end = match text(answer, "/stop_reason") {
        "end_turn" | "tool_use" | "stop_sequence" => TurnEnd::Complete,
        "max_tokens" | "model_context_window_exceeded" => TurnEnd::CutOff,
        "refusal" => TurnEnd::Refused("it gives no reason".to_owned()),
        other => TurnEnd::unknown(other)?,
    };
    Ok(ParsedReply {
        text: of("text").map(|block| text(block, "/text")).collect(),
        calls: of("tool_use").map(call).collect(),
        end,
    })
}
