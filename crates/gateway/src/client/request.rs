//! What a model is asked, in no API's own words.

use serde_json::Value;

use crate::turn::ToolCall;

/// What a model is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// What its provider calls the model.
    pub model: String,
    /// The instructions; may be empty.
    pub system: String,
    /// The conversation so far, the last message being the one to be answered.
    pub messages: Vec<ChatMessage>,
    /// The tools on offer.
    pub tools: Vec<ToolDefinition>,
    /// Whether none of them may be called any more. They are still told of, as the conversation has calls of them.
    pub forbid_calls: bool,
    /// The JSON schema of the answer, where it is to be JSON. OpenAI takes those only that allow no further properties and
    /// require all. Gemini is told of it only where no tool may be called: it takes one or the other.
    pub schema: Option<Value>,
    /// How much chance there is; what the provider thinks best where nothing is said.
    pub temperature: Option<f64>,
    /// What chance begins with. Chat Completions and Gemini have one, the other APIs do not, and are asked without.
    pub seed: Option<u64>,
    /// The most tokens that the answer may have, reasoning included.
    pub max_tokens: u32,
}

impl Request {
    /// Whether there are tools that may not be called.
    pub(crate) fn no_calls(&self) -> bool {
        self.forbid_calls && !self.tools.is_empty()
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatMessage {
    /// What the model is told.
    User(String),
    /// What it answered.
    Assistant {
        /// What it said; may be empty.
        text: String,
        /// The tools that it called.
        calls: Vec<ToolCall>,
    },
    /// What a tool that it called gave back.
    ToolResult {
        /// The call's [`ToolCall::id`].
        id: String,
        /// The tool's name.
        name: String,
        /// The result.
        content: String,
    },
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}
