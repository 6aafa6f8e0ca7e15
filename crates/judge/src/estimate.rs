//! What a question may cost, before it is asked.

use std::ops::AddAssign;

use serde::Serialize;
use slopbench_gateway::turn::TokenUsage;

/// Bytes of a token, taken low so that estimates are high.
const BYTES_OF_TOKEN: u64 = 3;

/// What questions may cost at most: every look taken, every result and every answer as long as it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct JudgingEstimate {
    /// How many judgements are asked for.
    pub questions: u64,
    /// How many of them are kept already, and cost nothing.
    pub cached: u64,
    /// How many requests there may be.
    pub requests: u64,
    /// How many tokens may be read.
    pub input_tokens: u64,
    /// How many tokens may be written.
    pub output_tokens: u64,
    /// What that costs in US dollars, if all of it has a price.
    pub usd: Option<f64>,
}

impl JudgingEstimate {
    /// Of nothing, to add to.
    pub fn none() -> Self {
        Self { usd: Some(0.0), ..Self::default() }
    }
}

impl AddAssign for JudgingEstimate {
    fn add_assign(&mut self, other: Self) {
        self.questions += other.questions;
        self.cached += other.cached;
        self.requests += other.requests;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.usd = self.usd.zip(other.usd).map(|(ours, theirs)| ours + theirs);
    }
}

/// What one request may use: so many bytes read, so many tokens written.
pub(crate) fn request(bytes: usize, max_tokens: u32) -> TokenUsage {
    TokenUsage { input: bytes as u64 / BYTES_OF_TOKEN + 1, output: u64::from(max_tokens), ..TokenUsage::default() }
}
