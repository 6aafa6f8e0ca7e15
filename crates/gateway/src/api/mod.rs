//! The four provider APIs that agents speak: which requests they know, and how a [`Turn`] is said in each.
//!
//! Every API is one module with the same three functions: `prompt` reads a request, `whole` says a turn as one JSON
//! value, `events` says it as a stream.

mod allow;
mod anthropic;
mod chat;
mod gemini;
mod lists;
mod responses;
mod usage;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    backoff::is_retryable,
    turn::{OfferedTool, Prompt, TokenUsage, Turn},
};

/// A provider's way of talking about models' turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// Anthropic Messages.
    AnthropicMessages,
    /// OpenAI Responses.
    OpenaiResponses,
    /// OpenAI Chat Completions, which many other providers speak too.
    OpenaiChat,
    /// Gemini's `generateContent`.
    Gemini,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestPurpose {
    /// A model's turn.
    Turn(Prompt),
    /// How many tokens a prompt has.
    TokenCount,
}

/// A request body that is not as the API has it.
#[derive(Debug, thiserror::Error)]
#[error("the request's body is not as {} has it: {expected}", api.title())]
pub struct ApiError {
    /// The API that the path belongs to.
    pub api: Api,
    /// What was expected.
    pub expected: String,
}

/// One event of a stream: server-sent events, named by some APIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamEvent {
    name: Option<&'static str>,
    data: String,
}

impl StreamEvent {
    fn named(name: &'static str, data: &Value) -> Self {
        Self { name: Some(name), data: data.to_string() }
    }

    fn unnamed(data: &Value) -> Self {
        Self { name: None, data: data.to_string() }
    }

    /// As it goes over the wire.
    pub fn to_wire(&self) -> String {
        let name = self.name.map_or(String::new(), |name| format!("event: {name}\n"));
        format!("{name}data: {}\n\n", self.data)
    }
}

impl Api {
    /// The API that has exactly this path. `None`: no API has it.
    pub fn of_path(path: &str) -> Option<Self> {
        const PATHS: &[(&str, Api)] = &[
            ("/v1/messages", Api::AnthropicMessages),
            ("/v1/messages/count_tokens", Api::AnthropicMessages),
            ("/v1/responses", Api::OpenaiResponses),
            ("/v1/chat/completions", Api::OpenaiChat),
        ];
        let exact = PATHS.iter().find(|(known, _)| path == *known).map(|(_, api)| *api);
        exact.or_else(|| gemini::is_path(path).then_some(Self::Gemini))
    }

    /// Whether a request may have this parameter in its query.
    pub(crate) fn takes_parameter(self, parameter: &str) -> bool {
        match self {
            Self::AnthropicMessages => parameter == "beta=true",
            Self::Gemini => parameter == "alt=sse",
            Self::OpenaiResponses | Self::OpenaiChat => false,
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "Anthropic Messages",
            Self::OpenaiResponses => "OpenAI Responses",
            Self::OpenaiChat => "OpenAI Chat Completions",
            Self::Gemini => "Gemini",
        }
    }

    /// Refuses a request that would have the provider reach out. The error is what the gateway does not pass on.
    pub(crate) fn check(self, body: &Value) -> Result<(), String> {
        allow::check(self, body)
    }

    /// The model that a request is for; empty where it names none.
    pub(crate) fn model<'a>(self, path: &'a str, body: &'a Value) -> &'a str {
        match self {
            Self::Gemini => gemini::model(path),
            _ => text(body, "model").unwrap_or_default(),
        }
    }

    /// The tokens that an answer, or an event of one, tells of.
    pub(crate) fn usage(self, answer: &Value) -> TokenUsage {
        usage::usage(self, answer)
    }

    /// What a request asks for.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the body is not as the API has it.
    pub fn wish(self, path: &str, body: &Value) -> Result<RequestPurpose, ApiError> {
        if path.ends_with("count_tokens") || path.ends_with(":countTokens") {
            return Ok(RequestPurpose::TokenCount);
        }
        let prompt = match self {
            Self::AnthropicMessages => anthropic::prompt(body),
            Self::OpenaiResponses => responses::prompt(body),
            Self::OpenaiChat => chat::prompt(body),
            Self::Gemini => gemini::prompt(path, body),
        };
        prompt.map(RequestPurpose::Turn).map_err(|expected| ApiError { api: self, expected })
    }

    /// A turn as one JSON value; `number` tells the turns of a conversation apart.
    pub fn whole(self, prompt: &Prompt, turn: &Turn, number: usize) -> Value {
        match self {
            Self::AnthropicMessages => anthropic::whole(prompt, turn, number),
            Self::OpenaiResponses => responses::whole(prompt, turn, number),
            Self::OpenaiChat => chat::whole(prompt, turn, number),
            Self::Gemini => gemini::whole(prompt, turn, number),
        }
    }

    /// A turn as a stream of events.
    pub fn events(self, prompt: &Prompt, turn: &Turn, number: usize) -> Vec<StreamEvent> {
        match self {
            Self::AnthropicMessages => anthropic::events(prompt, turn, number),
            Self::OpenaiResponses => responses::events(prompt, turn, number),
            Self::OpenaiChat => chat::events(prompt, turn, number),
            Self::Gemini => gemini::events(prompt, turn, number),
        }
    }

    /// An answer to [`RequestPurpose::TokenCount`].
    pub fn token_count(self, tokens: u64) -> Value {
        match self {
            Self::Gemini => json!({"totalTokens": tokens}),
            _ => json!({"input_tokens": tokens}),
        }
    }

    /// Whether an event of a stream says that the turn is over.
    pub(crate) fn is_last(self, event: &Value) -> bool {
        const RESPONSE: &[&str] = &["response.completed", "response.incomplete", "response.failed"];
        let finished = |list, key: &str| members(event, list).any(|one| one.get(key).is_some_and(Value::is_string));
        match self {
            Self::AnthropicMessages => is(event, "type", "message_stop"),
            Self::OpenaiResponses => RESPONSE.iter().any(|kind| is(event, "type", kind)),
            Self::OpenaiChat => finished("choices", "finish_reason"),
            Self::Gemini => finished("candidates", "finishReason") || event.get("promptFeedback").is_some(),
        }
    }

    /// An error as the API's clients understand it.
    pub fn error(self, status: u16, message: &str) -> Value {
        match self {
            Self::AnthropicMessages => {
                let kind = if status == 429 { "rate_limit_error" } else { "invalid_request_error" };
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
            Self::Gemini => json!({"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}}),
            _ => json!({"error": {"type": "invalid_request_error", "code": null, "param": null, "message": message}}),
        }
    }
}

/// What a provider calls its own failure in the middle of a stream, if this event tells of one that may pass.
pub(crate) fn passing_failure(event: &Value) -> Option<String> {
    const PLACES: &[&str] = &["/error/code", "/error/type", "/response/error/code", "/code"];
    const KINDS: &[&str] = &[
        "api_error",
        "overloaded_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "server_error",
        "server_is_overloaded",
        "timeout_error",
    ];
    PLACES.iter().filter_map(|place| event.pointer(place)).find_map(|kind| match kind {
        Value::String(kind) => KINDS.contains(&kind.as_str()).then(|| kind.clone()),
        kind => kind.as_u64().filter(|code| u16::try_from(*code).is_ok_and(is_retryable)).map(|code| code.to_string()),
    })
}

/// The member `key` of `value` as an array; an error that names it where it is none.
fn array<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    value.get(key).and_then(Value::as_array).ok_or_else(|| format!("`{key}` is an array"))
}

/// The member `key` of `value` as text; an error that names it where it is none.
fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is a string"))
}

/// The member `key` of `value`, where it says what `wanted` says.
fn is(value: &Value, key: &str, wanted: &str) -> bool {
    value.get(key).and_then(Value::as_str) == Some(wanted)
}

/// The tools that the objects in `list` declare.
fn tools<'a>(list: impl IntoIterator<Item = &'a Value>) -> Vec<OfferedTool> {
    let named = list.into_iter().filter_map(|tool| Some((tool.get("name")?.as_str()?, is(tool, "type", "custom"))));
    named.map(|(name, takes_text)| OfferedTool { name: name.to_owned(), takes_text }).collect()
}

/// The members of `body`'s array `key`; none where there is no such array.
fn members<'a>(body: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    body.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn streams(body: &Value) -> bool {
    body.get("stream").and_then(Value::as_bool).unwrap_or(false)
}
