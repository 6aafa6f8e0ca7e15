//! What a run may cost before it stops by itself.

use std::sync::{Mutex, PoisonError};

use super::record::Record;

/// Limits that are looked at before each session; a session that has begun is paid to its end.
#[derive(Debug, Default)]
pub struct Budget {
    /// In US dollars, by our price table.
    pub usd: Option<f64>,
    /// Tokens in and out.
    pub tokens: Option<u64>,
    /// Whether no session may begin at all.
    closed: bool,
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
        Self { usd, tokens, ..Self::default() }
    }

    /// For who only grades.
    pub(crate) fn closed() -> Self {
        Self { closed: true, ..Self::default() }
    }

    pub(crate) fn spend(&self, record: &Record) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        // The agent's own figure, where the price table has none: better than nothing.
        spent.usd += record.cost_usd.or(record.reported_cost_usd).unwrap_or_default();
        let total = record.total();
        spent.tokens += total.input + total.output;
    }

    /// Why no further session may begin.
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
    use slopbench_agents::events::{Counter, Ending};
    use slopbench_gateway::turn::Usage;

    use super::*;
    use crate::run::Footprint;

    fn record(cost_usd: Option<f64>, reported_cost_usd: Option<f64>) -> Record {
        let usage = Usage { input: 900, output: 100, ..Usage::default() };
        Record {
            format: String::new(),
            instrument: crate::run::Instrument::default(),
            outcome: crate::run::Outcome::Ended(Ending::Done),
            before: None,
            workspace: None,
            not_kept: Default::default(),
            prompt: slopbench_digest::Sha256::of(b""),
            usage: [("m".to_owned(), usage)].into(),
            counted_by: Counter::Gateway,
            cost_usd,
            reported_cost_usd,
            footprint: Footprint::default(),
            began: String::new(),
            seconds: 0.0,
        }
    }

    #[test]
    fn our_price_counts_before_the_agents_and_the_limit_is_where_it_stops() {
        let budget = Budget::new(Some(3.0), None);
        budget.spend(&record(Some(2.0), Some(9.0)));
        assert_eq!(budget.exhausted(), None);
        budget.spend(&record(None, Some(1.0)));
        assert_eq!(budget.exhausted().as_deref(), Some("$3.00 are spent of a budget of $3.00"));
    }

    #[test]
    fn tokens_are_counted_in_and_out() {
        let budget = Budget::new(None, Some(1500));
        budget.spend(&record(None, None));
        assert_eq!(budget.exhausted(), None);
        budget.spend(&record(None, None));
        assert_eq!(budget.exhausted().as_deref(), Some("2000 tokens are used of 1500"));
    }
}
