//! What each API's requests may hold, as lists; `allow` says why.

use super::Api;

/// What one API's requests may hold.
pub(super) struct Lists {
    /// The members of a request.
    pub(super) members: &'static [&'static str],
    /// The types of tools; `""` for a tool without a type.
    pub(super) tools: &'static [&'static str],
    /// The types of what a conversation is made of, at every level; `""` for what has no type.
    pub(super) content: &'static [&'static str],
}

impl Lists {
    pub(super) fn of(api: Api) -> &'static Self {
        match api {
            Api::AnthropicMessages => &ANTHROPIC,
            Api::OpenaiResponses => &RESPONSES,
            Api::OpenaiChat => &CHAT,
            Api::Gemini => &GEMINI,
        }
    }
}

pub(super) const ANTHROPIC: Lists = Lists {
    members: &[
        "cache_control",
        "context_management",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "output_format",
        "service_tier",
        "stop_sequences",
        "stream",
        "system",
        "temperature",
        "thinking",
        "tool_choice",
        "tools",
        "top_k",
        "top_p",
    ],
    tools: &["", "custom"],
    content: &[
        "",
        "compaction",
        "document",
        "image",
        "redacted_thinking",
        "text",
        "thinking",
        "tool_reference",
        "tool_result",
        "tool_use",
    ],
};

const RESPONSES: Lists = Lists {
    members: &[
        "client_metadata",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "metadata",
        "model",
        "parallel_tool_calls",
        "prompt_cache_key",
        "prompt_cache_retention",
        "reasoning",
        "safety_identifier",
        "service_tier",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "text",
        "tool_choice",
        "tools",
        "top_p",
        "truncation",
        "user",
    ],
    tools: &["custom", "function", "local_shell", "namespace", "tool_search"],
    content: &[
        "",
        "agent_message",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "custom_tool_call",
        "custom_tool_call_output",
        "encrypted_content",
        "function_call",
        "function_call_output",
        "input_file",
        "input_image",
        "input_text",
        "local_shell_call",
        "local_shell_call_output",
        "message",
        "output_text",
        "reasoning",
        "reasoning_text",
        "refusal",
        "summary_text",
        "text",
        "tool_search_call",
        "tool_search_output",
    ],
};

const CHAT: Lists = Lists {
    members: &[
        "frequency_penalty",
        "logit_bias",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "n",
        "parallel_tool_calls",
        "presence_penalty",
        "prompt_cache_key",
        "reasoning_effort",
        "response_format",
        "safety_identifier",
        "seed",
        "service_tier",
        "stop",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "thinking",
        "tool_choice",
        "tools",
        "top_p",
        "user",
        "verbosity",
    ],
    tools: &["custom", "function"],
    content: &["", "file", "image_url", "input_audio", "refusal", "text", "thinking"],
};

const GEMINI: Lists = Lists {
    members: &[
        "contents",
        "generationConfig",
        "labels",
        "model",
        "safetySettings",
        "systemInstruction",
        "toolConfig",
        "tools",
    ],
    // Gemini's tools and parts have no types: these are their members.
    tools: &["functionDeclarations"],
    content: &[
        "functionCall",
        "functionResponse",
        "inlineData",
        "text",
        "thought",
        "thoughtSignature",
        "videoMetadata",
    ],
};

/// Members that hold an address or a stored file's name, wherever in a conversation they stand.
pub(super) const REFERENCES: &[&str] = &["file_id", "file_url", "file_uri", "fileUri", "fileData", "file_data_url"];
