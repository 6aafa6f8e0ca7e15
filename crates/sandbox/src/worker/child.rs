//! In a container: the program as a child of this process, which is process 1.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::signal::Signal;
use nix::unistd::{chdir, dup2_stderr, dup2_stdin, dup2_stdout, pipe2};

use super::companion::Companion;
use super::program::{InitReport, PreparedProgram, execute, leave_open};
use super::reaper::{kill_all, waited_for};
use super::shared;
use super::watched::Watched;
use crate::{Error, Limits, ProgramEnd, ResourceUsage, sys, wire};

/// A program that was started. Whatever it starts is killed with it.
pub(super) struct Child {
    program: Watched,
    reported: File,
}

impl Child {
    /// Starts it. `standard` is its standard input, output and error.
    pub(super) fn start(program: &PreparedProgram<'_>, standard: [OwnedFd; 3]) -> Result<Self, Error> {
        Self::start_with(program, standard, None)
    }

    /// Starts a test suite's program, which keeps `report` under its number, beside another room.
    pub(super) fn of_suite(
        program: &PreparedProgram<'_>,
        standard: [OwnedFd; 3],
        report: OwnedFd,
        companion: Companion,
    ) -> Result<Self, Error> {
        let Self { program, reported } = Self::start_with(program, standard, Some(report))?;
        Ok(Self { program: program.with_companion(companion)?, reported })
    }

    fn start_with(program: &PreparedProgram<'_>, standard: [OwnedFd; 3], left: Option<OwnedFd>) -> Result<Self, Error> {
        let (reported, reports) =
            pipe2(OFlag::O_CLOEXEC).map_err(|errno| Error::setup("make a pipe for its reports", errno))?;
        let (ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make a socket", error))?;
        let before = waited_for();
        let mut ends = Some((standard, reports, theirs, left));
        let pid = sys::spawn(CloneFlags::empty(), || ends.take().map_or(127, |ends| become_program(program, ends)));
        let pid = pid.map_err(|errno| Error::setup("fork", errno))?;
        // The child has copies; ours would keep the pipes from ever ending.
        drop(ends);
        let watched = Watched::new(pid, &ours, before, program.kind.interval).inspect_err(|_| kill_all())?;
        Ok(Self { program: watched, reported: File::from(reported) })
    }

    /// When it started.
    pub(super) fn started(&self) -> Instant {
        self.program.started()
    }

    /// Readable when there is a reason to look at once.
    pub(super) fn news(&self) -> BorrowedFd<'_> {
        self.program.news()
    }

    /// When to look at the latest.
    pub(super) fn due(&self) -> Instant {
        self.program.due()
    }

    /// How it ended, or which limit is exceeded.
    pub(super) fn look(&mut self, limits: &Limits) -> Result<Option<ProgramEnd>, Error> {
        self.program.look(limits)
    }

    /// Sends it a signal.
    pub(super) fn send(&self, signal: Signal) {
        self.program.send(signal);
    }

    /// Kills all there is but this process, and says what it took.
    pub(super) fn kill(&mut self) -> ResourceUsage {
        self.program.usage.wall = self.started().elapsed();
        kill_all();
        self.program.finish()
    }

    /// Kills all there is in the other room as well. Whether one of those was killed for want of memory before.
    pub(super) fn end_companion(&mut self) -> Result<bool, Error> {
        self.program.end_companion()
    }

    /// Why it could not be executed, if it could not. To be asked once all are dead.
    pub(super) fn unexecuted(&mut self) -> Result<Option<Errno>, Error> {
        let wrong = |error: std::io::Error| Error::setup("hear from the program's process", error);
        let mut report = Vec::new();
        self.reported.read_to_end(&mut report).map_err(wrong)?;
        match wire::take(&mut report).map_err(wrong)? {
            Some(InitReport::NotExecuted(errno)) => Ok(Some(Errno::from_raw(errno))),
            Some(InitReport::Failed(error)) => Err(error),
            _ => Ok(None),
        }
    }
}

/// The life of the program's process until it is the program. Returns only if it cannot be.
fn become_program(
    program: &PreparedProgram<'_>,
    (standard, reports, socket, left): ([OwnedFd; 3], OwnedFd, UnixStream, Option<OwnedFd>),
) -> i32 {
    let [stdin, stdout, stderr] = &standard;
    let connect = || {
        chdir(Path::new(program.kind.start))?;
        dup2_stdin(stdin).and_then(|()| dup2_stdout(stdout)).and_then(|()| dup2_stderr(stderr))
    };
    let connected = connect().map_err(|errno| Error::setup("connect its standard streams", errno));
    let ready = connected.and_then(|()| shared::tell(&socket));
    let ready = ready.and_then(|()| left.as_ref().map_or(Ok(()), leave_open));
    let report = match ready.and_then(|()| execute(program)) {
        Ok(errno) => InitReport::NotExecuted(errno as i32),
        Err(error) => InitReport::Failed(error),
    };
    let _ = wire::write(&mut File::from(reports), &report);
    127
}
