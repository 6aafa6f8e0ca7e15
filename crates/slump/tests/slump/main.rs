//! The study as its users meet it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bench;
mod degraded;
mod fixture;
mod guarded;
mod judging;
mod making;
mod planning;
mod scores;
mod study;
mod tasks;
mod testing;
mod whole;
