//! Agents' sandboxes in containers. Skipped, saying why, where no engine answers or it lacks the image.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

mod client;
mod rooms;

use slopbench_sandbox::{docker::Engine, session::System};

/// The newest image with Python, or says why there is none.
fn system() -> Option<System> {
    let image = Engine::connect().and_then(|engine| engine.find_image("slopbench/python"));
    image.inspect_err(|error| eprintln!("skipped: {error}")).ok().map(System::Image)
}
