//! The `slopbench` binary: glue between the command line and the libraries.
//!
//! `args` says what can be asked, `commands/` has a file for each, `failure` maps every error to a sentence and an exit
//! code, `output` is the only place that writes.

mod args;
mod commands;
mod failure;
mod output;
mod progress;
mod setup;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::{args::Args, failure::Failure};

fn main() -> ExitCode {
    let args = Args::parse();
    match commands::run(&args) {
        Ok(status) => status.into(),
        Err(failure) => output::report(&failure),
    }
}
