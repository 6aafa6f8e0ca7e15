//! Process 1 of a sandbox: starts the program, watches the limits, and takes everyone along when it
//! ends.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, execve, read, setsid};
use seccompiler::BpfProgram;
use serde::{Deserialize, Serialize};

use super::kind::SandboxKind;
use super::reaper::kill_all;
use super::score::Score;
use super::watched::Watched;
use super::{inside, shared};
use crate::streams::timeout;
use crate::{Error, Limits, ProgramEnd, ResourceUsage, sys, wire};

/// The most tasks that a machine must be able to grant the program's user.
const MOST_TASKS: u64 = 4096;

/// What process 1 tells the worker, through a pipe that no program ever has.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum InitReport {
    /// The sandbox could not be entered.
    Failed(Error),
    /// The program is about to run.
    Started,
    /// The program could not be executed, for this system error.
    NotExecuted(i32),
    /// The program ended, or a limit was hit, and no process is left.
    Ended(ProgramEnd, ResourceUsage),
}

/// What to run, ready for the system calls.
pub(super) struct PreparedProgram<'a> {
    /// The places to look for it, in order.
    pub(super) candidates: Vec<CString>,
    /// The arguments, with the program's name first.
    pub(super) argv: Vec<CString>,
    /// The whole environment.
    pub(super) env: Vec<CString>,
    /// When to stop.
    pub(super) limits: Limits,
    /// What it is started in.
    pub(super) kind: &'static SandboxKind,
    /// Whether the kernel counts this sandbox's tasks apart from others of its user, so that they can be limited by
    /// that number.
    pub(super) counted_apart: bool,
    /// What it may not call.
    pub(super) filters: &'a [BpfProgram],
}

/// The pipes of process 1.
pub(super) struct Pipes {
    /// The program's standard input, output and error.
    pub(super) standard: [OwnedFd; 3],
    /// Where reports go.
    pub(super) reports: OwnedFd,
    /// Held open by the worker: a byte when the user maps are written, [`STOP`] to stop, any other for the signal of this number,
    /// its end when the worker is gone.
    pub(super) lifeline: OwnedFd,
}

/// What the lifeline says to stop: no signal's number.
pub(super) const STOP: u8 = u8::MAX;

/// The life of process 1. Returns its exit code, which no one looks at.
pub(super) fn main(program: &PreparedProgram<'_>, pipes: Pipes) -> i32 {
    let Pipes { standard, reports, lifeline } = pipes;
    // Closed first of all: an inherited end of the lifeline would keep it from ever ending.
    let [stdin, stdout, stderr] = &standard;
    let kept = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd(), reports.as_fd(), lifeline.as_fd()];
    if sys::close_all_but(&kept).is_err() {
        return 1;
    }
    let mut reports = File::from(reports);
    let prepared = prepare(program.kind, &standard, lifeline.as_fd());
    let report = match prepared.and_then(|score| start(program, score, &mut reports)) {
        Ok(watched) => watch(watched, &program.limits, lifeline.as_fd()),
        Err(error) => Err(error),
    };
    let report = report.map_or_else(InitReport::Failed, |(end, usage)| InitReport::Ended(end, usage));
    match wire::write(&mut reports, &report) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

/// Waits for the user maps, then enters the sandbox. Returns what can be done there no more.
fn prepare(kind: &SandboxKind, standard: &[OwnedFd; 3], lifeline: BorrowedFd<'_>) -> Result<Score, Error> {
    let mut go = [0];
    match read(lifeline, &mut go) {
        Ok(1) => {}
        _ => return Err(Error::setup("hear from its worker", "it is gone")),
    }
    let score = Score::open()?;
    inside::enter(kind)?;
    // Last, for a change of user clears it. The worker's end before this line is seen by `watch`.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|errno| Error::setup("bind its life to the worker's", errno))?;
    let [stdin, stdout, stderr] = standard;
    let streams = dup2_stdin(stdin).and_then(|()| dup2_stdout(stdout)).and_then(|()| dup2_stderr(stderr));
    streams.map(|()| score).map_err(|errno| Error::setup("connect its standard streams", errno))
}

/// Starts the program in a session of its own.
fn start(program: &PreparedProgram<'_>, mut score: Score, reports: &mut File) -> Result<Watched, Error> {
    wire::write(reports, &InitReport::Started).map_err(|error| Error::setup("report to its worker", error))?;
    let (ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make a socket", error))?;
    let child = || {
        let report = match shared::tell(&theirs).and_then(|()| execute(program)) {
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
    Watched::new(pid, &ours, Duration::ZERO, program.kind.interval)
}

/// Becomes the program. Returns only if it cannot be executed, with the reason.
pub(super) fn execute(program: &PreparedProgram<'_>) -> Result<Errno, Error> {
    setsid().map_err(|errno| Error::setup("start the program's session", errno))?;
    set_resource_limits(program)?;
    sys::reset_signals().map_err(|errno| Error::setup("reset signals", errno))?;
    for filter in program.filters {
        seccompiler::apply_filter(filter).map_err(|error| Error::setup("apply its system call filter", error))?;
    }
    // As execvp(3): go on where there is nothing, but remember what was there and could not be
    // executed.
    let mut reason = Errno::ENOENT;
    for candidate in &program.candidates {
        match execve(candidate, &program.argv, &program.env) {
            Err(Errno::ENOENT | Errno::ENOTDIR) => {}
            Err(errno) => reason = errno,
        }
    }
    Ok(reason)
}

/// What the kernel itself enforces for each process. File size is exact; the others are backstops
/// far beyond the limits, for the time between two samples, and so that they are the same on every
/// machine.
fn set_resource_limits(program: &PreparedProgram<'_>) -> Result<(), Error> {
    let PreparedProgram { limits, kind, counted_apart, .. } = program;
    let seconds = limits.cpu.as_secs().saturating_add(2);
    // Reserving addresses costs nothing, so this is generous.
    let addresses = limits.memory.saturating_mul(4).saturating_add(4 << 30);
    let tasks = u64::from(limits.processes).saturating_mul(4).saturating_add(64);
    // With what to raise the caller's own limit, where a smaller one would change verdicts.
    let wanted = [
        (Resource::RLIMIT_AS, addresses, Some("ulimit -v")),
        // Not 0: a core_pattern that is a program would be run nevertheless. 1 is the kernel's word
        // for "not even then".
        (Resource::RLIMIT_CORE, 1, None),
        (Resource::RLIMIT_CPU, seconds, Some("ulimit -t")),
        (Resource::RLIMIT_FSIZE, limits.file_size, Some("ulimit -f")),
        (Resource::RLIMIT_MEMLOCK, 64 << 10, None),
        // Neither may a program push process 1 aside, if the caller could.
        (Resource::RLIMIT_NICE, 0, None),
        (Resource::RLIMIT_NOFILE, kind.open_files, Some("ulimit -n")),
        (Resource::RLIMIT_NPROC, tasks, Some("ulimit -u")),
        (Resource::RLIMIT_RTPRIO, 0, None),
        // The caller has some ten thousand for all sandboxes together.
        (Resource::RLIMIT_SIGPENDING, 4096, None),
        (Resource::RLIMIT_STACK, 8 << 20, Some("ulimit -s")),
    ];
    let wanted = wanted.into_iter().filter(|(resource, ..)| match resource {
        Resource::RLIMIT_AS => kind.limits_addresses,
        Resource::RLIMIT_NPROC => *counted_apart,
        _ => true,
    });
    for (resource, value, command) in wanted {
        let wrong = |errno| Error::setup(format!("set {resource:?}"), errno);
        let (_, hard) = getrlimit(resource).map_err(wrong)?;
        // No machine grants any number of tasks that a limit may name.
        let needed = if resource == Resource::RLIMIT_NPROC { value.min(MOST_TASKS) } else { value };
        if let Some(command) = command.filter(|_| hard < needed) {
            let cause = format!("the caller may have no more than {hard}; raise `{command}`");
            return Err(Error::setup(format!("set {resource:?} to {needed}"), cause));
        }
        setrlimit(resource, value.min(hard), value.min(hard)).map_err(wrong)?;
    }
    Ok(())
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
