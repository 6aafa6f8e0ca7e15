//! Agents' sandboxes in containers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod rooms;

use slopbench_sandbox::{docker::ContainerEngine, session::System};
use slopbench_test_support::{Need, need};

/// The newest image with Python.
fn system() -> Option<System> {
    let image = ContainerEngine::connect().and_then(|engine| engine.find_image("slopbench/python"));
    need(Need::Docker, image).map(System::Image)
}
