//! OpenAI Chat Completions.

use serde_json::{Value, json};

use super::{
    parsed_reply::{ParsedReply, TurnEnd, put, text},
    request::{ChatMessage, Request, ToolDefinition},
};
use crate::turn::{Arguments, ToolCall};

pub(super) fn body(request: &Request) -> Value {
    let system = (!request.system.is_empty()).then(|| json!({"role": "system", "content": request.system}));
    let messages: Vec<_> = system.into_iter().chain(request.messages.iter().map(message)).collect();
    let mut body = json!({"model": request.model, "max_completion_tokens": request.max_tokens, "messages": messages});
    put(&mut body, "temperature", request.temperature);
    put(&mut body, "seed", request.seed);
    let tool = |tool: &ToolDefinition| {
        let (name, description, parameters) = (&tool.name, &tool.description, &tool.parameters);
        json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}})
    };
    put(&mut body, "tools", (!request.tools.is_empty()).then(|| request.tools.iter().map(tool).collect::<Vec<_>>()));
    put(&mut body, "tool_choice", request.no_calls().then_some("none"));
    let format = |schema: &Value| json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": true}});
    put(&mut body, "response_format", request.schema.as_ref().map(format));
    body
}

fn message(message: &ChatMessage) -> Value {
    match message {
        ChatMessage::User(text) => json!({"role": "user", "content": text}),
        ChatMessage::Assistant { text, calls } => {
            let call = |call: &ToolCall| {
                let arguments = call.arguments.to_json().to_string();
                json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
            };
            let mut message = json!({"role": "assistant", "content": text});
            put(&mut message, "tool_calls", (!calls.is_empty()).then(|| calls.iter().map(call).collect::<Vec<_>>()));
            message
        }
        ChatMessage::ToolResult { id, content, .. } => json!({"role": "tool", "tool_call_id": id, "content": content}),
    }
}

pub(super) fn parse(answer: &Value) -> Result<ParsedReply, String> {
    let choice = answer.pointer("/choices/0").ok_or("it has no `choices`")?;
    let message = &choice["message"];
    let refusal = Some(text(message, "/refusal")).filter(|reason| !reason.is_empty());
    let end = match (refusal, text(choice, "/finish_reason")) {
        (Some(reason), _) => TurnEnd::Refused(reason.to_owned()),
        (None, "stop" | "tool_calls" | "function_call") => TurnEnd::Complete,
        (None, "length") => TurnEnd::CutOff,
        (None, "content_filter") => TurnEnd::Refused("content_filter".to_owned()),
        (None, other) => TurnEnd::unknown(other)?,
    };
    let call = |call: &Value| ToolCall {
        id: text(call, "/id").to_owned(),
        name: text(call, "/function/name").to_owned(),
        arguments: Arguments::of_text(text(call, "/function/arguments")),
        signature: None,
    };
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    // A call that is cut off is none.
    let calls = match end {
        TurnEnd::Complete => calls.map(call).collect(),
        _ => Vec::new(),
    };
    Ok(ParsedReply { text: text(message, "/content").to_owned(), calls, end })
}
