//! A program that is ready to be started, and how a process becomes it.

use std::ffi::CString;
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::execve;
use seccompiler::BpfProgram;
use serde::{Deserialize, Serialize};

use super::kind::SandboxKind;
use super::launch::Leads;
use crate::{Error, Limits, ProgramEnd, ResourceUsage, sys};

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
    /// How many tasks its user may have; nothing where the kernel does not count this sandbox's apart from others of that
    /// user, so that they cannot be limited by that number.
    pub(super) tasks: Option<u64>,
    /// What its process is the first of.
    pub(super) leads: Leads,
    /// What it may not call.
    pub(super) filters: &'a [BpfProgram],
}

/// Becomes the program. Returns only if it cannot be executed, with the reason.
pub(super) fn execute(program: &PreparedProgram<'_>) -> Result<Errno, Error> {
    program.leads.apply().map_err(|errno| Error::setup("start the program's session", errno))?;
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
    let PreparedProgram { limits, kind, tasks, .. } = program;
    let seconds = limits.cpu.as_secs().saturating_add(2);
    // Reserving addresses costs nothing, so this is generous.
    let addresses = limits.memory.saturating_mul(4).saturating_add(4 << 30);
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
        (Resource::RLIMIT_NPROC, tasks.unwrap_or(0), Some("ulimit -u")),
        (Resource::RLIMIT_RTPRIO, 0, None),
        // The caller has some ten thousand for all sandboxes together.
        (Resource::RLIMIT_SIGPENDING, 4096, None),
        (Resource::RLIMIT_STACK, 8 << 20, Some("ulimit -s")),
    ];
    let wanted = wanted.into_iter().filter(|(resource, ..)| match resource {
        Resource::RLIMIT_AS => kind.limits_addresses,
        Resource::RLIMIT_NPROC => tasks.is_some(),
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

/// Leaves a descriptor to the program that this process becomes.
pub(super) fn leave_open(descriptor: &OwnedFd) -> Result<(), Error> {
    fcntl(descriptor, FcntlArg::F_SETFD(FdFlag::empty()))
        .map(drop)
        .map_err(|errno| Error::setup("hand over its report", errno))
}
