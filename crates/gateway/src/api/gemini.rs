//! Gemini's `generateContent`: a turn is one candidate's parts; a stream of it repeats the same shape.

use serde_json::{Value, json};

use super::{StreamEvent, array, is, members, tools};
use crate::turn::{Prompt, Turn};

/// What comes before a model in a path, and what may come after it.
const MODELS: &str = "/v1beta/models/";
const METHODS: &[&str] = &["generateContent", "streamGenerateContent", "countTokens"];

/// Whether this is one of the API's paths: `/v1beta/models/MODEL:METHOD`.
pub(super) fn is_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    path.strip_prefix(MODELS)
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(model, method)| !model.is_empty() && model.bytes().all(is_plain) && METHODS.contains(&method))
}

/// The model in a path of the API's.
pub(super) fn model(path: &str) -> &str {
    path.strip_prefix(MODELS).and_then(|rest| rest.split(':').next()).unwrap_or_default()
}

pub(super) fn prompt(path: &str, body: &Value) -> Result<Prompt, String> {
    let said = array(body, "contents")?.iter().filter(|content| is(content, "role", "model"));
    let parts = said.filter_map(|content| content.get("parts")?.as_array()).flatten();
    Ok(Prompt {
        model: model(path).to_owned(),
        stream: path.ends_with(":streamGenerateContent"),
        wants_json: body.pointer("/generationConfig/responseMimeType").is_some_and(|kind| kind == "application/json"),
        tools: tools(members(body, "tools").flat_map(|tool| members(tool, "functionDeclarations"))),
        calls_so_far: parts.filter(|part| part.get("functionCall").is_some()).count(),
    })
}

pub(super) fn whole(prompt: &Prompt, turn: &Turn, number: usize) -> Value {
    let candidate = json!({
        "index": 0,
        "content": {"role": "model", "parts": parts(turn)},
        "finishReason": "STOP",
    });
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": turn.usage.input,
            "cachedContentTokenCount": turn.usage.cached_input,
            "candidatesTokenCount": turn.usage.output - turn.usage.reasoning,
            "thoughtsTokenCount": turn.usage.reasoning,
            "totalTokenCount": turn.usage.input + turn.usage.output,
        },
        "modelVersion": prompt.model,
        "responseId": format!("response_{number}"),
    })
}

pub(super) fn events(prompt: &Prompt, turn: &Turn, number: usize) -> Vec<StreamEvent> {
    vec![StreamEvent::unnamed(&whole(prompt, turn, number))]
}

fn parts(turn: &Turn) -> Vec<Value> {
    let mut parts = Vec::new();
    if !turn.reasoning.is_empty() {
        parts.push(json!({"text": turn.reasoning, "thought": true}));
    }
    if !turn.text.is_empty() {
        parts.push(json!({"text": turn.text}));
    }
    parts.extend(
        turn.calls
            .iter()
            .map(|call| json!({"functionCall": {"id": call.id, "name": call.name, "args": call.arguments.to_json()}})),
    );
    parts
}
