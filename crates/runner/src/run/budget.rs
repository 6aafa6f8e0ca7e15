//! What a run may cost before it stops by itself.

use std::sync::{Mutex, PoisonError};

use super::record::Record;

/// Limits that are looked at before each session; a session that has begun is paid to its end, and one that does
/// not tell what it used, as when it was killed, is not counted.
#[derive(Debug, Default)]
pub struct Budget {
    /// In US dollars, by our price table.
    pub usd: Option<f64>,
    /// Tokens in and out.
    pub tokens: Option<u64>,
    spent: Mutex<Spent>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    usd: f64,
    tokens: u64,
}

impl Budget {
    /// A budget of which nothing is spent yet.
    pub fn new(usd: Option<f64>, tokens: Option<u64>) -> Self {
        Self { usd, tokens, spent: Mutex::default() }
    }

    pub(crate) fn spend(&self, record: &Record) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        // The agent's own figure, where the price table has none: better than nothing.
        spent.usd += record.cost_usd.or(record.told_cost_usd).unwrap_or_default();
        let total = record.total();
        spent.tokens += total.input + total.output;
    }

    /// Why no further session may begin.
    pub(crate) fn exhausted(&self) -> Option<String> {
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(limit) = self.usd.filter(|limit| spent.usd >= *limit) {
            return Some(format!("${:.2} are spent of a budget of ${limit:.2}", spent.usd));
        }
        let limit = self.tokens.filter(|limit| spent.tokens >= *limit)?;
        Some(format!("{} tokens are used of {limit}", spent.tokens))
    }
}
