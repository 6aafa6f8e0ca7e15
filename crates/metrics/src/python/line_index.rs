//! The line of any offset.

use ruff_text_size::TextSize;

/// Where the lines of a text end.
pub(crate) struct LineIndex {
    ends: Vec<usize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> Self {
        LineIndex { ends: text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at).collect() }
    }

    /// The physical line, from 1, that holds this offset.
    pub(crate) fn line(&self, offset: TextSize) -> u32 {
        1 + self.ends.partition_point(|&end| end < offset.to_usize()) as u32
    }
}
