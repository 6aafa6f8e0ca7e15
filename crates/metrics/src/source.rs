//! The text of one file: read, decoded, and its lines told apart.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::language::Language;
use crate::measurement::{Reason, Skipped};

/// Larger files are not taken for source: a syntax tree needs up to 130 bytes of memory a byte of text.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// Why a file cannot be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{detail}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Refusal {
    /// Why, for programs.
    pub reason: Reason,
    /// Where, if there is one place.
    pub line: Option<u32>,
    /// Why, for people.
    pub detail: String,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Refusal { reason, line: None, detail: detail.into() }
    }

    pub(crate) fn at(reason: Reason, line: u32, detail: impl Into<String>) -> Self {
        Refusal { line: Some(line), ..Refusal::new(reason, detail) }
    }

    /// What to say of a pipe, a socket or a device.
    pub(crate) fn not_a_file() -> Self {
        Refusal::new(Reason::NotAFile, "neither a regular file nor a folder")
    }

    /// What to say of a symbolic link.
    pub fn symbolic_link() -> Self {
        Refusal::new(Reason::SymbolicLink, "symbolic links are not followed")
    }

    /// What to say of a file or folder that is left out for its name.
    pub fn excluded() -> Self {
        Refusal::new(Reason::Excluded, "left out for its name, as an environment or fetched packages")
    }

    /// What to say of a folder that is tagged as a cache.
    pub fn cache() -> Self {
        Refusal::new(Reason::Excluded, "left out as a cache, by its CACHEDIR.TAG")
    }

    /// What to say of a submodule.
    pub fn submodule() -> Self {
        Refusal::new(Reason::Submodule, "submodules are not followed: their history is their own")
    }

    /// The refusal as a measurement lists it.
    pub fn of_path(self, path: &str) -> Skipped {
        Skipped { path: path.to_owned(), reason: self.reason, line: self.line, detail: self.detail }
    }
}

/// Reads a source file whole; see [`decode`].
pub(crate) fn read(path: &Path, language: &Language) -> Result<String, Refusal> {
    decode(read_bytes(path)?, language)
}

/// Reads a file, or as much of it as tells that it is too large.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::new(Reason::Unreadable, error.to_string());
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Decodes the bytes of a source file: without a byte order mark, every line ended by `\n` as Python reads text.
pub(crate) fn decode(bytes: Vec<u8>, language: &Language) -> Result<String, Refusal> {
    if bytes.len() as u64 > MAX_BYTES {
        let detail = format!("larger than {} MiB", MAX_BYTES >> 20);
        return Err(Refusal::new(Reason::TooLarge, detail));
    }
    let mut text = (language.decode)(bytes)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(match unix_lines(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(unix) => unix,
    })
}

/// The text of bytes that are UTF-8.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|error| {
        let (valid, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let detail = format!("invalid UTF-8 at byte {}", valid.len());
        Refusal::at(Reason::NotUtf8, line_at(valid, valid.len()), detail)
    })
}

fn unix_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<String, Refusal> {
        decode(bytes.to_vec(), &crate::python::PYTHON)
    }

    #[test]
    fn line_ends_and_byte_order_mark_are_not_text() {
        assert_eq!(decoded(b"\xef\xbb\xbfa\r\nb\rc\n").as_deref(), Ok("a\nb\nc\n"));
    }

    #[test]
    fn what_is_not_utf8_is_refused_with_its_line() {
        let refusal = decoded(b"a\nb\n\xff").expect_err("0xff starts no character");
        assert_eq!((refusal.reason, refusal.line), (Reason::NotUtf8, Some(3)));
    }

    #[test]
    fn a_form_feed_ends_no_physical_line() {
        assert_eq!(count_lines("a\x0cb\n\nc"), 3);
        assert_eq!(count_lines(""), 0);
    }
}
