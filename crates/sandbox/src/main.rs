//! The sandbox's worker. Not for people: `slopbench` starts it and talks to it over its standard
//! input and output.

use std::env;
use std::process::ExitCode;

use slopbench_sandbox::worker;

fn main() -> ExitCode {
    let served = match env::args().nth(1).as_deref() {
        Some("contained") => worker::contain(),
        _ => worker::serve(),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // The other side is gone or talks nonsense: there is no one to tell.
        Err(_) => ExitCode::FAILURE,
    }
}
