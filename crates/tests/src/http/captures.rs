//! Values taken from answers, and the places of later requests and expectations that name them: `${name}`.

use std::{collections::BTreeMap, sync::LazyLock};

use regex::{Captures as Groups, Regex};
use toml::Spanned;

use crate::{error::Flaw, json::Json};

/// The values captured so far, by name.
#[derive(Debug, Default)]
pub(crate) struct Captures(BTreeMap<String, Json>);

/// A place for a value. What stands in it is checked when a case is loaded.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$\{([^}]*)\}?").ok());

impl Captures {
    /// Keeps a value.
    pub(crate) fn keep(&mut self, name: &str, value: Json) {
        self.0.insert(name.to_owned(), value);
    }

    /// The text with each place filled: by a captured string itself, by any other value as JSON.
    pub(crate) fn fill(&self, text: &str) -> String {
        let Some(place) = PLACE.as_ref() else { return text.to_owned() };
        let value = |groups: &Groups<'_>| match self.0.get(&groups[1]) {
            Some(Json::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => groups[0].to_owned(),
        };
        place.replace_all(text, value).into_owned()
    }

    /// The value with the places in its strings filled. A string that is nothing but a place becomes the captured value.
    pub(crate) fn fill_json(&self, value: &Json) -> Json {
        match value {
            Json::String(text) => {
                let name = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
                name.and_then(|name| self.0.get(name)).cloned().unwrap_or_else(|| Json::String(self.fill(text)))
            }
            Json::Array(items) => Json::Array(items.iter().map(|item| self.fill_json(item)).collect()),
            Json::Object(map) => {
                let filled = map.iter().map(|(key, value)| (key.clone(), self.fill_json(value)));
                Json::Object(Box::new(filled.collect()))
            }
            other => other.clone(),
        }
    }
}

/// The names that a case's steps have captured up to here, to check the next one against.
#[derive(Default)]
pub(crate) struct Known(Vec<String>);

impl Known {
    /// Adds a name.
    pub(crate) fn learn(&mut self, name: &Spanned<String>) -> Result<(), Flaw> {
        let text = name.as_ref();
        let mut bytes = text.bytes();
        let word = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
            && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !word {
            return Err(Flaw::at(
                name,
                format!("`{text}` is no name: lower-case letters, digits and `_`, a letter first"),
            ));
        }
        self.0.push(text.clone());
        Ok(())
    }

    /// Refuses a text that names what was not captured; `at` is where it stands.
    pub(crate) fn check<T>(&self, at: &Spanned<T>, text: &str) -> Result<(), Flaw> {
        for groups in PLACE.iter().flat_map(|place| place.captures_iter(text)) {
            if !self.0.iter().any(|name| groups[0] == format!("${{{name}}}")) {
                let known = self.0.join(", ");
                return Err(Flaw::at(at, format!("`{}` was not captured before; captured: {known}", &groups[0])));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_type_where_they_stand_alone() {
        let read = |text: &str| Json::parse(text, &str::to_owned).unwrap_or_default();
        let mut captures = Captures::default();
        captures.keep("id", read("18446744073709551617"));
        captures.keep("key", read(r#""a\"b""#));
        assert_eq!(captures.fill("/jobs/${id}?key=${key}"), "/jobs/18446744073709551617?key=a\"b");
        let expected = read(r#"{"id":"${id}","url":"/jobs/${id}","key":["${key}"]}"#);
        let filled = r#"{"id":18446744073709551617,"url":"/jobs/18446744073709551617","key":["a\"b"]}"#;
        assert_eq!(captures.fill_json(&expected).to_string(), filled);
    }
}
