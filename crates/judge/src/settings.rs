//! How a judge is asked.

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;

/// How a judge is asked. All of it is a part of a judgement's identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// Who answers: a provider's name in the catalogue, or of a script by [`JudgeSettings::of_script`].
    pub provider: String,
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
    pub fn new(provider: &str, model: &str) -> Self {
        let (provider, model) = (provider.to_owned(), model.to_owned());
        Self { provider, model, temperature: Some(0.0), seed: Some(0), max_tokens: 4096, calls: 8 }
    }

    /// The same where a script answers in the model's place: what it says is no word of the model's, and another script is another
    /// judge.
    #[must_use]
    pub fn of_script(self, script: &[u8]) -> Self {
        Self { provider: format!("script:{}", Sha256::of(script)), ..self }
    }
}
