//! Who does units, and where.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// A way to have units done: in this process, or by `slopbench run-unit` on other machines that see the run's folder.
pub trait Executor: Sync {
    /// Has each of `units` done, and returns when all have ended in some way. `carry_out` does one in this process.
    fn execute(&self, units: &[String], carry_out: &(dyn Fn(&str) + Sync));
}

/// So many threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub NonZeroUsize);

impl Executor for Threads {
    fn execute(&self, units: &[String], carry_out: &(dyn Fn(&str) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                carry_out(unit);
            }
        };
        thread::scope(|scope| (0..self.0.get().min(units.len())).for_each(|_| drop(scope.spawn(work))));
    }
}
