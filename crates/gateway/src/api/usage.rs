//! The tokens that a provider counts, read from its answers.

use serde_json::Value;

use super::Api;
use crate::turn::{MOST_TOKENS, TokenUsage};

/// Where an API's answer, or an event of one, tells of tokens.
struct UsagePaths {
    /// The object that holds the counts; the first that is there.
    holders: &'static [&'static str],
    /// Members whose sum is all input.
    input: &'static [&'static str],
    cached_input: &'static str,
    cache_writes: &'static str,
    /// Members whose sum is all output.
    output: &'static [&'static str],
    reasoning: &'static str,
}

const NOWHERE: &str = "/-";

const ANTHROPIC: UsagePaths = UsagePaths {
    holders: &["/message/usage", "/usage"],
    input: &["/input_tokens", "/cache_read_input_tokens", "/cache_creation_input_tokens"],
    cached_input: "/cache_read_input_tokens",
    cache_writes: "/cache_creation_input_tokens",
    output: &["/output_tokens"],
    reasoning: "/output_tokens_details/thinking_tokens",
};

const RESPONSES: UsagePaths = UsagePaths {
    holders: &["/response/usage", "/usage"],
    input: &["/input_tokens"],
    cached_input: "/input_tokens_details/cached_tokens",
    cache_writes: "/input_tokens_details/cache_write_tokens",
    output: &["/output_tokens"],
    reasoning: "/output_tokens_details/reasoning_tokens",
};

const CHAT: UsagePaths = UsagePaths {
    holders: &["/usage"],
    input: &["/prompt_tokens"],
    cached_input: "/prompt_tokens_details/cached_tokens",
    cache_writes: "/prompt_tokens_details/cache_creation_tokens",
    output: &["/completion_tokens"],
    reasoning: "/completion_tokens_details/reasoning_tokens",
};

const GEMINI: UsagePaths = UsagePaths {
    holders: &["/usageMetadata"],
    input: &["/promptTokenCount", "/toolUsePromptTokenCount"],
    cached_input: "/cachedContentTokenCount",
    cache_writes: NOWHERE,
    output: &["/candidatesTokenCount", "/thoughtsTokenCount"],
    reasoning: "/thoughtsTokenCount",
};

/// What `answer`, whole or one event of it, says was used so far; nothing where it does not say.
pub(super) fn usage(api: Api, answer: &Value) -> TokenUsage {
    let places = match api {
        Api::AnthropicMessages => &ANTHROPIC,
        Api::OpenaiResponses => &RESPONSES,
        Api::OpenaiChat => &CHAT,
        Api::Gemini => &GEMINI,
    };
    let Some(counts) = places.holders.iter().find_map(|holder| answer.pointer(holder)) else {
        return TokenUsage::default();
    };
    let count = |place: &str| counts.pointer(place).and_then(Value::as_u64).unwrap_or_default().min(MOST_TOKENS);
    let sum = |places: &[&str]| places.iter().map(|place| count(place)).fold(0, u64::saturating_add);
    TokenUsage {
        input: sum(places.input),
        cached_input: count(places.cached_input),
        cache_writes: count(places.cache_writes),
        output: sum(places.output),
        reasoning: count(places.reasoning),
    }
}
