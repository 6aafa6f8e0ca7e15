//! What the APIs' modules share: what an answer says, and how JSON is put together and read.

use serde_json::{Value, json};

use crate::turn::ToolCall;

/// How a turn ended, as a provider says it.
pub(super) enum TurnEnd {
    Complete,
    CutOff,
    Refused(String),
    /// Otherwise, as where a call is none: the turn was generated and paid, and is of no use.
    Unusable(String),
}

impl TurnEnd {
    /// An end that means neither of the others; without any, the answer is none of the API's.
    pub(super) fn unknown(reason: &str) -> Result<Self, String> {
        match reason {
            "" => Err("it does not say why it ends".to_owned()),
            reason => Ok(Self::Unusable(format!("it ends with the reason \"{reason}\""))),
        }
    }
}

/// What a provider's answer says.
pub(super) struct ParsedReply {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) end: TurnEnd,
}

/// The text at `place` in `value`; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, place: &str) -> &'a str {
    value.pointer(place).and_then(Value::as_str).unwrap_or_default()
}

/// Puts a member into `body` where there is a value.
pub(super) fn put(body: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        body[name] = value.into();
    }
}

/// Adds a part to the last of `messages`, or to a new one where that is of another role.
pub(super) fn push(messages: &mut Vec<Value>, role: &str, list: &str, part: Value) {
    if messages.last().is_none_or(|last| last["role"] != role) {
        let mut message = json!({"role": role});
        message[list] = Value::Array(Vec::new());
        messages.push(message);
    }
    if let Some(parts) = messages.last_mut().and_then(|last| last[list].as_array_mut()) {
        parts.push(part);
    }
}
