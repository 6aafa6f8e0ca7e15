//! What a request may hold, for each API: tools that the agent runs itself, and content that is in the request.
//!
//! What would have the provider reach out (its own tools, remote servers, addresses, stored files) is refused, and so is
//! whatever is not on the lists: a provider's next feature may be a way out.

use serde_json::{Map, Value};

use super::{
    Api, is,
    lists::{ANTHROPIC, Lists, REFERENCES},
    members,
};

/// What is wrong with a request, after "the gateway does not pass on".
pub(super) fn check(api: Api, body: &Value) -> Result<(), String> {
    let lists = Lists::of(api);
    let object = body.as_object().ok_or("what is no JSON object")?;
    let stranger = object.iter().find(|(name, value)| !value.is_null() && !lists.members.contains(&name.as_str()));
    if let Some((name, _)) = stranger {
        return Err(format!("the member `{name}`"));
    }
    let tools = members(body, "tools");
    match api {
        Api::Gemini => {
            tools.into_iter().try_for_each(|tool| only(tool, lists.tools, "a tool"))?;
            let said = members(body, "contents").chain(body.get("systemInstruction"));
            said.flat_map(|content| members(content, "parts")).try_for_each(|part| gemini_part(part, lists))
        }
        _ => {
            tools.into_iter().try_for_each(|tool| check_tool(tool, lists))?;
            let said = ["messages", "input", "system"].into_iter().filter_map(|name| body.get(name));
            said.into_iter().try_for_each(|said| check_content(said, lists))
        }
    }
}

fn check_tool(tool: &Value, lists: &Lists) -> Result<(), String> {
    let kind = kind(tool);
    let runs_here = kind != "tool_search" || is(tool, "execution", "client");
    if !lists.tools.contains(&kind) || !runs_here {
        return Err(format!("the tool `{kind}`, which is not the agent's own"));
    }
    // A namespace's.
    members(tool, "tools").try_for_each(|tool| check_tool(tool, lists))
}

/// A conversation, a message, or a part of one.
fn check_content(content: &Value, lists: &Lists) -> Result<(), String> {
    let map = match content {
        Value::Array(parts) => return parts.iter().try_for_each(|part| check_content(part, lists)),
        Value::Object(map) => map,
        _ => return Ok(()),
    };
    let kind = kind(content);
    if !lists.content.contains(&kind) {
        return Err(format!("content of the type `{kind}`"));
    }
    check_references(map)?;
    members(content, "tools").try_for_each(|tool| check_tool(tool, lists))?;
    ["content", "output", "summary"]
        .iter()
        .filter_map(|name| map.get(*name))
        .try_for_each(|part| check_content(part, lists))
}

/// Images and documents are in the request, and no addresses of them.
fn check_references(map: &Map<String, Value>) -> Result<(), String> {
    let is_inline = |address: &Value| address.as_str().is_none_or(|address| address.starts_with("data:"));
    let image = map.get("image_url").map(|image| image.get("url").unwrap_or(image));
    if !image.is_none_or(is_inline) {
        return Err("the address of an image".to_owned());
    }
    let holders = [Some(map), map.get("file").and_then(Value::as_object)];
    let named =
        |holder: &Map<String, Value>| REFERENCES.iter().find(|name| holder.get(**name).is_some_and(|it| !it.is_null()));
    if let Some(name) = holders.into_iter().flatten().find_map(named) {
        return Err(format!("`{name}`"));
    }
    match map.get("source").filter(|source| source.is_object()) {
        Some(source) if !["base64", "content", "text"].contains(&kind(source)) => {
            Err(format!("a source of the type `{}`", kind(source)))
        }
        Some(source) => source.get("content").map_or(Ok(()), |content| check_content(content, &ANTHROPIC)),
        None => Ok(()),
    }
}

fn gemini_part(part: &Value, lists: &Lists) -> Result<(), String> {
    only(part, lists.content, "a part")?;
    // What a function gave back may have parts of its own.
    let nested = part.get("functionResponse").into_iter().flat_map(|response| members(response, "parts"));
    nested.into_iter().try_for_each(|part| gemini_part(part, lists))
}

fn only(value: &Value, allowed: &[&str], what: &str) -> Result<(), String> {
    let stranger =
        value.as_object().into_iter().flatten().find(|(name, it)| !it.is_null() && !allowed.contains(&name.as_str()));
    stranger.map_or(Ok(()), |(name, _)| Err(format!("{what} with `{name}`")))
}

fn kind(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(api: Api, body: &Value) -> String {
        check(api, body).expect_err(&body.to_string())
    }

    #[test]
    fn a_tool_of_the_providers_own_is_refused_in_every_api() {
        let rows = [
            (Api::AnthropicMessages, json!({"type": "web_search_20250305", "name": "web_search"})),
            (Api::AnthropicMessages, json!({"type": "web_fetch_20250910", "name": "web_fetch"})),
            (Api::AnthropicMessages, json!({"type": "code_execution_20250825", "name": "code_execution"})),
            (Api::OpenaiResponses, json!({"type": "web_search"})),
            (Api::OpenaiResponses, json!({"type": "web_search_preview"})),
            (Api::OpenaiResponses, json!({"type": "file_search", "vector_store_ids": ["v"]})),
            (Api::OpenaiResponses, json!({"type": "code_interpreter", "container": {"type": "auto"}})),
            (Api::OpenaiResponses, json!({"type": "mcp", "server_url": "https://elsewhere.example"})),
            (Api::OpenaiResponses, json!({"type": "computer_use_preview"})),
            (Api::OpenaiResponses, json!({"type": "shell", "environment": {"type": "container_auto"}})),
            (Api::OpenaiResponses, json!({"type": "tool_search"})),
            (Api::OpenaiResponses, json!({"type": "namespace", "name": "n", "tools": [{"type": "web_search"}]})),
            (Api::OpenaiChat, json!({"type": "web_search"})),
            (Api::OpenaiChat, json!({"google_search": {}})),
            (Api::Gemini, json!({"googleSearch": {}})),
            (Api::Gemini, json!({"google_search": {}})),
            (Api::Gemini, json!({"functionDeclarations": [], "urlContext": {}})),
            (Api::Gemini, json!({"codeExecution": {}})),
        ];
        for (api, tool) in rows {
            let reason = refused(api, &json!({"tools": [tool]}));
            assert!(reason.contains("tool"), "{reason}");
        }
    }

    #[test]
    fn an_address_or_a_stored_file_is_no_content() {
        let anthropic =
            |block: Value| (Api::AnthropicMessages, json!({"messages": [{"role": "user", "content": [block]}]}));
        let responses =
            |part: Value| (Api::OpenaiResponses, json!({"input": [{"type": "message", "content": [part]}]}));
        let chat = |part: Value| (Api::OpenaiChat, json!({"messages": [{"role": "user", "content": [part]}]}));
        let gemini = |part: Value| (Api::Gemini, json!({"contents": [{"role": "user", "parts": [part]}]}));
        let address = "https://elsewhere.example/?secret";
        let image = json!({"type": "image", "source": {"type": "url", "url": address}});
        let rows = [
            anthropic(image.clone()),
            anthropic(json!({"type": "tool_result", "tool_use_id": "1", "content": [image.clone()]})),
            anthropic(json!({"type": "document", "source": {"type": "url", "url": address}})),
            anthropic(json!({"type": "document", "source": {"type": "file", "file_id": "f"}})),
            anthropic(json!({"type": "document", "source": {"type": "content", "content": [image]}})),
            anthropic(json!({"type": "container_upload", "file_id": "f"})),
            responses(json!({"type": "input_image", "image_url": address})),
            responses(json!({"type": "input_image", "file_id": "f"})),
            responses(json!({"type": "input_file", "file_url": address})),
            (
                Api::OpenaiResponses,
                json!({"input": [{"type": "function_call_output", "output": [{"type": "input_image", "image_url": address}]}]}),
            ),
            (Api::OpenaiResponses, json!({"input": [{"type": "item_reference", "id": "i"}]})),
            (Api::OpenaiResponses, json!({"input": [{"type": "tool_search_output", "tools": [{"type": "mcp"}]}]})),
            chat(json!({"type": "image_url", "image_url": {"url": address}})),
            chat(json!({"type": "file", "file": {"file_id": "f"}})),
            gemini(json!({"fileData": {"fileUri": address}})),
            gemini(json!({"file_data": {"file_uri": address}})),
            gemini(json!({"functionResponse": {"name": "n", "parts": [{"fileData": {"fileUri": address}}]}})),
            (Api::Gemini, json!({"systemInstruction": {"parts": [{"fileData": {"fileUri": address}}]}})),
        ];
        for (api, body) in rows {
            refused(api, &body);
        }
    }

    #[test]
    fn a_member_that_nobody_knows_may_be_a_way_out() {
        let rows = [
            (Api::AnthropicMessages, "mcp_servers"),
            (Api::AnthropicMessages, "container"),
            (Api::OpenaiResponses, "prompt"),
            (Api::OpenaiResponses, "previous_response_id"),
            (Api::OpenaiResponses, "background"),
            (Api::OpenaiChat, "web_search_options"),
            (Api::OpenaiChat, "plugins"),
            (Api::Gemini, "cachedContent"),
        ];
        for (api, name) in rows {
            assert_eq!(refused(api, &json!({name: {"a": 1}})), format!("the member `{name}`"));
            assert_eq!(check(api, &json!({name: null})), Ok(()));
        }
    }

    /// The shapes of what the five agents send.
    #[test]
    fn functions_and_inline_content_pass() {
        let data = "data:image/png;base64,AA==";
        let rows = [
            (
                Api::AnthropicMessages,
                json!({
                    "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
                    "tools": [{"name": "Bash", "input_schema": {"type": "object"}}, {"type": "custom", "name": "Web"}],
                    "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
                    "messages": [
                        {"role": "assistant", "content": [
                            {"type": "thinking", "thinking": "", "signature": "s"},
                            {"type": "tool_use", "id": "1", "name": "Bash", "input": {"type": "anything", "file_id": 1}},
                        ]},
                        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [
                            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
                        ]}]},
                    ],
                }),
            ),
            (
                Api::OpenaiResponses,
                json!({
                    "tools": [
                        {"type": "function", "name": "shell"},
                        {"type": "custom", "name": "apply_patch", "format": {"type": "grammar"}},
                        {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f"}]},
                        {"type": "tool_search", "execution": "client"},
                    ],
                    "input": [
                        {"role": "user", "content": "Go."},
                        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": data}]},
                        {"type": "reasoning", "summary": [{"type": "summary_text", "text": ""}], "encrypted_content": "x"},
                        {"type": "function_call_output", "call_id": "1", "output": "https://elsewhere.example"},
                    ],
                }),
            ),
            (
                Api::OpenaiChat,
                json!({
                    "tools": [{"type": "function", "function": {"name": "bash"}}],
                    "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": data}}]}],
                }),
            ),
            (
                Api::Gemini,
                json!({
                    "tools": [{"functionDeclarations": [{"name": "f"}]}],
                    "contents": [{"role": "user", "parts": [
                        {"text": "Go."},
                        {"inlineData": {"mimeType": "image/png", "data": "AA=="}},
                        {"functionResponse": {"name": "f", "response": {"fileData": "the agent's own"}}},
                    ]}],
                }),
            ),
        ];
        for (api, body) in rows {
            assert_eq!(check(api, &body), Ok(()));
        }
    }
}
