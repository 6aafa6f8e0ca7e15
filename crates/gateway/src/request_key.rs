//! Which request is which: the identity of a request, without what changes from run to run.
//!
//! The *key* leaves the outputs of tools out, so that an agent whose tools print times or addresses is still recognised; the
//! *strict* digest has them, and tells when an agent's session drifted from the recorded one.

use std::{path::Path, sync::LazyLock};

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use slopbench_digest::Sha256;

/// Members of a request that name a session or a machine, not what is asked.
const DROPPED: &[&str] =
    &["metadata", "client_metadata", "prompt_cache_key", "safety_identifier", "session_id", "user"];

/// The conversation's member, in each API.
const CONVERSATIONS: &[&str] = &["messages", "input", "contents"];

/// What changes from run to run inside of texts, and what stands for it. In this order.
const CHANGING: &[(&str, &str)] = &[
    (r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}", "{uuid}"),
    (r"\b[0-9a-f]{40,64}\b", "{digest}"),
    (r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?", "{date}"),
    (
        r"\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2},?(?: \d{2}:\d{2}:\d{2}(?: [A-Z]{3,4})?)? \d{4}",
        "{date}",
    ),
    (r"\b1[6-9]\d{8}(?:\d{3})?\b", "{time}"),
    (r"(?i)\bchunk id: [0-9a-f]+", "{chunk}"),
    (r"(?i)\bwall time: [0-9.]+ ?s(?:econds)?", "{seconds}"),
    (r"\b\d+\.\d+\.\d+[-+][-+.\w]*(?:generic|microsoft|cloud|amd64|aws|gcp|azure)[-+.\w]*", "{kernel}"),
    (r"\bLinux \d+\.\d+[-+.\w]*", "Linux {kernel}"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = CHANGING.iter().filter_map(|(pattern, name)| Some((Regex::new(pattern).ok()?, *name)));
    compiled.collect()
});

/// Where an agent's session happens, as the agent sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPaths {
    /// The folder that it works in.
    pub workspace: String,
    /// Its home.
    pub home: String,
}

impl SessionPaths {
    /// Of who works in no folders.
    pub(crate) fn nowhere() -> Self {
        Self { workspace: String::new(), home: String::new() }
    }

    /// These two folders.
    pub fn new(workspace: &Path, home: &Path) -> Self {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Self { workspace: text(workspace), home: text(home) }
    }
}

/// A request's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// The same in every run of the same session.
    pub key: String,
    /// The same where the outputs of tools were the same, too.
    pub strict: String,
    /// The parts that make up the key, each with the start of its digest, so that a stranger's difference can be named.
    pub parts: Vec<(String, String)>,
}

impl Fingerprint {
    /// The identity of a request of our own: of all that it says, as it says it.
    pub(crate) fn exact(path: &str, body: &Value) -> Self {
        let parts = parts(&sorted(body));
        let key = parts_digest(path, &parts);
        Self { strict: key.clone(), key, parts: parts.into_iter().map(short).collect() }
    }

    /// The identity of a request with this body.
    pub fn of(path: &str, body: &Value, places: &SessionPaths) -> Self {
        let parts = parts(&normal(body, places, false));
        let strict = parts_digest(path, &self::parts(&normal(body, places, true)));
        Self { key: parts_digest(path, &parts), strict, parts: parts.into_iter().map(short).collect() }
    }

    /// The first part that is not the same in `other`; `None` if all are.
    pub fn first_difference<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        let theirs = |label: &str| other.parts.iter().find(|(name, _)| name == label).map(|(_, digest)| digest);
        let differs = self.parts.iter().find(|(label, digest)| theirs(label) != Some(digest));
        let missing = || other.parts.iter().find(|(label, _)| !self.parts.iter().any(|(name, _)| name == label));
        differs.or_else(missing).map(|(label, _)| label.as_str())
    }

    /// How many parts are the same in `other`.
    pub fn likeness(&self, other: &Self) -> usize {
        self.parts.iter().filter(|part| other.parts.contains(part)).count()
    }
}

fn short((label, digest): (String, String)) -> (String, String) {
    (label, digest.trim_start_matches("sha256:").chars().take(12).collect())
}

fn parts_digest(path: &str, parts: &[(String, String)]) -> String {
    Sha256::of(json!([path, parts]).to_string().as_bytes()).to_string()
}

/// Every member, and every entry of the conversation, with its digest.
fn parts(body: &Map<String, Value>) -> Vec<(String, String)> {
    let digest = |value: &Value| Sha256::of(value.to_string().as_bytes()).to_string();
    let mut parts = Vec::new();
    for (name, value) in body {
        match value {
            Value::Array(entries) if CONVERSATIONS.contains(&name.as_str()) => {
                let entries = entries.iter().enumerate();
                parts.extend(entries.map(|(index, entry)| (format!("{name}[{index}]"), digest(entry))));
            }
            _ => parts.push((name.clone(), digest(value))),
        }
    }
    // The conversation last: a difference in the instructions is the cause of those that follow.
    parts.sort_by_key(|(label, _)| label.contains('['));
    parts
}

/// An object's members, sorted at every level.
fn sorted(body: &Value) -> Map<String, Value> {
    fn each(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(each).collect(),
            Value::Object(_) => Value::Object(sorted(value)),
            other => other.clone(),
        }
    }
    let mut members: Vec<_> =
        body.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), each(value))).collect();
    members.sort_by(|a, b| a.0.cmp(&b.0));
    members.into_iter().collect()
}

fn normal(body: &Value, places: &SessionPaths, with_outputs: bool) -> Map<String, Value> {
    let members = body.as_object().into_iter().flatten();
    let kept = members.filter(|(name, _)| !DROPPED.contains(&name.as_str()));
    let mut kept: Vec<_> =
        kept.map(|(name, value)| (name.clone(), normal_value(value, places, with_outputs))).collect();
    kept.sort_by(|a, b| a.0.cmp(&b.0));
    kept.into_iter().collect()
}

fn normal_value(value: &Value, places: &SessionPaths, with_outputs: bool) -> Value {
    match value {
        Value::String(text) => normal_text(text, places).into(),
        Value::Array(items) => items.iter().map(|item| normal_value(item, places, with_outputs)).collect(),
        Value::Object(map) => {
            let output = if with_outputs { None } else { output_member(map) };
            let kept = map.iter().filter(|(name, _)| Some(name.as_str()) != output);
            let mut kept: Vec<_> =
                kept.map(|(name, item)| (name.clone(), normal_value(item, places, with_outputs))).collect();
            kept.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(kept.into_iter().collect())
        }
        other => other.clone(),
    }
}

/// The member of `map` that holds a tool's output, in any API's words.
fn output_member(map: &Map<String, Value>) -> Option<&'static str> {
    let text = |name: &str| map.get(name).and_then(Value::as_str).unwrap_or_default();
    match (text("type"), text("role")) {
        ("tool_result", _) | (_, "tool") => Some("content"),
        ("function_call_output" | "custom_tool_call_output", _) => Some("output"),
        // Gemini's functionResponse is {id, name, response}.
        _ if map.contains_key("response") && map.contains_key("name") => Some("response"),
        _ => None,
    }
}

fn normal_text(text: &str, places: &SessionPaths) -> String {
    let mut text = text.replace(&places.workspace, "{workspace}").replace(&places.home, "{home}");
    for (pattern, name) in &*PATTERNS {
        if pattern.is_match(&text) {
            text = pattern.replace_all(&text, *name).into_owned();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(root: &str) -> SessionPaths {
        SessionPaths { workspace: format!("{root}/workspace"), home: format!("{root}/agent") }
    }

    fn of(root: &str, body: &Value) -> Fingerprint {
        Fingerprint::of("/v1/messages", body, &places(root))
    }

    #[test]
    fn all_patterns_compile() {
        assert_eq!(PATTERNS.len(), CHANGING.len());
    }

    #[test]
    fn another_day_another_place_and_another_session_are_the_same_request() {
        let one = json!({
            "model": "m",
            "metadata": {"user_id": "a"},
            "messages": [{"role": "user", "content": "In /a/workspace (Linux 6.1.0-41-amd64) since 2026-11-21, Saturday, November 21, 2026"}],
        });
        let two = json!({
            "messages": [{"content": "In /b/workspace (Linux 5.15.0) since 2025-01-02, Thursday, January 2, 2025", "role": "user"}],
            "metadata": {"user_id": "b"},
            "model": "m",
        });
        assert_eq!(of("/a", &one), of("/b", &two));
    }

    #[test]
    fn what_tools_print_changes_the_strict_digest_only() {
        let body = |output: &str| {
            json!({"messages": [
                {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": output}]},
            ]})
        };
        let (one, two) = (of("/a", &body("a.txt")), of("/a", &body("b.txt")));
        assert_eq!(one.key, two.key);
        assert_ne!(one.strict, two.strict);
    }

    #[test]
    fn what_the_model_did_changes_the_key_and_the_difference_is_named() {
        let body = |command: &str| {
            let call = json!({"type": "tool_use", "name": "Bash", "input": {"command": command}});
            json!({"system": "s", "messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": [call]}]})
        };
        let (one, two) = (of("/a", &body("ls")), of("/a", &body("rm")));
        assert_ne!(one.key, two.key);
        assert_eq!(one.first_difference(&two), Some("messages[1]"));
        assert_eq!((one.first_difference(&one), one.likeness(&two)), (None, 2));
    }
}
