//! The sandbox's worker as a program of its own, for this crate's tests and for programs that are none themselves. Not for
//! people: its standard input and output are for who starts it.

use std::env;
use std::process::ExitCode;

use slopbench_sandbox::worker;

fn main() -> ExitCode {
    worker::main(env::args_os().skip(1))
}
