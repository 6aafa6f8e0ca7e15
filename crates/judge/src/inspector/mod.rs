//! How a judge looks into a tree: three tools, so many calls, so much of each result.
//!
//! Lines of files begin with their number, so that no file can write what the inspector says itself: that begins with `--`.

mod list;
mod read;
mod search;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use slopbench_digest::Sha256;
use slopbench_gateway::{
    client::ToolDefinition,
    turn::{Arguments, ToolCall},
};

use crate::tree::JudgedTree;

/// The most bytes of one result, but for what the inspector says at its end.
pub(crate) const MOST_SHOWN: usize = 12 << 10;

/// One who looks into one tree, for one question.
#[derive(Debug)]
pub struct Inspector<'a> {
    tree: &'a JudgedTree,
    most: u32,
    calls: Vec<InspectionCall>,
}

/// A look into the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InspectionCall {
    /// The tool, as the model named it.
    pub tool: String,
    /// What it was given.
    pub arguments: Value,
    /// Whether it was one more than there may be: then nothing was shown.
    pub refused: bool,
    /// The digest of what was shown.
    pub shown: Sha256,
}

impl<'a> Inspector<'a> {
    /// One who may look `most` times.
    pub fn new(tree: &'a JudgedTree, most: u32) -> Self {
        Self { tree, most, calls: Vec::new() }
    }

    /// The tools as a model is told of them.
    pub fn tools() -> Vec<ToolDefinition> {
        vec![search::definition(), list::definition(), read::definition()]
    }

    /// Does what a model asks for, and says what it is to be told. A call more than there may be is refused, and so is a
    /// tool that there is not; all count.
    pub fn look(&mut self, call: &ToolCall) -> String {
        let refused = self.used() >= self.most;
        let arguments = match &call.arguments {
            Arguments::Json(map) => map.clone(),
            Arguments::Text(text) => Map::from_iter([("input".to_owned(), json!(text))]),
        };
        let mut shown = match refused {
            true => format!("-- refused: all {} looks are spent; give the verdict now\n", self.most),
            false => self.shown(&call.name, &arguments),
        };
        let (tool, arguments) = (call.name.clone(), Value::Object(arguments));
        self.calls.push(InspectionCall { tool, arguments, refused, shown: Sha256::of(shown.as_bytes()) });
        if !refused {
            shown.push_str(&format!("-- looks left: {}\n", self.most - self.used()));
        }
        shown
    }

    /// How many looks were taken, refused ones not counted.
    pub fn used(&self) -> u32 {
        self.calls.iter().filter(|call| !call.refused).count() as u32
    }

    /// Whether a look was refused because all are spent.
    pub fn is_over(&self) -> bool {
        self.calls.iter().any(|call| call.refused)
    }

    /// Every look, in order.
    pub fn into_calls(self) -> Vec<InspectionCall> {
        self.calls
    }

    fn shown(&self, tool: &str, arguments: &Map<String, Value>) -> String {
        let shown = match tool {
            "search" => search::search(self.tree, arguments),
            "list" => list::list(self.tree, arguments),
            "read" => read::read(self.tree, arguments),
            _ => Err(format!("there is no tool {tool:?}; there are search, list and read")),
        };
        shown.unwrap_or_else(|flaw| format!("-- {}\n", crate::shown::excerpt(&flaw, 500)))
    }
}

/// A text among the arguments; empty where there is none.
fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str, String> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("{name} is {other}; expected a text")),
    }
}

/// A number among the arguments; 1 where there is none. Some models write numbers as texts.
fn number(arguments: &Map<String, Value>, name: &str) -> Result<usize, String> {
    let value = match arguments.get(name) {
        None | Some(Value::Null) => return Ok(1),
        Some(value) => value,
    };
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok()).filter(|number| *number > 0);
    number
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| format!("{name} is {value}; expected a number from 1"))
}

fn definition(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolDefinition {
    let parameters = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    ToolDefinition { name: name.to_owned(), description: description.to_owned(), parameters }
}

/// What cannot be shown, for the end of a result.
fn left_out(tree: &JudgedTree) -> String {
    let line = |one: &crate::tree::LeftOut| {
        let place = if one.path.is_empty() { String::new() } else { format!("{}: ", one.path) };
        format!("-- left out: {place}{}\n", one.why)
    };
    let named = tree.left_out();
    let (first, rest) = named.split_at(named.len().min(10));
    let more = if rest.is_empty() { String::new() } else { format!("-- left out: {} more places\n", rest.len()) };
    first.iter().map(line).chain([more]).collect()
}
