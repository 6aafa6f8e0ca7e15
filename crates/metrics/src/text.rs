//! The characters of a text.

use slopbench_text::line_of;

use crate::refusal::{Refusal, RefusalReason};

/// The text of bytes that are UTF-8.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|error| {
        let (valid, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let detail = format!("invalid UTF-8 at byte {}", valid.len());
        Refusal::at(RefusalReason::NotUtf8, line_of(valid, valid.len()), detail)
    })
}

/// White space as Python's `str.strip` sees it.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}
