//! Anthropic Messages: a turn is a list of content blocks, streamed as start, deltas and stop of each.

use serde_json::{Value, json};

use super::{StreamEvent, array, is, members, streams, text, tools};
use crate::turn::{Prompt, TokenUsage, ToolCall, Turn};

pub(super) fn prompt(body: &Value) -> Result<Prompt, String> {
    let blocks = array(body, "messages")?.iter().filter(|message| is(message, "role", "assistant"));
    let blocks = blocks.filter_map(|message| message.get("content")?.as_array()).flatten();
    Ok(Prompt {
        model: text(body, "model")?.to_owned(),
        stream: streams(body),
        wants_json: false,
        tools: tools(members(body, "tools")),
        calls_so_far: blocks.filter(|block| is(block, "type", "tool_use")).count(),
    })
}

pub(super) fn whole(prompt: &Prompt, turn: &Turn, number: usize) -> Value {
    let mut message = envelope(prompt, turn, number);
    message["content"] = blocks(turn).into_iter().map(|block| block.whole).collect();
    message["stop_reason"] = stop_reason(turn).into();
    message["usage"] = usage(turn.usage);
    message
}

pub(super) fn events(prompt: &Prompt, turn: &Turn, number: usize) -> Vec<StreamEvent> {
    let mut events = vec![("message_start", json!({"message": envelope(prompt, turn, number)}))];
    for (index, block) in blocks(turn).into_iter().enumerate() {
        events.push(("content_block_start", json!({"index": index, "content_block": block.start})));
        for delta in block.deltas {
            events.push(("content_block_delta", json!({"index": index, "delta": delta})));
        }
        events.push(("content_block_stop", json!({"index": index})));
    }
    let delta = json!({"stop_reason": stop_reason(turn), "stop_sequence": null});
    events.push(("message_delta", json!({"delta": delta, "usage": usage(turn.usage)})));
    events.push(("message_stop", json!({})));
    let typed = events.into_iter().map(|(name, mut data)| {
        data["type"] = name.into();
        StreamEvent::named(name, &data)
    });
    typed.collect()
}

/// A content block: whole, and as a stream says it.
struct Block {
    whole: Value,
    start: Value,
    deltas: Vec<Value>,
}

fn blocks(turn: &Turn) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !turn.reasoning.is_empty() {
        blocks.push(Block {
            whole: json!({"type": "thinking", "thinking": turn.reasoning, "signature": "scripted"}),
            start: json!({"type": "thinking", "thinking": "", "signature": ""}),
            deltas: vec![
                json!({"type": "thinking_delta", "thinking": turn.reasoning}),
                json!({"type": "signature_delta", "signature": "scripted"}),
            ],
        });
    }
    if !turn.text.is_empty() {
        blocks.push(Block {
            whole: json!({"type": "text", "text": turn.text}),
            start: json!({"type": "text", "text": ""}),
            deltas: vec![json!({"type": "text_delta", "text": turn.text})],
        });
    }
    blocks.extend(turn.calls.iter().map(call_block));
    blocks
}

fn call_block(call: &ToolCall) -> Block {
    let input = call.arguments.to_json();
    let block = |input: &Value| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input});
    Block {
        whole: block(&input),
        start: block(&json!({})),
        deltas: vec![json!({"type": "input_json_delta", "partial_json": input.to_string()})],
    }
}

fn envelope(prompt: &Prompt, turn: &Turn, number: usize) -> Value {
    json!({
        "id": format!("msg_{number}"),
        "type": "message",
        "role": "assistant",
        "model": prompt.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": usage(TokenUsage { output: 0, ..turn.usage }),
    })
}

/// Anthropic counts cached tokens beside, not in, `input_tokens`.
fn usage(usage: TokenUsage) -> Value {
    json!({
        "input_tokens": usage.input - usage.cached_input - usage.cache_writes,
        "cache_read_input_tokens": usage.cached_input,
        "cache_creation_input_tokens": usage.cache_writes,
        "output_tokens": usage.output,
    })
}

fn stop_reason(turn: &Turn) -> &'static str {
    if turn.calls.is_empty() { "end_turn" } else { "tool_use" }
}
