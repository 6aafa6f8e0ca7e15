//! How a judge is asked.

use serde::{Deserialize, Serialize};

/// How a judge is asked. All of it is a part of a judgement's identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// What its provider calls the model.
    pub model: String,
    /// How much chance there is; what the provider thinks best where nothing is said.
    pub temperature: Option<f64>,
    /// What chance begins with where the API has that; votes count on from it.
    pub seed: Option<u64>,
    /// The most tokens of one answer, reasoning included.
    pub max_tokens: u32,
    /// How many looks into the tree a question has.
    pub calls: u32,
}

impl JudgeSettings {
    /// Eight looks, as SLUMP's judge has (section 3.2), no chance, and room for a verdict.
    pub fn new(model: &str) -> Self {
        Self { model: model.to_owned(), temperature: Some(0.0), seed: Some(0), max_tokens: 4096, calls: 8 }
    }
}
