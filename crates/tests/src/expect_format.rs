//! What is expected, as it is written; `problems/README.md` explains every key.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::{exit_code::ExitCode, inspect::ArchiveKind, normalise::Normaliser};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectFile {
    pub(crate) exit_code: Option<ExitCode>,
    pub(crate) signal: Option<Spanned<String>>,
    pub(crate) stdout: Option<Spanned<ComparisonFile>>,
    pub(crate) stderr: Option<Spanned<ComparisonFile>>,
    #[serde(default)]
    pub(crate) files: BTreeMap<Spanned<String>, Spanned<ComparisonFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonFile {
    pub(crate) text: Option<String>,
    pub(crate) base64: Option<Spanned<String>>,
    pub(crate) json: Option<Spanned<String>>,
    pub(crate) json_lines: Option<Spanned<String>>,
    pub(crate) csv: Option<Spanned<String>>,
    pub(crate) pattern: Option<Spanned<String>>,
    pub(crate) sqlite: Option<Spanned<Vec<QueryFile>>>,
    pub(crate) archive: Option<Spanned<ArchiveFile>>,
    pub(crate) empty: Option<bool>,
    pub(crate) absent: Option<Spanned<bool>>,
    pub(crate) normalise: Option<Spanned<Vec<Normaliser>>>,
    pub(crate) unordered: Option<Spanned<bool>>,
    pub(crate) key_order: Option<Spanned<bool>>,
    pub(crate) tolerance: Option<Spanned<f64>>,
}

/// What a query is to find in a database.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryFile {
    pub(crate) query: Spanned<String>,
    pub(crate) rows: Spanned<String>,
}

/// What an archive is to hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveFile {
    pub(crate) kind: ArchiveKind,
    #[serde(default)]
    pub(crate) only: bool,
    #[serde(default)]
    pub(crate) files: BTreeMap<Spanned<String>, Spanned<ComparisonFile>>,
}
