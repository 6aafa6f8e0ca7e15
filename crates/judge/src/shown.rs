//! How foreign names and texts are shown: on one line, with nothing in them that is invisible.

use std::{fmt::Write as _, os::unix::ffi::OsStrExt as _, path::Path};

/// Whether a character shows nothing, or changes how others are shown: text that people do not see, and models do.
pub(crate) fn is_invisible(one: char) -> bool {
    matches!(one,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e01ef}')
}

/// A part of a line, what is invisible in it escaped. Tabs stay.
pub(crate) fn text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\t' => shown.push(one),
            _ if one.is_control() || is_invisible(one) => shown.extend(one.escape_unicode()),
            _ => shown.push(one),
        }
    }
    shown
}

/// A path; different paths are shown differently.
pub(crate) fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        for one in chunk.valid().chars() {
            match one {
                '\\' => shown.push_str("\\\\"),
                _ if one.is_control() || is_invisible(one) => shown.extend(one.escape_unicode()),
                _ => shown.push(one),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// A foreign name in a line of the inspector's own: in quotes, so that it cannot go on as the inspector.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", excerpt(&name.replace('"', "\\\""), 100))
}

/// The beginning of a text, on one line.
pub(crate) fn excerpt(long: &str, most: usize) -> String {
    let end = long.char_indices().nth(most).map_or(long.len(), |(end, _)| end);
    let more = if end < long.len() { "…" } else { "" };
    format!("{}{more}", text(&long[..end]))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn nothing_foreign_leaves_its_line_or_hides() {
        let name = OsStr::from_bytes(b"a\\b\n--\xff\xe2\x80\xae.py");
        assert_eq!(path(Path::new(name)), "a\\\\b\\u{a}--\\xff\\u{202e}.py");
        assert_eq!(text("\ta\u{200b}b\r\u{1b}[0m"), "\ta\\u{200b}b\\u{d}\\u{1b}[0m");
        assert_eq!(excerpt("abcdef", 3), "abc…");
        assert_eq!(text("a\u{2028}-- b\u{2029}"), "a\\u{2028}-- b\\u{2029}");
        assert_eq!(quoted("a\" -- b"), "\"a\\\" -- b\"");
    }
}
