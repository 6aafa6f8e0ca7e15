//! How often a conversation was compacted: what came before was replaced by a summary.

use serde_json::Value;

use super::values::{lines, text};

/// Which event says so, by the name of a format: the members that it has, with their values.
const COMPACTED: &[(&str, &[(&str, &str)])] =
    &[("claude-code", &[("/type", "system"), ("/subtype", "compact_boundary")])];

/// How often the agent says, in `events` of this format, that its conversation was compacted; `None` where the format has no word
/// for it.
pub fn compactions(format: &str, events: &[u8]) -> Option<u64> {
    let (_, members) = COMPACTED.iter().find(|(name, _)| *name == format)?;
    let is_one = |event: &Value| members.iter().all(|(path, value)| text(event, path) == *value);
    Some(lines(&String::from_utf8_lossy(events)).filter(is_one).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compactions_are_counted_where_an_agent_tells_of_them() {
        let events = br#"{"type":"system","subtype":"init"}
{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":155000}}
{"type":"assistant","message":{"content":[{"type":"text","text":"compact_boundary"}]}}
"#;
        assert_eq!(compactions("claude-code", events), Some(1));
        assert_eq!(compactions("claude-code", b""), Some(0));
        assert_eq!(compactions("codex", events), None, "its events have no word for it");
    }
}
