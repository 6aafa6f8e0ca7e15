//! How a judge looks into a tree: three tools, so many calls, so much of each result.
//!
//! Lines of files begin with their number, so that no file can write what the inspector says itself: that begins with `--`.

mod call;
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

pub(crate) use self::call::{MOST_NOTES, MOST_SHOWN};
use crate::tree::JudgedTree;

/// What the inspector shows of a tree, as a version: another one is another judge. Whoever changes what is shown, how much of it, or in
/// what words, counts on.
pub(crate) const INSPECTOR: &str = "slopbench.inspector/2";

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
    /// tool that there is not, and arguments that are none; all count.
    pub fn look(&mut self, call: &ToolCall) -> String {
        let refused = self.used() >= self.most;
        let arguments = match &call.arguments {
            Arguments::Json(map) => map.clone(),
            Arguments::Text(text) => Map::from_iter([("input".to_owned(), json!(text))]),
        };
        let mut shown = match (&call.arguments, refused) {
            (_, true) => format!("-- refused: all {} looks are spent; give the verdict now\n", self.most),
            (Arguments::Text(_), false) => "-- the arguments are no JSON object\n".to_owned(),
            (Arguments::Json(_), false) => self.shown(&call.name, &arguments),
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
