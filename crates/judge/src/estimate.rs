//! What a question may cost, before it is asked.

use std::ops::AddAssign;

use serde::Serialize;
use serde_json::Value;
use slopbench_gateway::{
    client::{ChatMessage, Request, ToolDefinition},
    turn::{Arguments, TokenUsage, ToolCall},
};

use crate::inspector::{MOST_NOTES, MOST_SHOWN};

/// Bytes of a token in words of our own, taken low so that estimates are high.
const BYTES_OF_TOKEN: u64 = 3;

/// Tokens that a message takes beside its text.
const MESSAGE: u64 = 50;

/// What questions may cost at most: every look taken, every result and every answer as long as it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct JudgingEstimate {
    /// How many judgements are asked for.
    pub questions: u64,
    /// How many of them are kept already, and cost nothing.
    pub cached: u64,
    /// How many requests there may be.
    pub requests: u64,
    /// How many tokens may be read.
    pub input_tokens: u64,
    /// How many tokens may be written.
    pub output_tokens: u64,
    /// What that costs in US dollars, if all of it has a price.
    pub usd: Option<f64>,
}

impl JudgingEstimate {
    /// Of nothing, to add to.
    pub fn none() -> Self {
        Self { usd: Some(0.0), ..Self::default() }
    }

    /// What `request` may use at most.
    pub fn of_request(request: &Request) -> TokenUsage {
        self::request(most_tokens(request), request.max_tokens)
    }
}

impl AddAssign for JudgingEstimate {
    fn add_assign(&mut self, other: Self) {
        self.questions += other.questions;
        self.cached += other.cached;
        self.requests += other.requests;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.usd = self.usd.zip(other.usd).map(|(ours, theirs)| ours + theirs);
    }
}

/// How many tokens a request may be read as, at most.
///
/// What is not ours, such as a tree's text or the model's own, may be written so that each byte is a token: tokenizers have no more.
pub(crate) fn most_tokens(request: &Request) -> u64 {
    let message = |message: &ChatMessage| match message {
        ChatMessage::User(text) => text.len(),
        ChatMessage::Assistant { text, calls } => {
            let call = |call: &ToolCall| match &call.arguments {
                Arguments::Json(arguments) => call.name.len() + Value::Object(arguments.clone()).to_string().len(),
                Arguments::Text(text) => call.name.len() + text.len(),
            };
            text.len() + calls.iter().map(call).sum::<usize>()
        }
        ChatMessage::ToolResult { content, .. } => content.len(),
    };
    let tool = |tool: &ToolDefinition| tool.name.len() + tool.description.len() + tool.parameters.to_string().len();
    let schema = request.schema.as_ref().map_or(0, |schema| schema.to_string().len());
    let ours = request.system.len() + schema + request.tools.iter().map(tool).sum::<usize>();
    let foreign: usize = request.messages.iter().map(message).sum();
    ours as u64 / BYTES_OF_TOKEN + foreign as u64 + (1 + request.messages.len() as u64) * MESSAGE
}

/// What one request may use: so many tokens read, so many written.
pub(crate) fn request(input: u64, max_tokens: u32) -> TokenUsage {
    TokenUsage { input, output: u64::from(max_tokens), ..TokenUsage::default() }
}

/// How many more tokens the next request may have than this one, after so many looks: what the model wrote, and what it was shown.
pub(crate) fn most_of_turn(max_tokens: u32) -> u64 {
    u64::from(max_tokens) + (MOST_SHOWN + MOST_NOTES) as u64 + 2 * MESSAGE
}
