//! What a model is asked: to extract commitments, to merge them into the records, to forecast what a request needs.
//!
//! Each of the three has a schema that the answer is checked against, and checks of its own of what no schema says. Whatever is
//! wrong becomes a [`ModelFailure`] by name.

pub(crate) mod extract;
mod failure;
pub(crate) mod forecast;
pub(crate) mod merge;
pub(crate) mod model;

pub use self::failure::{ModelFailure, ModelFailureKind, ModelUse};

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{extract, forecast, merge};

    /// Keywords that Anthropic takes in no schema of an answer.
    const REFUSED: [&str; 12] = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "pattern",
        "format",
    ];

    /// Every schema within one, by where it stands.
    fn schemas<'a>(schema: &'a Value, place: &str, found: &mut Vec<(String, &'a Value)>) {
        found.push((place.to_owned(), schema));
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            schemas(member, &format!("{place}.{name}"), found);
        }
        schema.get("items").into_iter().for_each(|items| schemas(items, &format!("{place}[]"), found));
    }

    #[test]
    fn every_provider_takes_the_schemas() {
        for (name, schema) in
            [("extract", extract::schema()), ("merge", merge::schema()), ("forecast", forecast::schema())]
        {
            let mut found = Vec::new();
            schemas(&schema, name, &mut found);
            assert!(found.len() > 5, "{found:?}");
            for (place, schema) in found {
                let keyword = REFUSED.iter().find(|keyword| schema.get(keyword).is_some());
                assert_eq!(keyword, None, "{place}");
                let is_closed = schema["type"] != "object" || schema["additionalProperties"] == false;
                assert!(is_closed, "{place}");
            }
        }
    }
}
