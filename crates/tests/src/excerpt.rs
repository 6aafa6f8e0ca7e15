//! Texts, cut to what a message can hold.

/// The most of a text that is shown.
pub(crate) const EXCERPT_CHARS: usize = 200;

/// The text, cut to a length that fits a message.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS) {
        Some((end, _)) => format!("{}… ({} bytes in all)", text.get(..end).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}

/// The text as a quoted excerpt.
pub(crate) fn excerpt(text: &str) -> String {
    format!("{:?}", cut(text))
}
