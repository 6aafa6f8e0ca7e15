//! The only place that writes to standard output and standard error. File names, cases' output and what models say are
//! foreign text: nothing in it that a terminal would obey is written.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use serde::Serialize;
use slopbench_digest::canonical;
use slopbench_report::{printable_json, printable_lines};

use crate::Failure;

/// How a command ended; the exit codes are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok = 0,
    /// A difference, or a failed check.
    Difference = 1,
    Usage = 2,
    Infrastructure = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

impl Status {
    /// `Ok` where a check succeeded.
    pub(crate) fn of_check(succeeded: bool) -> Self {
        if succeeded { Self::Ok } else { Self::Difference }
    }
}

/// Writes text for people to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(&printable_lines(text))
}

/// Writes JSON to standard output: as it is, unless a terminal shows it.
pub(crate) fn print_text_of_json(json: &str) -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => write(&printable_json(json)),
        false => write(json),
    }
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has seen enough, as in `slopbench … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::infrastructure(format!("cannot write to standard output: {error}"))),
    }
}

/// Writes one JSON value to standard output.
pub(crate) fn print_json<T: Serialize + ?Sized>(value: &T) -> Result<(), Failure> {
    print_text_of_json(&canonical::to_string(value).map_err(Failure::infrastructure)?)
}

/// Writes to standard error what is being done, where that takes a while.
pub(crate) fn tell(text: &str) {
    say("", text);
}

/// Writes a note to standard error.
pub(crate) fn warn(text: &str) {
    say("warning: ", text);
}

/// Writes to standard error which check failed.
pub(crate) fn refuse(text: &str) {
    say("failed: ", text);
}

/// Writes a failure to standard error, and gives its exit code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    say("error: ", &failure.to_string());
    failure.status.into()
}

fn say(what: &str, text: &str) {
    // Where even standard error is closed, there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{what}{}", printable_lines(text));
}
