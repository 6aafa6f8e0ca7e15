//! A process that stands for a program in another room: `slopbench-sandbox launch PROGRAM ARGUMENTS…`.
//!
//! It hands its arguments, its environment, its working folder and its standard streams to the [starter](super::starter), passes
//! on every signal that it gets, and ends as the program does. It goes by the rules of `env(1)`: exit code 125 is its own
//! failure, 126 a program that cannot be executed, 127 one that is not there.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, SigmaskHow, sigprocmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::stat::{Mode, umask};

use super::launch::{LauncherRequest, Leads, ProgramEnded, ProgramStart};
use crate::layout::{DOOR, PROGRAMS, SUITE_ENVIRONMENT};
use crate::suite::REPORT_VARIABLE;
use crate::{handover, sys, wire};

/// The launcher's own failure, as `env(1)` has it.
const FAILED: u8 = 125;

/// Variables of the suite's own that no program gets. What stands for more ends with a star.
const OWN: [&str; 2] = [REPORT_VARIABLE, "PYTEST_*"];

/// Variables that may name the suite's environment: what does is left out of them.
const NAMING: [&str; 3] = ["PATH", "PYTHON*", "VIRTUAL_ENV"];

/// Stands for the program that these words say.
pub(super) fn main(words: impl Iterator<Item = OsString>) -> ExitCode {
    let words: Vec<_> = words.map(OsString::into_vec).collect();
    let (signals, socket) = match open(words) {
        Ok(opened) => opened,
        Err(error) => {
            // Nobody else is there to be told.
            let _ = writeln!(io::stderr(), "slopbench: cannot reach the solution's room: {error}");
            return ExitCode::from(FAILED);
        }
    };
    // The program's alone from now on: its pipes must end when it closes them.
    let _ = sys::close_standard_streams();
    match attend(&signals, socket) {
        Ok(status) => sys::end_as(status),
        Err(_) => ExitCode::from(FAILED),
    }
}

/// Asks for the program.
fn open(argv: Vec<Vec<u8>>) -> io::Result<(SignalFd, UnixStream)> {
    if argv.is_empty() {
        return Err(io::Error::other("expected a program after `launch`"));
    }
    // All but those that cannot be: each is the program's.
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), None)?;
    let signals = SignalFd::with_flags(&SigSet::all(), SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    let umask = umask(Mode::empty()).bits();
    let folder = env::current_dir()?.into_os_string().into_vec();
    let start = ProgramStart { argv, env: environment(), folder, umask, leads: Leads::of_this_process() };
    let mut frame = Vec::new();
    wire::write(&mut frame, &LauncherRequest::Start(start))?;
    let mut socket = UnixStream::connect(DOOR)?;
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let sent = handover::send_with(&socket, &frame, &[stdin.as_fd(), stdout.as_fd(), stderr.as_fd()])?;
    socket.write_all(frame.get(sent..).unwrap_or_default())?;
    Ok((signals, socket))
}

/// Passes on signals until the program has ended. Returns its raw wait status.
fn attend(signals: &SignalFd, mut socket: UnixStream) -> io::Result<i32> {
    loop {
        let mut fds = [PollFd::new(signals.as_fd(), PollFlags::POLLIN), PollFd::new(socket.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let [_, answer] = fds;
        if answer.any().unwrap_or(true) {
            let ended = wire::read::<ProgramEnded>(&mut socket)?;
            return ended.map(|ProgramEnded(status)| status).ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        while let Some(signal) = signals.read_signal()? {
            let number = i32::try_from(signal.ssi_signo).unwrap_or_default();
            // Its own children it has none of.
            if number != libc::SIGCHLD {
                wire::write(&mut socket, &LauncherRequest::Signal(number))?;
            }
        }
    }
}

/// This process's environment, as far as it is not the suite's own.
fn environment() -> Vec<Vec<u8>> {
    let kept = env::vars_os().filter_map(|(name, value)| {
        let value = shared_part(name.as_bytes(), value.as_bytes())?;
        Some([name.as_bytes(), b"=", &value].concat())
    });
    kept.collect()
}

/// What a program gets of a variable; nothing if it does not get it at all.
fn shared_part(name: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    if OWN.iter().any(|own| matches(own, name)) {
        return None;
    }
    if !NAMING.iter().any(|naming| matches(naming, name)) {
        return Some(value.to_vec());
    }
    let is_own = |entry: &&[u8]| {
        let entry = Path::new(std::ffi::OsStr::from_bytes(entry));
        [SUITE_ENVIRONMENT, PROGRAMS].iter().any(|folder| entry.starts_with(folder))
    };
    let (own, others): (Vec<_>, Vec<_>) = value.split(|byte| *byte == b':').partition(is_own);
    (own.is_empty() || !others.is_empty()).then(|| others.join(&b':'))
}

fn matches(pattern: &str, name: &[u8]) -> bool {
    pattern.strip_suffix('*').map_or(name == pattern.as_bytes(), |start| name.starts_with(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_the_suite_is_left_out() {
        let part = |name: &str, value: &str| {
            shared_part(name.as_bytes(), value.as_bytes()).map(|value| String::from_utf8_lossy(&value).into_owned())
        };
        for (name, value, expected) in [
            ("HOME", "/opt/suite", Some("/opt/suite")),
            ("PATH", "/opt/suite/bin:/usr/bin:/bin", Some("/usr/bin:/bin")),
            ("PATH", "/opt/suites:/slopbench", Some("/opt/suites")),
            ("PATH", "/opt/suite/bin", None),
            ("PATH", "", Some("")),
            ("PYTHONPATH", "/workspace:/opt/suite/lib", Some("/workspace")),
            ("PYTHONHASHSEED", "0", Some("0")),
            ("VIRTUAL_ENV", "/opt/suite", None),
            ("VIRTUAL_ENV", "/tmp/x", Some("/tmp/x")),
            ("PYTEST_CURRENT_TEST", "test_a", None),
            (REPORT_VARIABLE, "7", None),
        ] {
            assert_eq!(part(name, value).as_deref(), expected, "{name}={value}");
        }
    }
}
