//! Words of a JSON schema that some provider takes in no answer's schema: Anthropic refuses those that bound numbers, lengths and
//! counts, and the whole request with them.

use serde_json::Value;

const BOUNDS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// The first such word in `schema`, and in what of it.
pub(super) fn first(schema: &Value) -> Option<&str> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(word, value)| match word.as_str() {
            // Here, keys are names that the schema's author gave.
            "properties" | "$defs" => value.as_object()?.values().find_map(first),
            // Values, and no schemas.
            "enum" | "const" | "default" | "required" => None,
            _ if BOUNDS.contains(&word.as_str()) => Some(word.as_str()),
            _ => first(value),
        }),
        Value::Array(items) => items.iter().find_map(first),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bound_is_found_wherever_it_stands_and_a_name_is_none() {
        let nested = json!({"properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 4}}}});
        assert_eq!(first(&nested), Some("maximum"));
        assert_eq!(first(&json!({"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 3}]})), Some("maxLength"));
        let free = json!({"properties": {"minimum": {"enum": [{"maximum": 1}]}}, "required": ["minimum"]});
        assert_eq!(first(&free), None);
    }
}
