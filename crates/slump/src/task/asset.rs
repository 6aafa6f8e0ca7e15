//! Where a task's files come from.

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;

/// `provenance.toml`: an entry for each file of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskProvenance {
    /// In any order.
    #[serde(rename = "asset", default)]
    pub assets: Vec<AssetOrigin>,
}

/// Where one file comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetOrigin {
    /// The file.
    pub file: String,
    /// Who made it.
    pub origin: AssetKind,
    /// The digest of the file as it was frozen; all but authored ones have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Sha256>,
    /// The model, with its version; for a model's alone, as the next two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The digest of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Sha256>,
    /// What it was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<AssetInput>,
}

/// Who made a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssetKind {
    /// Its author.
    Authored,
    /// A model.
    Model,
    /// This tool, from its inputs alone, as the text of a document.
    Derived,
}

/// What a file was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetInput {
    /// The other file, in the task's folder.
    pub file: String,
    /// Its digest then.
    pub digest: Sha256,
}
