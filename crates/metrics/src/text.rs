//! The lines and characters of a text.

use crate::refusal::{Reason, Refusal};

/// The text of bytes that are UTF-8.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|error| {
        let (valid, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let detail = format!("invalid UTF-8 at byte {}", valid.len());
        Refusal::at(Reason::NotUtf8, line_at(valid, valid.len()), detail)
    })
}

/// The line, counted from 1, that holds the byte at `offset`.
pub(crate) fn line_at(text: &[u8], offset: usize) -> u32 {
    let before = text.get(..offset).unwrap_or(text);
    1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32
}

/// Physical lines: a last line without `\n` is one too.
pub(crate) fn count_lines(text: &str) -> u64 {
    text.lines().count() as u64
}

/// White space as Python's `str.strip` sees it.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_feed_ends_no_physical_line() {
        assert_eq!(count_lines("a\x0cb\n\nc"), 3);
        assert_eq!(count_lines(""), 0);
    }
}
