//! What is kept of a question that was asked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slopbench_digest::{Sha256, canonical};
use slopbench_gateway::turn::TokenUsage;

use crate::{
    attempts::Attempts,
    error::JudgeError,
    inspector::InspectionCall,
    outcome::{NotJudged, Outcome},
    settings::JudgeSettings,
    tree::LeftOut,
};

/// What `format` says in a judgement of this version.
pub const JUDGEMENT_FORMAT: &str = "slopbench.judgement/1";

/// What makes two judgements the same: the question, what it is about, who is asked, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgementKey {
    /// [`crate::Question::kind`].
    pub kind: String,
    /// The digest of the input.
    pub input: Sha256,
    /// The digest of all that the inspector can show; nothing for a question about no tree.
    pub tree: Option<Sha256>,
    /// The digest of instructions, template, schema and tools.
    pub prompt: Sha256,
    /// Who is asked, and how.
    pub settings: JudgeSettings,
    /// Which of several votes, from 0.
    pub vote: u32,
}

impl JudgementKey {
    /// The key's own digest, by which the cache calls a judgement.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Unwritable`] if it cannot be written as JSON.
    pub fn digest(&self) -> Result<Sha256, JudgeError> {
        Ok(Sha256::of(&canonical::to_vec(self).map_err(JudgeError::Unwritable)?))
    }
}

/// A question that was asked, and all that is known of how it was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement<A> {
    /// [`JUDGEMENT_FORMAT`].
    pub format: String,
    /// What makes it what it is.
    pub key: JudgementKey,
    /// What was asked about.
    pub input: Value,
    /// What became of it.
    pub outcome: Outcome<A>,
    /// The answer as a number, where it is one.
    pub score: Option<f64>,
    /// Why the model was asked once more for the verdict alone, if it was.
    pub asked_again: Option<NotJudged>,
    /// Every look into the tree, in order, refused ones too.
    pub calls: Vec<InspectionCall>,
    /// Texts of the tree that talk to the judge, and what it hides.
    pub attempts: Attempts,
    /// What the inspector cannot show.
    pub left_out: Vec<LeftOut>,
    /// How many requests were sent.
    pub requests: u32,
    /// The tokens of all of them.
    pub usage: TokenUsage,
    /// What they cost in US dollars when they were made; nothing where the model has no price.
    pub cost_usd: Option<f64>,
}
