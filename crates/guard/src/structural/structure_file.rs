//! The structural state as a file: JSON, a line for each file of the project after a line of what it is.

use std::path::Path;

use serde::{Deserialize, Serialize};
use slopbench_metrics::measurement::SkippedFile;
use slopbench_metrics::outline::FileOutline;

use super::state::{FileStructure, StructuralState};
use crate::Error;

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum StructureFormat {
    #[serde(rename = "slopbench.guard-structure/1")]
    V1,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Label {
    format: StructureFormat,
    /// The version of the tool whose outlines these are: another one's may be other ones.
    #[serde(default)]
    version: String,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLine {
    path: String,
    blob: String,
    outline: FileOutline,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    imports: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnreadLine {
    unread: SkippedFile,
}

impl StructuralState {
    /// The content of its file. The same state is the same bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it cannot be represented as JSON.
    pub fn content(&self) -> Result<String, Error> {
        let mut content =
            serde_json::to_string(&Label { format: StructureFormat::V1, version: VERSION.to_owned() })? + "\n";
        for (path, file) in &self.files {
            let FileStructure { blob, outline, imports } = file.clone();
            content += &serde_json::to_string(&FileLine { path: path.clone(), blob, outline, imports })?;
            content.push('\n');
        }
        for unread in &self.unread {
            content += &serde_json::to_string(&UnreadLine { unread: unread.clone() })?;
            content.push('\n');
        }
        Ok(content)
    }

    /// Reads the content of the file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Format`] names the line that is not as the format has it.
    pub fn parse(path: &Path, content: &str) -> Result<Self, Error> {
        let wrong = |line: usize, error: &dyn std::fmt::Display| {
            Error::format(path, line, format!("{error}; remove the file, and the next update makes it anew"))
        };
        let mut lines = (1..).zip(content.lines());
        let (_, label) = lines.next().unwrap_or_default();
        let label: Label = serde_json::from_str(label).map_err(|error| wrong(1, &error))?;
        let mut state = Self { is_outdated: label.version != VERSION, ..Self::default() };
        for (number, line) in lines {
            if line.starts_with("{\"unread\":") {
                let line: UnreadLine = serde_json::from_str(line).map_err(|error| wrong(number, &error))?;
                state.unread.push(line.unread);
                continue;
            }
            let line = serde_json::from_str(line).map_err(|error| wrong(number, &error))?;
            let FileLine { path, blob, outline, imports } = line;
            state.files.insert(path, FileStructure { blob, outline, imports });
        }
        Ok(state)
    }
}
