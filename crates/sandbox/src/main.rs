//! The sandbox's worker. Not for people: `slopbench` starts it and talks to it over its standard
//! input and output.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use slopbench_sandbox::worker;

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let served = match words.next() {
        Some(word) if word == "contained" => worker::contain(words.next().map(PathBuf::from).as_deref()),
        _ => worker::serve(),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // The other side is gone or talks nonsense: there is no one to tell.
        Err(_) => ExitCode::FAILURE,
    }
}
