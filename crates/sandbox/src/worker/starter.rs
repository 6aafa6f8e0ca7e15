//! Who starts programs in the solution's room: process 1 there, resident as long as the suite runs.
//!
//! A [launcher](super::launcher) connects for each program. The listener has no name in this room, so no program can ask for
//! anything. Programs that outlive who started them stay, as they would on any machine, until the suite ends.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sched::CloneFlags;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, sigprocmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::stat::{Mode, SFlag, fstat, umask};
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout};
use seccompiler::BpfProgram;

use super::kind::SOLUTION_ROOM;
use super::launch::{LauncherRequest, Leads, ProgramEnded, ProgramStart};
use super::program::{PreparedProgram, execute};
use super::reaper::reap;
use super::score::Score;
use crate::{Error, Limits, handover, sys, wire};

/// Exit codes of programs that never were, as `env(1)` has them, in a raw wait status.
const NOT_EXECUTED: i32 = 126;
const NOT_FOUND: i32 = 127;

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// What all programs of a room have in common.
pub(super) struct RoomPlan<'a> {
    /// What the kernel keeps of it for each process.
    pub(super) limits: Limits,
    /// See [`PreparedProgram::tasks`].
    pub(super) tasks: Option<u64>,
    /// What programs may not call.
    pub(super) filters: &'a [BpfProgram],
    /// Where programs are looked up that have no `PATH`.
    pub(super) path: &'a str,
}

/// Starts programs, and tells how they end.
pub(super) struct Starter<'a> {
    plan: &'a RoomPlan<'a>,
    /// What is still to be applied to each program, of the plan's.
    filters: &'a [BpfProgram],
    score: Option<Score>,
    listener: UnixListener,
    deaths: SignalFd,
    launched: Vec<LaunchedProgram>,
}

/// A launcher's connection and its program.
struct LaunchedProgram {
    socket: UnixStream,
    heard: Vec<u8>,
    streams: Vec<OwnedFd>,
    /// The program, once it was started, and what it leads.
    program: Option<(Pid, Leads)>,
}

impl<'a> Starter<'a> {
    /// Answers at this listener. `filters` are those of the plan that this process is not under itself.
    pub(super) fn new(
        plan: &'a RoomPlan<'a>,
        filters: &'a [BpfProgram],
        score: Option<Score>,
        listener: OwnedFd,
    ) -> Result<Self, Error> {
        let wrong = |error: io::Error| Error::setup("wait for programs to start", error);
        let listener = UnixListener::from(listener);
        listener.set_nonblocking(true).map_err(wrong)?;
        let deaths = SigSet::from(Signal::SIGCHLD);
        sigprocmask(SigmaskHow::SIG_BLOCK, Some(&deaths), None).map_err(|errno| wrong(errno.into()))?;
        let deaths = SignalFd::with_flags(&deaths, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK);
        let deaths = deaths.map_err(|errno| wrong(errno.into()))?;
        Ok(Self { plan, filters, score, listener, deaths, launched: Vec::new() })
    }

    /// What to wait for.
    pub(super) fn fds(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        let own = [self.listener.as_fd(), self.deaths.as_fd()];
        own.into_iter()
            .chain(self.launched.iter().map(|launched| launched.socket.as_fd()))
            .map(|fd| (fd, PollFlags::POLLIN))
    }

    /// Does what there is to do.
    pub(super) fn step(&mut self) -> Result<(), Error> {
        while let Ok((socket, _)) = self.listener.accept() {
            if socket.set_nonblocking(true).is_ok() {
                self.launched.push(LaunchedProgram { socket, heard: Vec::new(), streams: Vec::new(), program: None });
            }
        }
        // Before signals are passed on: the number of who was waited for may be another's.
        self.wait_for_the_dead();
        let mut kept = Vec::new();
        for mut launched in std::mem::take(&mut self.launched) {
            if self.attend(&mut launched)? {
                kept.push(launched);
            }
        }
        self.launched = kept;
        Ok(())
    }

    fn wait_for_the_dead(&mut self) {
        while let Ok(Some(_)) = self.deaths.read_signal() {}
        let is_launched =
            |pid: Pid| self.launched.iter().any(|launched| launched.program.is_some_and(|(own, _)| own == pid));
        for dead in reap(is_launched) {
            for launched in
                self.launched.extract_if(.., |launched| launched.program.is_some_and(|(own, _)| own == dead.pid))
            {
                launched.ended(dead.status);
            }
        }
    }

    /// Listens to one launcher. Whether there is more to come.
    fn attend(&mut self, launched: &mut LaunchedProgram) -> Result<bool, Error> {
        let is_gone = launched.read().is_err();
        while let Some(request) = wire::take(&mut launched.heard).unwrap_or(None) {
            match (request, launched.program) {
                (LauncherRequest::Start(start), None) => {
                    launched.program = self.start(&start, std::mem::take(&mut launched.streams), launched)?;
                    if launched.program.is_none() {
                        return Ok(false);
                    }
                }
                (LauncherRequest::Signal(signal), Some(program)) => send(program, signal),
                _ => return Ok(false),
            }
        }
        if is_gone && let Some(program) = launched.program {
            // Whoever stands for it was killed. Waited for, so that the next program finds its port free, as it would if this
            // one had been killed itself.
            send(program, Signal::SIGKILL as i32);
            let _ = sys::wait(Some(program.0), true);
        }
        Ok(!is_gone)
    }

    /// Starts a program; what cannot be started has ended.
    fn start(
        &mut self,
        start: &ProgramStart,
        streams: Vec<OwnedFd>,
        launched: &LaunchedProgram,
    ) -> Result<Option<(Pid, Leads)>, Error> {
        let Ok(streams) = <[OwnedFd; 3]>::try_from(streams) else {
            launched.ended(NOT_EXECUTED << 8);
            return Ok(None);
        };
        let (plan, filters) = (self.plan, self.filters);
        let spawn = || sys::spawn(CloneFlags::empty(), || become_program(plan, filters, start, &streams));
        let spawned = match &mut self.score {
            Some(score) => score.first(spawn)?,
            None => spawn(),
        };
        match spawned {
            Ok(pid) => Ok(Some((pid, start.leads))),
            Err(errno) => {
                let [.., stderr] = streams;
                complain(stderr, start, &errno.to_string());
                launched.ended(NOT_EXECUTED << 8);
                Ok(None)
            }
        }
    }
}

impl LaunchedProgram {
    /// Reads what there is. The error is that the launcher is gone.
    fn read(&mut self) -> nix::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            match handover::receive_with(&self.socket, &mut chunk) {
                Ok((0, _)) => return Err(Errno::ECONNRESET),
                Ok((count, descriptors)) => {
                    self.heard.extend_from_slice(chunk.get(..count).unwrap_or_default());
                    self.streams.extend(descriptors);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return Ok(()),
                Err(errno) => return Err(errno),
            }
        }
    }

    fn ended(&self, status: i32) {
        // A launcher that is gone does not want to know.
        let _ = wire::write(&mut &self.socket, &ProgramEnded(status));
    }
}

/// Sends a program a signal; one that leads a group gets it with all of the group, as no one can tell whether the launcher's
/// was meant alone.
fn send((pid, leads): (Pid, Leads), signal: i32) {
    let target = if leads == Leads::Nothing { pid } else { Pid::from_raw(-pid.as_raw()) };
    if sys::send_signal(target, signal).is_err() {
        // It may not have come to lead one yet.
        let _ = sys::send_signal(pid, signal);
    }
}

/// The life of a program's process until it is the program. Returns only if it cannot be.
fn become_program(plan: &RoomPlan<'_>, filters: &[BpfProgram], start: &ProgramStart, streams: &[OwnedFd; 3]) -> i32 {
    let [stdin, stdout, stderr] = streams;
    let failed = |code: i32, cause: &str| {
        if let Ok(stderr) = stderr.try_clone() {
            complain(stderr, start, cause);
        }
        code
    };
    // A folder would be a way into the suite's room.
    if streams.iter().any(|stream| !fstat(stream).is_ok_and(|status| !is_folder(status.st_mode))) {
        return failed(NOT_EXECUTED, "one of its standard streams is a folder");
    }
    let folder = text(&start.folder);
    let connected = dup2_stdin(stdin).and_then(|()| dup2_stdout(stdout)).and_then(|()| dup2_stderr(stderr));
    if let Err(errno) = connected {
        return failed(NOT_EXECUTED, &format!("its standard streams: {errno}"));
    }
    if let Err(errno) = chdir(folder.as_c_str()) {
        return failed(NOT_EXECUTED, &format!("its working folder {}: {errno}", folder.to_string_lossy()));
    }
    umask(Mode::from_bits_truncate(start.umask));
    let program = PreparedProgram {
        candidates: candidates(start, plan.path),
        argv: start.argv.iter().map(|argument| text(argument)).collect(),
        env: start.env.iter().map(|variable| text(variable)).collect(),
        limits: plan.limits,
        kind: &SOLUTION_ROOM,
        tasks: plan.tasks,
        leads: start.leads,
        filters,
    };
    match execute(&program) {
        Ok(Errno::ENOENT) => failed(NOT_FOUND, &Errno::ENOENT.to_string()),
        Ok(errno) => failed(NOT_EXECUTED, &errno.to_string()),
        Err(error) => failed(NOT_EXECUTED, &error.to_string()),
    }
}

/// The places to look for a program, in order.
fn candidates(start: &ProgramStart, default: &str) -> Vec<CString> {
    let name = start.argv.first().map_or(&[][..], Vec::as_slice);
    if name.contains(&b'/') {
        return vec![text(name)];
    }
    let path = start.env.iter().find_map(|variable| variable.strip_prefix(b"PATH="));
    let folders = path.unwrap_or(default.as_bytes()).split(|byte| *byte == b':');
    folders.filter(|folder| !folder.is_empty()).map(|folder| text(&[folder, b"/", name].concat())).collect()
}

/// Bytes that came as arguments, so without a NUL.
fn text(bytes: &[u8]) -> CString {
    CString::new(bytes).unwrap_or_default()
}

fn is_folder(mode: u32) -> bool {
    SFlag::from_bits_truncate(mode & SFlag::S_IFMT.bits()) == SFlag::S_IFDIR
}

fn complain(stderr: OwnedFd, start: &ProgramStart, cause: &str) {
    let name = start.argv.first().map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default();
    let name = Path::new(&name).display();
    let _ = writeln!(File::from(stderr), "slopbench: cannot execute `{name}` in the solution's room: {cause}");
}
