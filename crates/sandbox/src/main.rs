//! The sandbox's worker. Not for people: `slopbench` starts it and talks to it over its standard
//! input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    match slopbench_sandbox::worker::serve() {
        Ok(()) => ExitCode::SUCCESS,
        // The other side is gone or talks nonsense: there is no one to tell.
        Err(_) => ExitCode::FAILURE,
    }
}
