//! What the three tools share: how they are described, how arguments are read, and how results end.

use serde_json::{Map, Value, json};
use slopbench_gateway::client::ToolDefinition;

use crate::{
    shown::quoted,
    tree::{JudgedTree, LeftOut},
};

/// The most bytes of one result, but for what the inspector says at its end.
pub(crate) const MOST_SHOWN: usize = 12 << 10;

/// The most bytes of what the inspector says itself in a result.
pub(crate) const MOST_NOTES: usize = 16 << 10;

/// A text among the arguments; empty where there is none.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str, String> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("{name} is {other}; expected a text")),
    }
}

/// A number among the arguments; 1 where there is none. Some models write numbers as texts.
pub(super) fn number(arguments: &Map<String, Value>, name: &str) -> Result<usize, String> {
    let value = match arguments.get(name) {
        None | Some(Value::Null) => return Ok(1),
        Some(value) => value,
    };
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok()).filter(|number| *number > 0);
    number
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| format!("{name} is {value}; expected a number from 1"))
}

pub(super) fn definition(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolDefinition {
    let parameters = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    ToolDefinition { name: name.to_owned(), description: description.to_owned(), parameters }
}

/// What cannot be shown, for the end of a result.
pub(super) fn left_out(tree: &JudgedTree) -> String {
    let line = |one: &LeftOut| {
        let place = if one.path.is_empty() { String::new() } else { format!("{}: ", quoted(&one.path)) };
        format!("-- left out: {place}{}\n", one.why)
    };
    let named = tree.left_out();
    let (first, rest) = named.split_at(named.len().min(10));
    let more = if rest.is_empty() { String::new() } else { format!("-- left out: {} more places\n", rest.len()) };
    first.iter().map(line).chain([more]).collect()
}
