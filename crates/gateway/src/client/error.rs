//! Why there is no answer to a call of our own.

use crate::{player::NoTool, turn::TokenUsage};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The model, or its provider's filter, will not answer.
    #[error("the model refuses to answer: {reason}")]
    Refused {
        /// As far as it says why.
        reason: String,
        /// What was used nevertheless.
        usage: TokenUsage,
    },
    /// The answer has as many tokens as it may have, and is not whole.
    #[error("the answer is cut off after {} tokens: allow more", usage.output)]
    CutOff {
        /// As far as it came.
        text: String,
        /// What was used.
        usage: TokenUsage,
    },
    /// The answer was to be JSON, and is not.
    #[error("the answer is malformed: it is not JSON: {reason}")]
    NotJson {
        /// What it says.
        text: String,
        /// Where it is no JSON.
        reason: String,
        /// What was used.
        usage: TokenUsage,
    },
    /// The turn ended in a way that gives no answer, as where the model's call is malformed.
    #[error("the answer is of no use: {reason}")]
    Unusable {
        /// How it ended.
        reason: String,
        /// What was used nevertheless.
        usage: TokenUsage,
    },
    /// The provider turns us away, as often as the retry policy had it asked.
    #[error("the provider is asked too often (attempt {attempts})")]
    RateLimited {
        /// How often it was asked.
        attempts: u32,
    },
    /// The provider fails, as often as the retry policy had it asked.
    #[error("the provider fails with status {status} (attempt {attempts})")]
    Unavailable {
        /// The last status.
        status: u16,
        /// How often it was asked.
        attempts: u32,
    },
    /// The provider does not accept the request.
    #[error("the provider rejects the request with status {status}: {message}")]
    Rejected {
        /// The status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// No provider was reached, or its answer broke off.
    #[error("no whole answer came: {reason}")]
    Unreached {
        /// What was in the way.
        reason: String,
    },
    /// The answer is not as the API, or the schema that was asked for, has it.
    #[error("the answer is malformed: {0}")]
    Malformed(String),
    /// The cassette has no such request.
    #[error("not recorded: {0}; record it anew")]
    NotRecorded(String),
    /// The request is none that may be sent.
    #[error("the request cannot be sent: {0}")]
    Request(String),
    /// The script has no answer to this request, and none is made up.
    #[error("the script has no answer to this request: {asked:?}; give it one whose `asked` stands there")]
    NoAnswer {
        /// How the request's last message begins.
        asked: String,
    },
    /// The scripted model has no tool for the next step.
    #[error(transparent)]
    Script(#[from] NoTool),
}
