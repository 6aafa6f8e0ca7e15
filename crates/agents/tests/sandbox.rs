//! Agents' sandboxes in Linux namespaces.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

mod client;
mod rooms;

use slopbench_agents::launch::Sandbox;
use slopbench_sandbox::{
    probe::{self, State},
    session::System,
};

/// This machine's, or says why it cannot be shown.
fn system() -> Option<System> {
    let mut missing = probe::features().unwrap();
    missing.retain(|feature| feature.state != State::Found);
    if missing.is_empty() {
        return Some(Sandbox::machine().unwrap());
    }
    eprintln!("skipped: {missing:?}");
    None
}
