//! Who is at work on the machine: many side by side, or one alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets any number of jobs run side by side, or one alone. A job that is to be alone waits for those at work, and no other
/// begins meanwhile.
///
/// It knows of those who pass it, so of this process: of suites that are played and of agents' sessions. What else the
/// machine does is out of its reach.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// How many are at work side by side.
    at_work: usize,
    /// How many wait to be alone.
    waiting: usize,
    /// Whether someone is.
    alone: bool,
    /// How many came in to work side by side, ever.
    entered: u64,
}

impl Gate {
    /// Comes in to work beside others, once no one is alone or waits to be.
    pub fn enter(&self) -> Pass<'_> {
        let mut state = self.wait_while(|state| state.alone || state.waiting > 0, self.lock());
        state.at_work += 1;
        state.entered += 1;
        Pass { gate: self, number: state.entered, came_first: state.at_work == 1 }
    }

    /// Comes in to be alone, once everyone else has left. Who has a [`Pass`] has to give it back first.
    pub fn enter_alone(&self) -> Alone<'_> {
        let mut state = self.lock();
        state.waiting += 1;
        let mut state = self.wait_while(|state| state.alone || state.at_work > 0, state);
        state.waiting -= 1;
        state.alone = true;
        Alone { gate: self }
    }

    fn wait_while<'a>(&self, busy: fn(&State) -> bool, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, |state| busy(state)).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // What is guarded is whole between any two statements.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Someone at work beside others, until this goes.
#[derive(Debug)]
pub struct Pass<'a> {
    gate: &'a Gate,
    number: u64,
    came_first: bool,
}

impl Pass<'_> {
    /// Whether no one else was at work since this one came in.
    pub fn was_alone(&self) -> bool {
        self.came_first && self.gate.lock().entered == self.number
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.gate.lock().at_work -= 1;
        self.gate.changed.notify_all();
    }
}

/// Someone alone, until this goes.
#[derive(Debug)]
pub struct Alone<'a> {
    gate: &'a Gate,
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.gate.lock().alone = false;
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn who_is_to_be_alone_waits_for_those_at_work_and_lets_no_one_in_before() {
        let (gate, order) = (Gate::default(), Mutex::new(Vec::new()));
        let tell = |what| order.lock().unwrap().push(what);
        thread::scope(|scope| {
            let (first, second) = (gate.enter(), gate.enter());
            scope.spawn(|| {
                let _alone = gate.enter_alone();
                tell("alone");
            });
            while gate.lock().waiting == 0 {
                thread::yield_now();
            }
            scope.spawn(|| {
                let _pass = gate.enter();
                tell("beside");
            });
            tell("at work");
            drop((first, second));
        });
        assert_eq!(order.into_inner().unwrap(), ["at work", "alone", "beside"]);
    }

    #[test]
    fn a_pass_knows_whether_it_was_the_only_one() {
        let gate = Gate::default();
        let first = gate.enter();
        assert!(first.was_alone());
        let second = gate.enter();
        assert!(!first.was_alone() && !second.was_alone());
        drop(second);
        assert!(!first.was_alone(), "it had company for a while");
        drop(first);
        drop(gate.enter_alone());
        assert!(gate.enter().was_alone());
    }
}
