//! OpenAI Chat Completions: a turn is one message, streamed as deltas of it.

use serde_json::{Value, json};

use super::{StreamEvent, array, is, members, streams, text, tools};
use crate::turn::{Arguments, Prompt, TokenUsage, ToolCall, Turn};

pub(super) fn prompt(body: &Value) -> Result<Prompt, String> {
    let answers = array(body, "messages")?.iter().filter(|message| is(message, "role", "assistant"));
    Ok(Prompt {
        model: text(body, "model")?.to_owned(),
        stream: streams(body),
        wants_json: false,
        tools: tools(members(body, "tools").filter_map(|tool| tool.get("function"))),
        calls_so_far: answers.filter_map(|message| message.get("tool_calls")?.as_array()).map(Vec::len).sum(),
    })
}

pub(super) fn whole(prompt: &Prompt, turn: &Turn, number: usize) -> Value {
    let mut message = message(turn);
    message["role"] = "assistant".into();
    let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason(turn)});
    let mut completion = envelope(prompt, number, "chat.completion");
    completion["choices"] = json!([choice]);
    completion["usage"] = usage(turn.usage);
    completion
}

pub(super) fn events(prompt: &Prompt, turn: &Turn, number: usize) -> Vec<StreamEvent> {
    let chunk = |delta: Value, finish: Option<&str>| {
        let mut chunk = envelope(prompt, number, "chat.completion.chunk");
        chunk["choices"] = json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
        chunk
    };
    let mut delta = message(turn);
    for (index, call) in delta["tool_calls"].as_array_mut().into_iter().flatten().enumerate() {
        call["index"] = index.into();
    }
    let mut last = envelope(prompt, number, "chat.completion.chunk");
    last["choices"] = json!([]);
    last["usage"] = usage(turn.usage);
    let chunks = [
        chunk(json!({"role": "assistant", "content": ""}), None),
        chunk(delta, None),
        chunk(json!({}), Some(finish_reason(turn))),
        last,
    ];
    let done = StreamEvent { name: None, data: "[DONE]".to_owned() };
    chunks.iter().map(StreamEvent::unnamed).chain([done]).collect()
}

fn message(turn: &Turn) -> Value {
    let mut message = json!({"content": turn.text});
    if !turn.reasoning.is_empty() {
        message["reasoning_content"] = turn.reasoning.as_str().into();
    }
    if !turn.calls.is_empty() {
        message["tool_calls"] = turn.calls.iter().map(call).collect();
    }
    message
}

fn call(call: &ToolCall) -> Value {
    let arguments = match &call.arguments {
        Arguments::Json(map) => Value::Object(map.clone()).to_string(),
        Arguments::Text(text) => text.clone(),
    };
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
}

fn envelope(prompt: &Prompt, number: usize, object: &str) -> Value {
    json!({"id": format!("chatcmpl-{number}"), "object": object, "created": 0, "model": prompt.model})
}

fn usage(usage: TokenUsage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "prompt_tokens_details": {"cached_tokens": usage.cached_input},
        "completion_tokens": usage.output,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    })
}

fn finish_reason(turn: &Turn) -> &'static str {
    if turn.calls.is_empty() { "stop" } else { "tool_calls" }
}
