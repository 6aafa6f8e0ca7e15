//! Process 1 of a sandbox: starts the program, watches the limits, and takes everyone along when it
//! ends.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, read};

use super::kind::SandboxKind;
use super::program::{InitReport, PreparedProgram, execute, leave_open};
use super::reaper::kill_all;
use super::room::{OpenRoom, RoomEnds};
use super::score::Score;
use super::watched::Watched;
use super::{inside, room, shared};
use crate::streams::timeout;
use crate::{Error, Limits, ProgramEnd, ResourceUsage, sys, wire};

/// The pipes of process 1.
pub(super) struct Pipes<'a> {
    /// The program's standard input, output and error.
    pub(super) standard: [OwnedFd; 3],
    /// Where reports go.
    pub(super) reports: OwnedFd,
    /// Held open by the worker: a byte when the user maps are written, [`STOP`] to stop, any other for the signal of this number,
    /// its end when the worker is gone.
    pub(super) lifeline: OwnedFd,
    /// For a test suite's program: the solution's room.
    pub(super) room: Option<RoomEnds<'a>>,
}

/// What the lifeline says to stop: no signal's number.
pub(super) const STOP: u8 = u8::MAX;

/// The life of process 1. Returns its exit code, which no one looks at.
pub(super) fn main(program: &PreparedProgram<'_>, pipes: Pipes<'_>) -> i32 {
    let Pipes { standard, reports, lifeline, room: ends } = pipes;
    // Closed first of all: an inherited end of the lifeline would keep it from ever ending.
    let [stdin, stdout, stderr] = &standard;
    let mut kept = vec![stdin.as_fd(), stdout.as_fd(), stderr.as_fd(), reports.as_fd(), lifeline.as_fd()];
    kept.extend(ends.iter().flat_map(|ends| [ends.report.as_fd(), ends.listener.as_fd()]));
    if sys::close_all_but(&kept).is_err() {
        return 1;
    }
    let mut reports = File::from(reports);
    let open = |reports: &mut File| ends.map(|ends| room::open(ends, reports)).transpose();
    let prepared = prepare(program.kind, &standard, lifeline.as_fd(), || open(&mut reports));
    let report = match prepared.and_then(|(score, room)| start(program, score, &mut reports, room)) {
        Ok(watched) => watch(watched, &program.limits, lifeline.as_fd()),
        Err(error) => Err(error),
    };
    let report = report.map_or_else(InitReport::Failed, |(end, usage)| InitReport::Ended(end, usage));
    match wire::write(&mut reports, &report) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

/// Waits for the user maps, then enters the sandbox. Returns what can be done there no more, and what was done meanwhile.
fn prepare<T>(
    kind: &SandboxKind,
    standard: &[OwnedFd; 3],
    lifeline: BorrowedFd<'_>,
    meanwhile: impl FnOnce() -> Result<T, Error>,
) -> Result<(Score, T), Error> {
    let mut go = [0];
    match read(lifeline, &mut go) {
        Ok(1) => {}
        _ => return Err(Error::setup("hear from its worker", "it is gone")),
    }
    let score = Score::open()?;
    let done = inside::enter(kind, meanwhile)?;
    // Last, for a change of user clears it. The worker's end before this line is seen by `watch`.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|errno| Error::setup("bind its life to the worker's", errno))?;
    let [stdin, stdout, stderr] = standard;
    let streams = dup2_stdin(stdin).and_then(|()| dup2_stdout(stdout)).and_then(|()| dup2_stderr(stderr));
    streams.map(|()| (score, done)).map_err(|errno| Error::setup("connect its standard streams", errno))
}

/// Starts the program in a session of its own.
fn start(
    program: &PreparedProgram<'_>,
    mut score: Score,
    reports: &mut File,
    room: Option<OpenRoom>,
) -> Result<Watched, Error> {
    wire::write(reports, &InitReport::Started).map_err(|error| Error::setup("report to its worker", error))?;
    let (ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make a socket", error))?;
    let child = || {
        let told = shared::tell(&theirs).and_then(|()| room.as_ref().map_or(Ok(()), |room| leave_open(&room.report)));
        let report = match told.and_then(|()| execute(program)) {
            Ok(errno) => InitReport::NotExecuted(errno as i32),
            Err(error) => InitReport::Failed(error),
        };
        let _ = wire::write(reports, &report);
        127
    };
    let pid = score.first(|| sys::spawn(CloneFlags::empty(), child))?;
    let pid = pid.map_err(|errno| Error::setup("fork", errno))?;
    drop((score, theirs));
    // The program's alone from now on: its pipes must end when it closes them.
    sys::close_standard_streams().map_err(|errno| Error::setup("close its standard streams", errno))?;
    let watched = Watched::new(pid, &ours, Duration::ZERO, program.kind.interval)?;
    match room {
        Some(OpenRoom { keeper, calls, report: _ }) => watched.with_room(keeper, calls),
        None => Ok(watched),
    }
}

/// Watches until the program ends, a limit is hit, or the worker says to stop. Then no process is left but this one.
fn watch(
    mut program: Watched,
    limits: &Limits,
    lifeline: BorrowedFd<'_>,
) -> Result<(ProgramEnd, ResourceUsage), Error> {
    let end = loop {
        let mut fds = [PollFd::new(program.news(), PollFlags::POLLIN), PollFd::new(lifeline, PollFlags::POLLIN)];
        match poll(&mut fds, timeout(program.due())) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(Error::setup("watch the program", errno)),
        }
        let [_, worker] = fds;
        let mut told = [0];
        if worker.any().unwrap_or(true) && read(lifeline, &mut told) != Ok(1) {
            return Err(Error::setup("hear from its worker", "it is gone"));
        }
        let [told] = told;
        let stop = told == STOP;
        if let Ok(signal) = Signal::try_from(i32::from(told)) {
            program.send(signal);
        }
        match program.look(limits)? {
            Some(end) => break end,
            None if stop => break ProgramEnd::Stopped,
            None => {}
        }
    };
    program.usage.wall = program.started().elapsed();
    kill_all();
    Ok((end, program.finish()))
}
