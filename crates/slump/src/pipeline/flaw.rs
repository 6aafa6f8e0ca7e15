//! What is wrong with an answer, and where in it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerFlaw {
    /// The place in the JSON, as in `$.components[3].name`; `$` is all of it.
    pub path: String,
    /// What was found, and what is expected.
    pub message: String,
}

impl AnswerFlaw {
    /// At a place below the whole, as in `components[3].name`; all of it where that is empty.
    pub(super) fn at(path: impl AsRef<str>, message: impl Into<String>) -> Self {
        let path = match path.as_ref() {
            "" | "." => "$".to_owned(),
            path => format!("$.{path}"),
        };
        Self { path, message: message.into() }
    }
}

impl fmt::Display for AnswerFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Keeps what is found to be wrong.
#[derive(Default)]
pub(super) struct Flaws(pub(super) Vec<AnswerFlaw>);

impl Flaws {
    /// Notes a flaw where there is one.
    pub(super) fn note(&mut self, is_wrong: bool, path: impl AsRef<str>, message: impl Into<String>) {
        if is_wrong {
            self.0.push(AnswerFlaw::at(path, message));
        }
    }

    /// A text has to say something.
    pub(super) fn expect_text(&mut self, path: impl AsRef<str>, text: &str) {
        self.note(text.trim().is_empty(), path, "is empty; expected a text");
    }
}
