//! Where the answers of a run's models come from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slopbench_runner::Assignment;

/// What is recorded of a session's model, among the files of its stage.
pub const CASSETTE: &str = "cassette.jsonl";

/// Where models' answers come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answers {
    /// The model's provider, or the script.
    #[default]
    Model,
    /// The same, and a cassette of each session is kept.
    Recorded,
    /// The cassettes of an earlier run.
    Replayed {
        /// That run's folder.
        run: PathBuf,
    },
}

impl Answers {
    /// Whether they are the model's own, and nothing is kept of them.
    pub fn is_model(&self) -> bool {
        *self == Self::Model
    }

    /// The cassette that answers in a stage; `None` where its model does.
    pub(super) fn cassette(&self, assignment: &Assignment<'_>) -> Option<PathBuf> {
        let Self::Replayed { run } = self else { return None };
        Some(run.join("units").join(assignment.unit).join(assignment.stage).join(CASSETTE))
    }
}
