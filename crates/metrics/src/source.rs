//! The text of one file: read and decoded.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::language::Language;
use crate::refusal::{Refusal, RefusalReason};

/// Larger files are not taken for source: a syntax tree needs up to 130 bytes of memory a byte of text.
pub(crate) const MAX_BYTES: u64 = 16 << 20;

/// Reads a source file whole; see [`decode`].
pub(crate) fn read(path: &Path, language: &Language) -> Result<String, Refusal> {
    decode(read_bytes(path)?, language)
}

/// Reads a file, or as much of it as tells that it is too large.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::new(RefusalReason::Unreadable, error.to_string());
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Decodes the bytes of a source file: without a byte order mark, every line ended by `\n` as Python reads text.
pub(crate) fn decode(bytes: Vec<u8>, language: &Language) -> Result<String, Refusal> {
    if bytes.len() as u64 > MAX_BYTES {
        let detail = format!("larger than {} MiB", MAX_BYTES >> 20);
        return Err(Refusal::new(RefusalReason::TooLarge, detail));
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

fn unix_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
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
        assert_eq!((refusal.reason, refusal.line), (RefusalReason::NotUtf8, Some(3)));
    }
}
