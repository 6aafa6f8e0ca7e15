//! What a judge is asked.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// What a judge is asked: a typed input, and how it becomes a prompt and an answer.
///
/// The input is the value itself: what serde writes of it is what the template sees, and what its digest is of.
pub trait Question: Serialize {
    /// What the model answers.
    type Answer: Serialize + DeserializeOwned;

    /// The kind of question and its version, as in `slump.component/1`.
    fn kind(&self) -> &str;

    /// The prompt, in minijinja's syntax; the input's fields are its variables, and an undefined one is an error.
    fn template(&self) -> &str;

    /// The JSON schema of [`Question::Answer`]. OpenAI takes those only that allow no further properties and require all,
    /// Anthropic none that bounds numbers or lengths, which the client refuses: an `enum` of a scale's levels does for both.
    fn schema(&self) -> Value;

    /// Whether an answer of the right type is one: a score in its range, say.
    ///
    /// # Errors
    ///
    /// What is wrong, and what was expected.
    fn check(&self, answer: &Self::Answer) -> Result<(), String> {
        let _ = answer;
        Ok(())
    }

    /// The lines that an answer gives as evidence.
    fn citations(&self, answer: &Self::Answer) -> Vec<Citation> {
        let _ = answer;
        Vec::new()
    }

    /// The answer as a number, for votes and calibration; nothing where it is none.
    fn score(&self, answer: &Self::Answer) -> Option<f64> {
        let _ = answer;
        None
    }
}

/// Lines of a file that an answer points to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// The file, as the inspector calls it.
    pub path: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// A path, a colon and a line, or two lines with a dash between.
static PLACE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"([^\s:`'\x22(),;\[\]]+):(?:L|lines? )?(\d{1,9})(?:\s?[-–]\s?L?(\d{1,9}))?").ok());

impl Citation {
    /// One line.
    pub fn line(path: &str, line: u32) -> Self {
        Self { path: path.to_owned(), first: line, last: line }
    }

    /// Every `path:line` and `path:first-last` that a text names, in order.
    pub fn all_in(text: &str) -> Vec<Self> {
        let places = PLACE.iter().flat_map(|pattern| pattern.captures_iter(text));
        let number = |text: &str| text.parse::<u32>().ok();
        let citation = |place: regex::Captures<'_>| {
            let first = number(place.get(2)?.as_str())?;
            let last = place.get(3).and_then(|last| number(last.as_str())).unwrap_or(first);
            let path = place.get(1)?.as_str();
            Some(Self { path: path.strip_prefix("./").unwrap_or(path).to_owned(), first, last })
        };
        places.filter_map(citation).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_what_models_write() {
        let cases = [
            ("src/a.py:12", vec![("src/a.py", 12, 12)]),
            ("`a.py:3-9`, and (./b/c.rs:L4-L6).", vec![("a.py", 3, 9), ("b/c.rs", 4, 6)]),
            ("model/loss.py:line 40 is right", vec![("model/loss.py", 40, 40)]),
            ("not found", vec![]),
            ("at 12:30 nothing", vec![("12", 30, 30)]),
        ];
        for (text, expected) in cases {
            let found = Citation::all_in(text);
            let found: Vec<_> = found.iter().map(|one| (one.path.as_str(), one.first, one.last)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
