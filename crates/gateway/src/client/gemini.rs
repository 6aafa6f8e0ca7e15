//! Gemini's `generateContent`. Its calls have no names of their own: they are counted.

use serde_json::{Value, json};

use super::{
    parsed_reply::{ParsedReply, TurnEnd, push, put, text},
    request::{ChatMessage, Request, ToolDefinition},
};
use crate::turn::{Arguments, ToolCall};

pub(super) fn body(request: &Request) -> Value {
    let mut contents = Vec::new();
    let mut add = |role: &str, part: Value| push(&mut contents, role, "parts", part);
    for message in &request.messages {
        match message {
            ChatMessage::User(text) => add("user", json!({"text": text})),
            ChatMessage::Assistant { text, calls } => {
                if !text.is_empty() {
                    add("model", json!({"text": text}));
                }
                for call in calls {
                    let mut part = json!({"functionCall": {"name": call.name, "args": call.arguments.to_json()}});
                    put(&mut part, "thoughtSignature", call.signature.clone());
                    add("model", part);
                }
            }
            ChatMessage::ToolResult { name, content, .. } => {
                add("user", json!({"functionResponse": {"name": name, "response": {"output": content}}}));
            }
        }
    }
    let mut generation = json!({"maxOutputTokens": request.max_tokens});
    put(&mut generation, "temperature", request.temperature);
    put(&mut generation, "seed", request.seed);
    // A call or an answer of a schema, not both. What is not told of cannot be called.
    let offers_tools = !request.tools.is_empty() && !request.forbid_calls;
    let schema = request.schema.as_ref().filter(|_| !offers_tools);
    put(&mut generation, "responseMimeType", schema.map(|_| "application/json"));
    put(&mut generation, "responseJsonSchema", schema.cloned());
    let mut body = json!({"contents": contents, "generationConfig": generation});
    let instructions = (!request.system.is_empty()).then(|| json!({"parts": [{"text": request.system}]}));
    put(&mut body, "systemInstruction", instructions);
    let tool = |tool: &ToolDefinition| json!({"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters});
    let tools = || json!([{"functionDeclarations": request.tools.iter().map(tool).collect::<Vec<_>>()}]);
    put(&mut body, "tools", offers_tools.then(tools));
    body
}

pub(super) fn parse(answer: &Value) -> Result<ParsedReply, String> {
    let blocked = text(answer, "/promptFeedback/blockReason");
    if !blocked.is_empty() {
        return Ok(ParsedReply { text: String::new(), calls: Vec::new(), end: TurnEnd::Refused(blocked.to_owned()) });
    }
    let candidate = answer.pointer("/candidates/0").ok_or("it has no `candidates`")?;
    let parts = || candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten();
    let end = match text(candidate, "/finishReason") {
        "STOP" => TurnEnd::Complete,
        "MAX_TOKENS" => TurnEnd::CutOff,
        reason @ ("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE") => {
            TurnEnd::Refused(reason.to_owned())
        }
        other => TurnEnd::unknown(other)?,
    };
    let said = parts().filter(|part| part["thought"] != true).map(|part| text(part, "/text"));
    let call = |(index, part): (usize, &Value)| ToolCall {
        id: part["functionCall"]["id"].as_str().map_or_else(|| format!("call_{index}"), str::to_owned),
        name: text(part, "/functionCall/name").to_owned(),
        arguments: Arguments::Json(part["functionCall"]["args"].as_object().cloned().unwrap_or_default()),
        signature: part["thoughtSignature"].as_str().map(str::to_owned),
    };
    let calls = parts().filter(|part| part.get("functionCall").is_some()).enumerate().map(call).collect();
    Ok(ParsedReply { text: said.collect(), calls, end })
}
