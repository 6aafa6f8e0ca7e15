//! What a run may cost before it stops by itself.

use std::{
    ops::AddAssign,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

/// What a stage cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    /// In US dollars.
    pub usd: f64,
    /// Tokens in and out.
    pub tokens: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.usd += other.usd;
        self.tokens += other.tokens;
    }
}

/// Limits that are looked at before each paid stage; a stage that has begun is paid to its end.
#[derive(Debug, Default)]
pub struct Budget {
    usd: Option<f64>,
    tokens: Option<u64>,
    closed: bool,
    spent: Mutex<Spent>,
}

impl Budget {
    /// A budget in US dollars and in tokens, of which nothing is spent yet.
    pub fn new(usd: Option<f64>, tokens: Option<u64>) -> Self {
        Self { usd, tokens, ..Self::default() }
    }

    /// A budget of nothing: no paid stage begins.
    pub fn closed() -> Self {
        Self { closed: true, ..Self::default() }
    }

    pub(crate) fn spend(&self, spent: Spent) {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner) += spent;
    }

    /// Why no further stage may begin.
    pub(crate) fn exhausted(&self) -> Option<String> {
        if self.closed {
            return Some("it lacks sessions, and none is begun while grading anew".to_owned());
        }
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(limit) = self.usd.filter(|limit| spent.usd >= *limit) {
            return Some(format!("${:.2} are spent of a budget of ${limit:.2}", spent.usd));
        }
        let limit = self.tokens.filter(|limit| spent.tokens >= *limit)?;
        Some(format!("{} tokens are used of {limit}", spent.tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_where_it_stops() {
        let budget = Budget::new(Some(3.0), None);
        budget.spend(Spent { usd: 2.0, tokens: 1000 });
        assert_eq!(budget.exhausted(), None);
        budget.spend(Spent { usd: 1.0, tokens: 1000 });
        assert_eq!(budget.exhausted().as_deref(), Some("$3.00 are spent of a budget of $3.00"));
        let budget = Budget::new(None, Some(1500));
        budget.spend(Spent { usd: 2.0, tokens: 2000 });
        assert_eq!(budget.exhausted().as_deref(), Some("2000 tokens are used of 1500"));
    }
}
