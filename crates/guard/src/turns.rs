//! The log of turns: what was asked for, and what became of it, a line of JSON a turn after a line of what it is.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::asking::merge::MergeCounts;
use crate::asking::{ModelFailure, ModelUse};
use crate::shortening::both_ends;

/// The log's file.
pub(crate) const TURNS_FILE: &str = "turns.jsonl";

/// How much of an agent's answer is kept, in bytes.
const LONGEST_ANSWER: usize = 8_000;

#[derive(Serialize, Deserialize)]
enum TurnsFormat {
    #[serde(rename = "slopbench.guard-turns/1")]
    V1,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Label {
    format: TurnsFormat,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedTurn {
    /// Its number, from 1.
    pub turn: u32,
    /// What the user asked for.
    pub request: String,
    /// What the agent answered at the end, or its beginning and end; empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// The source files that changed.
    pub changed: Vec<String>,
    /// What became of the records.
    pub outcome: SemanticOutcome,
    /// The number of the last turn that is read now, where that is not as the outcome alone has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_to: Option<u32>,
    /// What models' calls took after the turn.
    pub used: ModelUse,
}

/// What a turn did to the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "snake_case", tag = "outcome")]
pub enum SemanticOutcome {
    /// There is no model to ask. The next update with one reads this turn, too.
    NotAsked,
    /// Nothing was committed that is not recorded.
    NothingCommitted {
        /// Titles of what the extractor gave without words that say so.
        ungrounded: Vec<String>,
    },
    /// The records were brought up to date.
    Merged {
        /// What changed.
        changes: MergeCounts,
        /// As in [`SemanticOutcome::NothingCommitted`].
        ungrounded: Vec<String>,
    },
    /// The records do not have this turn. The next update reads it again.
    Failed {
        /// Who failed.
        stage: GuardStage,
        /// How.
        failure: ModelFailure,
        /// What changed nevertheless, by turns before this one that were read first.
        #[serde(default, skip_serializing_if = "MergeCounts::is_empty")]
        changes: MergeCounts,
    },
}

/// Who is asked after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardStage {
    /// Who says what was committed.
    Extractor,
    /// Who brings the records up to date.
    Merger,
}

impl SemanticOutcome {
    /// Whether the records have what the turn committed.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::NothingCommitted { .. } | Self::Merged { .. })
    }
}

impl LoggedTurn {
    /// The number of the last turn that the records have after this one, as far as it says.
    fn last_read(&self) -> Option<u32> {
        self.read_to.or_else(|| self.outcome.is_settled().then_some(self.turn))
    }

    /// As much of an agent's answer as is kept: its beginning, and its end, which sums up what was done.
    pub(crate) fn kept(answer: &str) -> String {
        both_ends(answer, LONGEST_ANSWER)
    }
}

/// The content of the log's file.
pub(crate) fn content(turns: &[LoggedTurn]) -> Result<String, Error> {
    let mut content = serde_json::to_string(&Label { format: TurnsFormat::V1 })? + "\n";
    for turn in turns {
        content += &serde_json::to_string(turn)?;
        content.push('\n');
    }
    Ok(content)
}

/// The log with one turn more; what it holds already stays to the byte.
pub(crate) fn appended(log: &str, turn: &LoggedTurn) -> Result<String, Error> {
    let end = if log.is_empty() || log.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{log}{end}{}\n", serde_json::to_string(turn)?))
}

/// Reads the content of the file at `path`.
pub(crate) fn parse(path: &Path, content: &str) -> Result<Vec<LoggedTurn>, Error> {
    let mut lines = (1..).zip(content.lines());
    let wrong = |line: usize| move |error: serde_json::Error| Error::format(path, line, error.to_string());
    let (_, label) = lines.next().unwrap_or_default();
    serde_json::from_str::<Label>(label).map_err(wrong(1))?;
    lines.map(|(number, line)| serde_json::from_str(line).map_err(wrong(number))).collect()
}

/// The turns whose commitments the records have, and those after.
pub(crate) fn split(turns: &[LoggedTurn]) -> (&[LoggedTurn], &[LoggedTurn]) {
    let last = turns.iter().rev().find_map(LoggedTurn::last_read).unwrap_or_default();
    turns.split_at(turns.partition_point(|turn| turn.turn <= last))
}
