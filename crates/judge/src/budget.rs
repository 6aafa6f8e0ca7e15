//! What judging may cost, shared by all who judge.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::JudgeError;

/// A budget in US dollars. What the next request may cost is set aside before it is sent, so that those who judge side by
/// side do not exceed it together.
#[derive(Debug, Default)]
pub struct JudgeBudget {
    limit: Option<f64>,
    spent: Mutex<Spending>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spending {
    paid: f64,
    set_aside: f64,
    has_unpriced: bool,
}

impl JudgeBudget {
    /// A budget of so many US dollars, or without a limit.
    pub fn new(limit_usd: Option<f64>) -> Self {
        Self { limit: limit_usd, ..Self::default() }
    }

    /// What all requests cost so far, in US dollars; those of models without a price not counted.
    pub fn spent_usd(&self) -> f64 {
        self.spending().paid
    }

    /// Whether some requests have no price, so that more was spent than is counted.
    pub fn has_unpriced(&self) -> bool {
        self.spending().has_unpriced
    }

    /// Sets aside what a request of `model` may cost: `next`, in US dollars.
    ///
    /// # Errors
    ///
    /// [`JudgeError::BudgetSpent`] if there is no room for it, [`JudgeError::NoPrice`] if nobody knows what it costs.
    pub fn reserve(&self, model: &str, next: Option<f64>) -> Result<Reservation<'_>, JudgeError> {
        let mut spending = self.spending();
        let Some(limit) = self.limit else { return Ok(Reservation { budget: self, set_aside: 0.0 }) };
        let next = next.ok_or_else(|| JudgeError::NoPrice { model: model.to_owned() })?;
        let spent = spending.paid + spending.set_aside;
        if spent + next > limit {
            return Err(JudgeError::BudgetSpent { spent, limit, next });
        }
        spending.set_aside += next;
        Ok(Reservation { budget: self, set_aside: next })
    }

    fn spending(&self) -> MutexGuard<'_, Spending> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is set aside for a request; free again when dropped.
#[derive(Debug)]
pub struct Reservation<'a> {
    budget: &'a JudgeBudget,
    set_aside: f64,
}

impl Reservation<'_> {
    /// Pays what the request did cost, in US dollars.
    pub fn pay(self, cost: Option<f64>) {
        let mut spending = self.budget.spending();
        spending.paid += cost.unwrap_or(0.0);
        spending.has_unpriced |= cost.is_none();
        // The reservation ends next, and takes the lock itself.
        drop(spending);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.budget.spending().set_aside -= self.set_aside;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_counts_until_it_is_paid() {
        let budget = JudgeBudget::new(Some(1.0));
        let first = budget.reserve("m", Some(0.6)).unwrap();
        assert!(matches!(budget.reserve("m", Some(0.5)), Err(JudgeError::BudgetSpent { .. })));
        first.pay(Some(0.1));
        drop(budget.reserve("m", Some(0.9)).unwrap());
        drop(budget.reserve("m", Some(0.9)).unwrap());
        assert_eq!(budget.spent_usd(), 0.1);
        assert!(matches!(budget.reserve("m", None), Err(JudgeError::NoPrice { .. })));
    }

    #[test]
    fn without_a_limit_what_has_no_price_is_told() {
        let budget = JudgeBudget::default();
        budget.reserve("m", None).unwrap().pay(None);
        assert!(budget.has_unpriced());
    }
}
