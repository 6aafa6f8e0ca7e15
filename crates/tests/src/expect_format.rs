//! What is expected, as it is written; `problems/README.md` explains every key.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::normalise::Normaliser;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectFile {
    pub(crate) exit_code: Option<u8>,
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
    pub(crate) empty: Option<bool>,
    pub(crate) absent: Option<Spanned<bool>>,
    pub(crate) normalise: Option<Spanned<Vec<Normaliser>>>,
    pub(crate) unordered: Option<Spanned<bool>>,
    pub(crate) key_order: Option<Spanned<bool>>,
    pub(crate) tolerance: Option<Spanned<f64>>,
}
