//! The lines of texts: where they end, and which of them holds an offset.
//!
//! Only `\n` ends a line. Lines are counted from 1, offsets in bytes from 0.

use memchr::{memchr, memchr_iter};

/// The line that holds the byte at `offset`, or the last one where the text ends before it.
pub fn line_of(text: &[u8], offset: usize) -> u32 {
    1 + line_ends(text.get(..offset).unwrap_or(text))
}

/// How many lines have an end: all but a last one without `\n`.
pub fn line_ends(text: &[u8]) -> u32 {
    memchr_iter(b'\n', text).count() as u32
}

/// How many lines there are: a last line without `\n` is one too.
pub fn count_lines(text: &[u8]) -> u64 {
    u64::from(line_ends(text)) + u64::from(text.last().is_some_and(|&last| last != b'\n'))
}

/// The lines of a text, each with its end.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        let (line, behind) = rest.split_at_checked(end).filter(|_| end > 0)?;
        rest = behind;
        Some(line)
    })
}

/// The line without the white space before it, as [`str::trim_start`]: faster where that is ASCII, as nearly always.
pub fn trim_start(line: &str) -> &str {
    let rest = line.trim_ascii_start();
    match rest.as_bytes().first() {
        Some(b'\x0b' | 0x80..) => rest.trim_start(),
        _ => rest,
    }
}

/// Where the lines of a text end, for the lines of many offsets.
#[derive(Debug, Clone)]
pub struct LineIndex {
    ends: Vec<usize>,
}

impl LineIndex {
    /// Reads a text once.
    pub fn new(text: &[u8]) -> Self {
        Self { ends: memchr_iter(b'\n', text).collect() }
    }

    /// The line that holds the byte at `offset`.
    pub fn line(&self, offset: usize) -> u32 {
        1 + self.ends.partition_point(|&end| end < offset) as u32
    }

    /// The lines of offsets that only grow, each in constant time.
    pub fn cursor(&self) -> LineCursor<'_> {
        LineCursor { ends: &self.ends, line: 1 }
    }
}

/// See [`LineIndex::cursor`].
#[derive(Debug)]
pub struct LineCursor<'a> {
    /// The ends of the lines that were not passed.
    ends: &'a [usize],
    line: u32,
}

impl LineCursor<'_> {
    /// The line that holds the byte at `offset`; of an offset before the one asked for last, that one's line.
    pub fn line(&mut self, offset: usize) -> u32 {
        while let Some((_, rest)) = self.ends.split_first().filter(|&(&end, _)| end < offset) {
            self.ends = rest;
            self.line += 1;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_its_end() {
        let text = b"a\n\nbc";
        let lines: Vec<_> = (0..=6).map(|offset| line_of(text, offset)).collect();
        assert_eq!(lines, [1, 1, 2, 3, 3, 3, 3]);
    }

    #[test]
    fn a_form_feed_ends_no_line() {
        assert_eq!(count_lines(b"a\x0cb\n\nc"), 3);
        assert_eq!((count_lines(b"a\n"), count_lines(b"")), (1, 0));
    }

    proptest::proptest! {
        #[test]
        fn white_space_is_that_of_unicode(line in "[ \t\x0b\x0c\r\n\x1c\u{85}\u{2003}\u{e9}a]{0,6}") {
            proptest::prop_assert_eq!(trim_start(&line), line.trim_start());
        }

        #[test]
        fn all_of_them_count_alike(text in "[a\u{e9}\r\n]{0,20}") {
            let (index, bytes) = (LineIndex::new(text.as_bytes()), text.as_bytes());
            let mut cursor = index.cursor();
            for offset in 0..=text.len() {
                let line = line_of(bytes, offset);
                proptest::prop_assert_eq!((index.line(offset), cursor.line(offset)), (line, line));
            }
            proptest::prop_assert_eq!(lines(&text).collect::<Vec<_>>(), text.split_inclusive('\n').collect::<Vec<_>>());
            proptest::prop_assert_eq!(count_lines(bytes), text.lines().count() as u64);
        }
    }
}
