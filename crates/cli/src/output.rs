//! The only place that writes to standard output and standard error, be it through a pager. File names, cases' output and what models say are
//! foreign text: nothing in it that a terminal would obey is written.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use serde::Serialize;
use slopbench_digest::canonical;
use slopbench_report::{Role, Text, printable_json, printable_lines};

use crate::{Failure, pager, screen::Screen, style};

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

/// Writes what a command did to standard output; on a terminal, tables are fitted to its window.
pub(crate) fn print(text: impl Into<Text>) -> Result<(), Failure> {
    print_in(Screen::of_output().as_ref(), &text.into(), false)
}

/// Writes what was asked for to standard output: as [`print`], but what is longer than the window through a pager. Not for
/// a command that works for long, whose end nobody may be there to see.
pub(crate) fn page(text: impl Into<Text>) -> Result<(), Failure> {
    print_in(Screen::of_output().as_ref(), &text.into(), true)
}

fn print_in(screen: Option<&Screen>, text: &Text, paged: bool) -> Result<(), Failure> {
    let lines = text.lines(screen.map(|screen| screen.width));
    let painted = style::painted(&lines, style::is_coloured(&io::stdout()));
    let is_long = screen.is_some_and(|screen| !screen.has_room_for(&lines));
    if paged && is_long && pager::show(&painted) { Ok(()) } else { write(&painted) }
}

/// Writes text for programs to standard output, as it is.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has seen enough, as in `slopbench … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::infrastructure(format!("cannot write to standard output: {error}"))),
    }
}

/// Writes one JSON value to standard output.
pub(crate) fn print_json<T: Serialize + ?Sized>(value: &T) -> Result<(), Failure> {
    let json = canonical::to_string(value).map_err(Failure::infrastructure)?;
    // As it is, unless a terminal shows it.
    match io::stdout().is_terminal() {
        true => write(&printable_json(&json)),
        false => write(&json),
    }
}

/// Writes to standard error what is being done, where that takes a while.
pub(crate) fn tell(text: &str) {
    say("", Role::Plain, text);
}

/// Writes a note to standard error.
pub(crate) fn warn(text: &str) {
    say("warning: ", Role::Caution, text);
}

/// Writes to standard error which check failed.
pub(crate) fn refuse(text: &str) {
    say("failed: ", Role::Bad, text);
}

/// Writes a failure to standard error, and gives its exit code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    say("error: ", Role::Bad, &failure.to_string());
    failure.status.into()
}

fn say(what: &str, role: Role, text: &str) {
    let what = style::paint(role, what, style::is_coloured(&io::stderr()));
    // Where even standard error is closed, there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{what}{}", printable_lines(text));
}
