//! A regular expression, compiled when a text is first held against it.

use std::sync::OnceLock;

use regex::Regex;

#[derive(Debug)]
pub(super) struct LazyRegex {
    pattern: String,
    /// `None` where it is none.
    compiled: OnceLock<Option<Regex>>,
}

impl LazyRegex {
    pub(super) fn new(pattern: &str) -> Self {
        LazyRegex { pattern: pattern.to_owned(), compiled: OnceLock::new() }
    }

    #[cfg(test)]
    pub(super) fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether the text matches, or may, since what is no regular expression here may be one to the rule engine.
    pub(super) fn may_match(&self, text: &str) -> bool {
        let regex = self.compiled.get_or_init(|| Regex::new(&self.pattern).ok());
        regex.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}
