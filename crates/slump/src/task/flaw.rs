use std::fmt;

use serde::Serialize;

/// What is wrong with a task, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TaskFlaw {
    /// The file, in the task's folder.
    pub file: String,
    /// Where in it, from 1; absent where the file is missing, or it is about all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What was found, and what is expected.
    pub message: String,
}

impl TaskFlaw {
    /// About a line.
    pub(crate) fn at(file: &str, line: u32, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), message: message.into() }
    }

    /// About a whole file.
    pub(crate) fn of(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into() }
    }
}

impl fmt::Display for TaskFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, message } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {message}"),
            None => write!(f, "{file}: {message}"),
        }
    }
}
