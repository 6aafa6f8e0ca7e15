//! A file of the tree that is judged.

use slopbench_text::count_lines;

/// A name that is no folder.
#[derive(Debug)]
pub(crate) struct TreeFile {
    pub(crate) size: u64,
    /// How many bytes of it were read.
    pub(crate) read: u64,
    pub(crate) content: FileContent,
}

/// What is known of a file.
#[derive(Debug)]
pub(crate) enum FileContent {
    /// Its text, or as much of it as is read; what is no UTF-8 is replaced.
    Text { text: String, looks_binary: bool },
    /// A symbolic link, and where it leads.
    Link(String),
    /// No file, or one that cannot be read.
    Closed,
}

impl TreeFile {
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            FileContent::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether there is more of it than was read.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self.content, FileContent::Text { .. }) && self.size > self.read
    }

    pub(crate) fn lines(&self) -> u64 {
        self.text().map_or(0, |text| count_lines(text.as_bytes()))
    }
}
