//! What a judge has scored, as a study hands it over.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use slopbench_digest::{Sha256, canonical};

use crate::{judgement::JudgementKey, settings::JudgeSettings};

/// What `format` says in a file of judged items of this version.
pub const JUDGEMENTS_FORMAT: &str = "slopbench.judgements/1";

/// Why a judge cannot be calibrated.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not as its format has it.
    #[error("{}:{line}: {message}", path.display())]
    Format {
        /// Which.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// A value is none that JSON knows.
    #[error("a value cannot be written as JSON: {0}")]
    Unwritable(serde_json::Error),
    /// The items give no sample.
    #[error("{0}")]
    Sample(String),
    /// Two judgings are of different things.
    #[error("the two cannot be compared: {0}")]
    Unlike(String),
}

/// Who judged: what is the same in all judgements of one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeIdentity {
    /// [`crate::Question::kind`].
    pub kind: String,
    /// The digest of instructions, template, schema and tools.
    pub prompt: Sha256,
    /// Who is asked, and how.
    pub settings: JudgeSettings,
    /// How many votes decide.
    #[serde(default = "one_vote", skip_serializing_if = "is_one_vote")]
    pub votes: u32,
}

fn one_vote() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_one_vote(votes: &u32) -> bool {
    *votes == one_vote()
}

impl From<&JudgementKey> for JudgeIdentity {
    fn from(key: &JudgementKey) -> Self {
        Self { kind: key.kind.clone(), prompt: key.prompt, settings: key.settings.clone(), votes: one_vote() }
    }
}

/// A level that a score names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreLevel {
    /// Its name, as in `equivalent`.
    pub name: String,
    /// When it is given.
    pub meaning: String,
}

/// What people are told of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreScale {
    /// What is to be done, for whoever fills in the sheet.
    pub instructions: String,
    /// The levels from 0 on, lowest first; at least two.
    pub levels: Vec<ScoreLevel>,
}

/// One thing that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedItem {
    /// Unlike that of any other item, and the same whoever judges.
    pub id: String,
    /// What it is one of, as `task` or `agent`: samples are stratified by these.
    pub labels: BTreeMap<String, String>,
    /// What is asked, as a person can read it.
    pub question: String,
    /// What is looked into, where a person finds it.
    pub place: String,
    /// The judge's score, a level from 0; nothing if it was not judged.
    pub score: Option<usize>,
}

/// All that a judge has scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedItems {
    /// [`JUDGEMENTS_FORMAT`].
    pub format: String,
    /// Who judged.
    pub judge: JudgeIdentity,
    /// What the scores mean.
    pub scale: ScoreScale,
    /// Each item.
    pub items: Vec<JudgedItem>,
}

impl JudgedItems {
    /// Writes it.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Write`] if that cannot be.
    pub fn write(&self, path: &Path) -> Result<(), CalibrationError> {
        write_json(path, self)
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    ///
    /// [`CalibrationError`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, CalibrationError> {
        let items: Self = read_json(path)?;
        let flaw = |message: String| CalibrationError::Format { path: path.to_path_buf(), line: 1, message };
        is_format(path, &items.format, JUDGEMENTS_FORMAT)?;
        let levels = items.scale.levels.len();
        if levels < 2 {
            return Err(flaw(format!("the scale has {levels} levels, expected at least 2")));
        }
        let mut ids = BTreeSet::new();
        for item in &items.items {
            if !ids.insert(item.id.as_str()) {
                return Err(flaw(format!("two items have the id \"{}\"; expected one of each", item.id)));
            }
            if let Some(score) = item.score.filter(|score| *score >= levels) {
                return Err(flaw(format!("{} has the score {score}, expected 0 to {}", item.id, levels - 1)));
            }
        }
        Ok(items)
    }
}

/// Refuses a file of another format.
pub(super) fn is_format(path: &Path, format: &str, expected: &str) -> Result<(), CalibrationError> {
    if format == expected {
        return Ok(());
    }
    let message = format!("this version reads format \"{expected}\", not \"{format}\"");
    Err(CalibrationError::Format { path: path.to_path_buf(), line: 1, message })
}

pub(super) fn read_text(path: &Path) -> Result<String, CalibrationError> {
    fs::read_to_string(path).map_err(|source| CalibrationError::Read { path: path.to_path_buf(), source })
}

pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, CalibrationError> {
    serde_json::from_str(&read_text(path)?).map_err(|error| CalibrationError::Format {
        path: path.to_path_buf(),
        line: error.line() as u64,
        message: error.to_string(),
    })
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), CalibrationError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), fs::create_dir_all);
    let part = path.with_extension("part");
    let written = made.and_then(|()| fs::write(&part, text)).and_then(|()| fs::rename(&part, path));
    written.map_err(|source| CalibrationError::Write { path: path.to_path_buf(), source })
}

pub(super) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), CalibrationError> {
    write(path, &canonical::to_string(value).map_err(CalibrationError::Unwritable)?)
}
