//! Agents' sandboxes in Linux namespaces.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod rooms;

use slopbench_agents::launch::AgentSandbox;
use slopbench_sandbox::{probe, session::System};
use slopbench_test_support::{Need, need};

/// This machine's.
fn system() -> Option<System> {
    need(Need::Namespaces, probe::available()).map(|()| AgentSandbox::machine().unwrap())
}
