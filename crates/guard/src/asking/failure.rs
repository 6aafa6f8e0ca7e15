//! What may become of a call of a model, and what it takes.

use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use slopbench_gateway::client::ClientError;
use slopbench_gateway::turn::TokenUsage;

/// Why a model's answer came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFailure {
    /// What sort of failure it is.
    pub kind: ModelFailureKind,
    /// What happened.
    pub message: String,
}

/// What sort of failure a model's is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelFailureKind {
    /// The model, or its provider's filter, will not answer.
    Refused,
    /// The answer is not whole.
    CutOff,
    /// The provider turns us away, fails, or is not reached.
    Provider,
    /// The answer is not as the schema has it.
    Malformed,
    /// The answer is as the schema has it, and makes no sense: it names what is not there, or does what it may not.
    Unsound,
    /// The cassette has no such request, or the script no answer to it.
    NotRecorded,
    /// The call may cost more than is left of the budget, or nobody knows what it costs.
    Budget,
    /// A person changed the records while the model was asked.
    ChangedMeanwhile,
}

impl ModelFailure {
    pub(crate) fn new(kind: ModelFailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn unsound(message: impl Into<String>) -> Self {
        Self::new(ModelFailureKind::Unsound, message)
    }
}

impl fmt::Display for ModelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<&ClientError> for ModelFailure {
    fn from(error: &ClientError) -> Self {
        let kind = match error {
            ClientError::Refused { .. } => ModelFailureKind::Refused,
            ClientError::CutOff { .. } => ModelFailureKind::CutOff,
            ClientError::Malformed(_) | ClientError::NotJson { .. } | ClientError::Unusable { .. } => {
                ModelFailureKind::Malformed
            }
            ClientError::NotRecorded(_) | ClientError::NoAnswer { .. } => ModelFailureKind::NotRecorded,
            _ => ModelFailureKind::Provider,
        };
        Self::new(kind, error.to_string())
    }
}

/// What calls of models took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelUse {
    /// How many calls were answered, be it with a refusal or with nonsense.
    pub calls: u32,
    /// Their tokens.
    pub tokens: TokenUsage,
    /// What those cost that have a price, in US dollars.
    pub cost_usd: f64,
    /// How many calls have no price.
    pub unpriced: u32,
}

impl ModelUse {
    pub(crate) fn add(&mut self, tokens: TokenUsage, cost_usd: Option<f64>) {
        self.calls += 1;
        self.tokens += tokens;
        self.cost_usd += cost_usd.unwrap_or_default();
        self.unpriced += u32::from(cost_usd.is_none());
    }
}

impl AddAssign for ModelUse {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.tokens += other.tokens;
        self.cost_usd += other.cost_usd;
        self.unpriced += other.unpriced;
    }
}
