//! The `slopbench` binary: glue between the command line and the libraries.
//!
//! `args` says what can be asked, `commands/` has a file for each, `failure` maps every error to a sentence and an exit
//! code, `figure_file` writes figures, `output` is the only place that writes to a terminal, with the help of `style`, `screen` and `pager`.

mod args;
mod catalogue;
mod commands;
mod failure;
mod figure_file;
mod files;
mod interpreters;
mod judging;
mod models;
mod output;
mod pager;
mod progress;
mod result_files;
mod screen;
mod setup;
mod style;
mod tracks;
mod watch;

use std::process::ExitCode;

use clap::Parser;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use slopbench_sandbox::worker;

use crate::{args::Args, failure::Failure};

fn main() -> ExitCode {
    // Sandboxes start this very file again as their worker.
    if let Some(status) = worker::main_if_called() {
        return status;
    }
    raise_open_files();
    let args = Args::parse();
    style::choose(args.color);
    if args.no_pager {
        pager::turn_off();
    }
    match commands::run(&args) {
        Ok(status) => status.into(),
        Err(failure) => output::report(&failure),
    }
}

/// As many descriptors as a run may need.
const ENOUGH: u64 = 65_536;

/// Sessions of agents share this process' descriptors, and the usual 1024 are few. A limit that cannot be raised is kept.
fn raise_open_files() {
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(ENOUGH), hard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_limit_of_descriptors_is_raised() {
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        setrlimit(Resource::RLIMIT_NOFILE, soft.min(1024), hard).unwrap();
        raise_open_files();
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).unwrap().0, hard.min(ENOUGH));
    }
}
