//! `config.yaml` as it is written; `docs/src/authors-format.md` explains every key.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_saphyr::Spanned;

use crate::{Category, LoadError};

/// A problem of SlopCodeBench's own format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigFile {
    pub(super) name: Spanned<String>,
    pub(super) entry_file: Spanned<String>,
    pub(super) checkpoints: Spanned<BTreeMap<String, Spanned<CheckpointFile>>>,
    #[serde(default, rename = "version")]
    _version: Option<u32>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default, rename = "category")]
    _category: Option<String>,
    #[serde(default, rename = "difficulty")]
    _difficulty: Option<Difficulty>,
    #[serde(default, rename = "author")]
    _author: Option<String>,
    #[serde(default, rename = "inspiration")]
    _inspiration: Option<String>,
    #[serde(default, rename = "design_doc")]
    _design_doc: Option<String>,
    #[serde(default)]
    pub(super) timeout: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) static_assets: BTreeMap<String, AssetFile>,
    #[serde(default)]
    pub(super) test_dependencies: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) markers: BTreeMap<String, Spanned<MarkerFile>>,
}

/// One entry of `checkpoints`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckpointFile {
    #[serde(rename = "version")]
    _version: u32,
    pub(super) order: Spanned<i64>,
    #[serde(default, rename = "state")]
    _state: Option<State>,
    #[serde(default)]
    pub(super) timeout: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, Spanned<String>>,
    #[serde(default = "yes")]
    pub(super) include_prior_tests: bool,
}

/// One entry of `static_assets`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetFile {
    pub(super) path: Spanned<String>,
}

/// One entry of `markers`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkerFile {
    pub(super) description: String,
    #[serde(deserialize_with = "group")]
    pub(super) group: Category,
}

/// What `difficulty` may be.
#[derive(Debug, Deserialize)]
enum Difficulty {
    #[serde(alias = "easy")]
    Easy,
    #[serde(alias = "medium")]
    Medium,
    #[serde(alias = "hard")]
    Hard,
}

/// What `state` may be.
#[derive(Debug, Deserialize)]
enum State {
    Draft,
    #[serde(rename = "Core Tests")]
    CoreTests,
    #[serde(rename = "Full Tests")]
    FullTests,
    Verified,
}

fn yes() -> bool {
    true
}

/// A group's name, in capitals or not.
fn group<'de, D: Deserializer<'de>>(from: D) -> Result<Category, D::Error> {
    let text = String::deserialize(from)?;
    let found = Category::ALL.iter().find(|category| category.as_str().eq_ignore_ascii_case(&text));
    found.copied().ok_or_else(|| {
        D::Error::custom(format!(
            "group `{text}` is none of CORE, FUNCTIONALITY, ERROR and REGRESSION: name one of them"
        ))
    })
}

/// Reads `config.yaml`.
pub(super) fn read(path: &Path) -> Result<ConfigFile, LoadError> {
    let text = fs::read_to_string(path).map_err(|error| LoadError::read(path, &error))?;
    // As the format's own reader has it, a `yes` is no text and a `1.0` no name; duplicate keys are a mistake.
    serde_saphyr::from_str(&text).map_err(|error| {
        let plain = error.without_snippet();
        let line = plain.location().map(|location| location.line());
        LoadError { line: line.and_then(|line| line.try_into().ok()), ..LoadError::new(path, message(plain)) }
    })
}

/// What is wrong, without the position, which the error itself has.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let text = text.split("\n").next().unwrap_or_default();
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let text = match text.split_once(": ") {
        Some((position, rest)) if position.starts_with("line ") => rest,
        _ => text.rsplit_once(" at line ").map_or(text, |(before, _)| before),
    };
    format!("{text}; correct the key or take it out")
}

/// Something wrong with a value.
pub(super) fn flaw<T>(path: &Path, spanned: &Spanned<T>, message: impl Into<String>) -> LoadError {
    LoadError { line: spanned.referenced.line().try_into().ok(), ..LoadError::new(path, message) }
}
