//! What a person may set of a guard: `guard.toml` in the state's folder.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::restart::RestartPolicy;

/// The settings' file.
pub(crate) const SETTINGS_FILE: &str = "guard.toml";

/// The name and version of a state's format: that of the settings, and of the records and the edge table beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum GuardFormat {
    /// The only version that is read.
    #[default]
    #[serde(rename = "slopbench.guard/1")]
    V1,
}

/// What a person may set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardSettings {
    /// Which format this is.
    pub format: GuardFormat,
    /// What a brief before a request may take, in bytes; it takes more only where the ids and titles of committed records do.
    pub brief_bytes: usize,
    /// What a brief that begins a fresh session may take, in bytes, likewise.
    pub restart_bytes: usize,
    /// How many records may be committed; a model that adds more has to retire some.
    pub most_records: usize,
    /// When a session is to begin anew.
    #[serde(default)]
    pub restart: RestartPolicy,
}

impl Default for GuardSettings {
    fn default() -> Self {
        Self {
            format: GuardFormat::V1,
            brief_bytes: 16_000,
            restart_bytes: 64_000,
            most_records: 400,
            restart: RestartPolicy::default(),
        }
    }
}

impl GuardSettings {
    /// Reads the content of the file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Format`] names the line that is not as the format has it.
    pub fn parse(path: &Path, content: &str) -> Result<Self, Error> {
        toml::from_str(content).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = content.get(..start).unwrap_or_default().matches('\n').count() + 1;
            Error::format(path, line, error.message())
        })
    }

    /// The content of its file.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it cannot be represented as TOML.
    pub fn content(&self) -> Result<String, Error> {
        toml::to_string(self).map_err(|error| Error::Internal(error.to_string()))
    }
}
