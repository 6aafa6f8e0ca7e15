//! The least value that a JSON schema allows: what a scripted model answers that nobody gave an answer.

use serde_json::{Map, Value, json};

/// How deep references are followed.
const DEEPEST: usize = 32;

/// A value that `schema` allows, as far as it says so in its common words.
pub(super) fn of(schema: &Value) -> Value {
    at(schema, schema, 0)
}

fn at(root: &Value, schema: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    let below = |schema: &Value| at(root, schema, depth + 1);
    if let Some(place) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        return root.pointer(place).map_or(Value::Null, below);
    }
    let chosen = ["const", "default"].iter().find_map(|name| schema.get(*name));
    if let Some(value) = chosen.or_else(|| schema["enum"].get(0)) {
        return value.clone();
    }
    if let Some(first) = ["anyOf", "oneOf", "allOf"].iter().find_map(|name| schema[*name].get(0)) {
        return below(first);
    }
    // Of several types the first.
    match schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object") {
        "string" => json!("scripted"),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "boolean" => json!(false),
        "null" => Value::Null,
        "array" => {
            let least = schema["minItems"].as_u64().and_then(|items| usize::try_from(items).ok()).unwrap_or(0);
            (0..least.min(DEEPEST)).map(|_| below(&schema["items"])).collect()
        }
        _ => {
            let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let members = names.map(|name| (name.to_owned(), below(&schema["properties"][name])));
            Value::Object(members.collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_value_of_a_schema() {
        let schema = json!({
            "type": "object",
            "required": ["verdict", "score", "notes", "first", "sure"],
            "properties": {
                "verdict": {"enum": ["good", "bad"]},
                "score": {"type": "integer", "minimum": 1},
                "notes": {"type": "array", "items": {"type": "string"}},
                "first": {"$ref": "#/$defs/note"},
                "sure": {"type": ["boolean", "null"]},
                "more": {"type": "string"},
            },
            "$defs": {"note": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
        });
        let expected = json!({"verdict": "good", "score": 1, "notes": [], "first": ["scripted"], "sure": false});
        assert_eq!(of(&schema), expected);
        assert_eq!(of(&json!({"$ref": "#"})), Value::Null, "it ends");
    }
}
