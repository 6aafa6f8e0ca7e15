use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use slopbench_text::line_of;

/// Something in a problem's folder that is not as the format says.
#[derive(Debug)]
pub struct LoadError {
    /// The file or folder at fault.
    pub path: PathBuf,
    /// The line at fault, from 1, where one can be named.
    pub line: Option<u32>,
    /// What is wrong, what was expected, and what to do.
    pub message: String,
}

impl LoadError {
    pub(crate) fn new(path: &Path, message: impl Into<String>) -> Self {
        Self { path: path.to_path_buf(), line: None, message: message.into() }
    }

    pub(crate) fn read(path: &Path, error: &io::Error) -> Self {
        Self::new(path, format!("cannot be read: {error}"))
    }

    pub(crate) fn toml(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        Self { line: error.span().map(|span| line_of(text.as_bytes(), span.start)), ..Self::new(path, error.message()) }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for LoadError {}

/// A message about a part of a TOML text; becomes a [`LoadError`] once the file is known.
pub(crate) struct Flaw {
    offset: usize,
    message: String,
}

impl Flaw {
    pub(crate) fn at<T>(spanned: &toml::Spanned<T>, message: impl Into<String>) -> Self {
        Self { offset: spanned.span().start, message: message.into() }
    }

    pub(crate) fn at_offset(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }

    pub(crate) fn in_file(self, path: &Path, text: &str) -> LoadError {
        LoadError { line: Some(line_of(text.as_bytes(), self.offset)), ..LoadError::new(path, self.message) }
    }
}
