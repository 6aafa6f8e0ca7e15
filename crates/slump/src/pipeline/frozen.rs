//! Answers that are frozen, each with what it was made from.

use std::{fs, io, path::Path};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use slopbench_digest::{ReadError, Sha256, canonical};
use slopbench_gateway::turn::TokenUsage;

use super::{asking::PipelineSettings, error::PipelineError, flaw::AnswerFlaw, stage::StageStep};
use crate::{Error, task::AssetInput};

/// What `format` says in an asset of this version.
pub const STAGE_ASSET_FORMAT: &str = "slopbench.slump-asset/1";

/// `assets/*-*.json`: what a model answered in a step, frozen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageAsset<A> {
    /// [`STAGE_ASSET_FORMAT`].
    pub format: String,
    /// What was asked.
    pub step: StageStep,
    /// Who was asked, and how.
    pub settings: PipelineSettings,
    /// The digest of prompt and schema, without the material.
    pub prompt: Sha256,
    /// The material: files of the task's folder.
    pub inputs: Vec<AssetInput>,
    /// What was wrong with each answer before this one.
    pub refused: Vec<Vec<AnswerFlaw>>,
    /// The tokens of all answers to this step.
    pub usage: TokenUsage,
    /// The answer.
    pub answer: A,
}

/// How an asset would be made now.
pub(super) struct Origin {
    pub(super) model: String,
    pub(super) prompt: Sha256,
    pub(super) inputs: Vec<AssetInput>,
}

impl<A> StageAsset<A> {
    /// In what it was made otherwise than it would be now, if in anything.
    pub(super) fn differs(&self, now: &Origin) -> Option<String> {
        let model = self.settings.name();
        if model != now.model {
            return Some(format!("by {model}, and {} is asked for", now.model));
        }
        if self.prompt != now.prompt {
            return Some("by another prompt than this version's".to_owned());
        }
        if self.inputs == now.inputs {
            return None;
        }
        let other = self.inputs.iter().find(|input| !now.inputs.contains(input));
        Some(other.map_or_else(|| "from fewer files".to_owned(), |input| format!("from another {}", input.file)))
    }
}

/// The folder of a task that is being made.
pub(super) struct AssetFolder<'a>(pub(super) &'a Path);

impl AssetFolder<'_> {
    /// The value in a file that has one; nothing where there is no such file.
    pub(super) fn get<T: DeserializeOwned>(&self, file: &str) -> Result<Option<T>, Error> {
        let path = self.0.join(file);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ReadError { path, source }.into()),
        };
        let value = serde_json::from_slice(&bytes);
        Ok(Some(value.map_err(|error| PipelineError::Spoiled { path, message: error.to_string() })?))
    }

    /// Freezes a value: its file is there whole, or not at all.
    pub(super) fn put(&self, file: &str, value: &impl Serialize) -> Result<(), Error> {
        self.write(file, &canonical::to_vec(value)?)
    }

    /// Writes a file whole, or not at all.
    pub(super) fn write(&self, file: &str, bytes: &[u8]) -> Result<(), Error> {
        Ok(slopbench_runner::write(&self.0.join(file), bytes)?)
    }

    /// Files as they are now.
    pub(super) fn inputs(&self, files: &[String]) -> Result<Vec<AssetInput>, Error> {
        let input = |file: &String| Ok(AssetInput { file: file.clone(), digest: Sha256::of_file(&self.0.join(file))? });
        files.iter().map(input).collect()
    }
}
