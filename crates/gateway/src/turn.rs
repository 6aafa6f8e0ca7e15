//! What a model is asked and what it says, whatever provider's words it is said in.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One turn of a model: what it thought, what it said, and which tools it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Reasoning that the provider shows; empty where it shows none.
    pub reasoning: String,
    /// What is said to the user; may be empty.
    pub text: String,
    /// Tool calls, in order. None ends the conversation's turn.
    pub calls: Vec<ToolCall>,
    /// What the turn cost in tokens.
    pub usage: TokenUsage,
}

/// A call of one of the agent's tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// Unique within the conversation.
    pub id: String,
    /// The tool's name, as the agent offered it.
    pub name: String,
    /// What the tool is given.
    pub arguments: Arguments,
    /// What the provider wants back with the call, as it gave it: Gemini's thought signature.
    pub signature: Option<String>,
}

/// What a tool is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Named arguments, as a JSON schema describes them.
    Json(Map<String, Value>),
    /// A text in the tool's own grammar (OpenAI's custom tools).
    Text(String),
}

impl Arguments {
    /// As JSON; a text is the member `input`.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Json(map) => Value::Object(map.clone()),
            Self::Text(text) => json!({"input": text}),
        }
    }

    /// Named arguments that are written as a text; the text itself where it is no JSON object, which is the model's doing.
    pub(crate) fn of_text(text: &str) -> Self {
        let parsed = serde_json::from_str(if text.is_empty() { "{}" } else { text });
        parsed.map_or_else(|_| Self::Text(text.to_owned()), Self::Json)
    }
}

/// Tokens, counted alike for every provider: `input` includes what was cached, `output` includes reasoning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenUsage {
    /// All tokens that the model read.
    pub input: u64,
    /// Those of `input` that came from the provider's cache.
    pub cached_input: u64,
    /// Those of `input` that were written to the provider's cache, where that is charged (Anthropic).
    pub cache_writes: u64,
    /// All tokens that the model wrote, reasoning included.
    pub output: u64,
    /// Those of `output` that are reasoning, as far as the provider says so.
    pub reasoning: u64,
}

/// The most tokens that are counted: agents may tell any number, and what is counted is summed.
pub const MOST_TOKENS: u64 = 1 << 48;

impl TokenUsage {
    /// The larger of each count: of several states of one answer's usage, the last.
    pub(crate) fn most(self, other: Self) -> Self {
        self.each(other, u64::max)
    }

    /// What is counted here and not in `before`.
    pub(crate) fn since(self, before: Self) -> Self {
        self.each(before, u64::saturating_sub)
    }

    fn each(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            input: join(self.input, other.input),
            cached_input: join(self.cached_input, other.cached_input),
            cache_writes: join(self.cache_writes, other.cache_writes),
            output: join(self.output, other.output),
            reasoning: join(self.reasoning, other.reasoning),
        }
    }
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        *self = self.each(other, |ours, theirs| ours.saturating_add(theirs).min(MOST_TOKENS));
    }
}

/// A tool that an agent offers to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedTool {
    /// The agent's own name for it.
    pub name: String,
    /// Whether it takes a text in a grammar of its own (OpenAI's custom tools) rather than named arguments.
    pub takes_text: bool,
}

/// What an agent asks of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The model's name.
    pub model: String,
    /// Whether the answer is wanted as a stream of events.
    pub stream: bool,
    /// Whether the answer is to be JSON in a shape of the asker's.
    pub wants_json: bool,
    /// The tools on offer, in order.
    pub tools: Vec<OfferedTool>,
    /// How many tool calls the model made so far in this conversation.
    pub calls_so_far: usize,
}
