//! OpenAI Responses.

use serde_json::{Value, json};

use super::{
    parsed_reply::{ParsedReply, TurnEnd, put, text},
    request::{ChatMessage, Request, ToolDefinition},
};
use crate::turn::{Arguments, ToolCall};

pub(super) fn body(request: &Request) -> Value {
    let input: Vec<_> = request.messages.iter().flat_map(items).collect();
    // Nothing is to stay at the provider's.
    let mut body = json!({
        "model": request.model, "max_output_tokens": request.max_tokens, "input": input, "store": false,
    });
    put(&mut body, "instructions", (!request.system.is_empty()).then(|| request.system.clone()));
    put(&mut body, "temperature", request.temperature);
    let tool = |tool: &ToolDefinition| {
        let (name, description, parameters) = (&tool.name, &tool.description, &tool.parameters);
        json!({"type": "function", "name": name, "description": description, "parameters": parameters, "strict": false})
    };
    put(&mut body, "tools", (!request.tools.is_empty()).then(|| request.tools.iter().map(tool).collect::<Vec<_>>()));
    put(&mut body, "tool_choice", request.no_calls().then_some("none"));
    let format =
        |schema: &Value| json!({"format": {"type": "json_schema", "name": "answer", "schema": schema, "strict": true}});
    put(&mut body, "text", request.schema.as_ref().map(format));
    body
}

fn items(message: &ChatMessage) -> Vec<Value> {
    match message {
        ChatMessage::User(text) => vec![json!({"type": "message", "role": "user", "content": text})],
        ChatMessage::Assistant { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({"type": "message", "role": "assistant", "content": text}));
            let call = |call: &ToolCall| {
                let arguments = call.arguments.to_json().to_string();
                json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments})
            };
            said.into_iter().chain(calls.iter().map(call)).collect()
        }
        ChatMessage::ToolResult { id, content, .. } => {
            vec![json!({"type": "function_call_output", "call_id": id, "output": content})]
        }
    }
}

pub(super) fn parse(answer: &Value) -> Result<ParsedReply, String> {
    let items = answer["output"].as_array().ok_or("it has no `output`")?;
    let parts = || {
        let messages = items.iter().filter(|item| item["type"] == "message");
        messages.filter_map(|item| item["content"].as_array()).flatten()
    };
    let refusal = parts().find(|part| part["type"] == "refusal").map(|part| text(part, "/refusal").to_owned());
    let end = match (refusal, text(answer, "/status"), text(answer, "/incomplete_details/reason")) {
        (Some(reason), ..) => TurnEnd::Refused(reason),
        (None, "completed", _) => TurnEnd::Complete,
        (None, "incomplete", "max_output_tokens") => TurnEnd::CutOff,
        (None, "incomplete", reason) => TurnEnd::Refused(reason.to_owned()),
        (None, status, _) => return Err(format!("its status is \"{status}\": {}", text(answer, "/error/message"))),
    };
    let calls = items.iter().filter(|item| item["type"] == "function_call");
    let call = |item: &Value| ToolCall {
        id: text(item, "/call_id").to_owned(),
        name: text(item, "/name").to_owned(),
        arguments: Arguments::of_text(text(item, "/arguments")),
        signature: None,
    };
    // A call that is cut off is none.
    let calls = match end {
        TurnEnd::Complete => calls.map(call).collect(),
        _ => Vec::new(),
    };
    Ok(ParsedReply {
        text: parts().filter(|part| part["type"] == "output_text").map(|part| text(part, "/text")).collect(),
        calls,
        end,
    })
}
