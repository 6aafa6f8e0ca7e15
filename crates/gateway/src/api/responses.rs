//! OpenAI Responses: a turn is a list of output items, streamed as added and done of each.

use serde_json::{Value, json};

use super::{StreamEvent, is, members, streams, text, tools};
use crate::turn::{Arguments, Prompt, ToolCall, Turn};

pub(super) fn prompt(body: &Value) -> Result<Prompt, String> {
    let is_call = |item: &&Value| is(item, "type", "function_call") || is(item, "type", "custom_tool_call");
    if body.get("input").is_none() {
        return Err("`input` is a string or an array".to_owned());
    }
    Ok(Prompt {
        model: text(body, "model")?.to_owned(),
        stream: streams(body),
        wants_json: false,
        tools: tools(members(body, "tools")),
        // A prompt may also be one text, which is no conversation yet.
        calls_so_far: members(body, "input").filter(is_call).count(),
    })
}

pub(super) fn whole(prompt: &Prompt, turn: &Turn, number: usize) -> Value {
    let mut response = envelope(prompt, number, "completed");
    response["output"] = items(turn, number).into();
    response["usage"] = json!({
        "input_tokens": turn.usage.input,
        "input_tokens_details": {"cached_tokens": turn.usage.cached_input},
        "output_tokens": turn.usage.output,
        "output_tokens_details": {"reasoning_tokens": turn.usage.reasoning},
        "total_tokens": turn.usage.input + turn.usage.output,
    });
    response
}

pub(super) fn events(prompt: &Prompt, turn: &Turn, number: usize) -> Vec<StreamEvent> {
    let mut events = vec![("response.created", json!({"response": envelope(prompt, number, "in_progress")}))];
    for (index, item) in items(turn, number).into_iter().enumerate() {
        let mut added = item.clone();
        added["status"] = "in_progress".into();
        events.push(("response.output_item.added", json!({"output_index": index, "item": added})));
        if let Some(delta) = item.pointer("/content/0/text") {
            let id = &item["id"];
            let data = json!({"item_id": id, "output_index": index, "content_index": 0, "delta": delta});
            events.push(("response.output_text.delta", data));
        }
        events.push(("response.output_item.done", json!({"output_index": index, "item": item})));
    }
    events.push(("response.completed", json!({"response": whole(prompt, turn, number)})));
    let numbered = events.into_iter().enumerate().map(|(sequence, (name, mut data))| {
        data["type"] = name.into();
        data["sequence_number"] = sequence.into();
        StreamEvent::named(name, &data)
    });
    numbered.collect()
}

fn items(turn: &Turn, number: usize) -> Vec<Value> {
    let mut items = Vec::new();
    if !turn.reasoning.is_empty() {
        let summary = json!([{"type": "summary_text", "text": turn.reasoning}]);
        items.push(json!({"type": "reasoning", "id": format!("rs_{number}"), "summary": summary}));
    }
    if !turn.text.is_empty() {
        items.push(json!({
            "type": "message",
            "id": format!("msg_{number}"),
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": turn.text, "annotations": []}],
        }));
    }
    items.extend(turn.calls.iter().map(call_item));
    items
}

fn call_item(call: &ToolCall) -> Value {
    let mut item = json!({"call_id": call.id, "name": call.name, "status": "completed"});
    match &call.arguments {
        Arguments::Json(map) => {
            item["type"] = "function_call".into();
            item["id"] = format!("fc_{}", call.id).into();
            item["arguments"] = Value::Object(map.clone()).to_string().into();
        }
        Arguments::Text(text) => {
            item["type"] = "custom_tool_call".into();
            item["id"] = format!("ctc_{}", call.id).into();
            item["input"] = text.as_str().into();
        }
    }
    item
}

fn envelope(prompt: &Prompt, number: usize, status: &str) -> Value {
    json!({
        "id": format!("resp_{number}"),
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": prompt.model,
        "output": [],
        "usage": null,
    })
}
