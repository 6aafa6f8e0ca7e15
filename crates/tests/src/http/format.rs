//! The parts of the TOML files that are about servers; `problems/README.md` explains every key.

use std::{collections::BTreeMap, num::NonZeroU32};

use serde::Deserialize;
use toml::Spanned;

use crate::expect_format::ComparisonFile;

/// `[server]` of a problem.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerFile {
    pub(crate) port_variable: Option<Spanned<String>>,
    pub(crate) ready: Spanned<String>,
    pub(crate) ready_ms: Option<NonZeroU32>,
    pub(crate) answer_ms: Option<NonZeroU32>,
}

/// One of a case's `[[steps]]`, or one of the requests of a step.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepFile {
    pub(crate) restart: Option<Spanned<bool>>,
    pub(crate) together: Option<Spanned<Vec<Spanned<StepFile>>>>,
    pub(crate) request: Option<Spanned<String>>,
    pub(crate) times: Option<Spanned<NonZeroU32>>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(crate) body: Option<Spanned<String>>,
    pub(crate) json: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) capture: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub(crate) expect: AnswerFile,
}

/// What is expected of an answer.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerFile {
    pub(crate) status: Option<u16>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<Spanned<String>, Spanned<ComparisonFile>>,
    pub(crate) body: Option<Spanned<ComparisonFile>>,
}
