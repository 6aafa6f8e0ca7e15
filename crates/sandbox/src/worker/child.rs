//! In a container: the program as a child of this process, which is process 1.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, pipe2};

use super::init::{self, Program, Report, bury, check, kill_all, waited_for};
use crate::{End, Error, Limits, Usage, sys, wire};

/// A program that was started. Whatever it starts is killed with it.
pub(super) struct Child {
    pid: Pid,
    started: Instant,
    /// What was waited for before it.
    before: Duration,
    reported: File,
    ended: OwnedFd,
    usage: Usage,
    next_look: Instant,
    interval: Duration,
}

impl Child {
    /// Starts it. `standard` is its standard input, output and error.
    pub(super) fn start(program: &Program<'_>, standard: [OwnedFd; 3]) -> Result<Self, Error> {
        let (reported, reports) =
            pipe2(OFlag::O_CLOEXEC).map_err(|errno| Error::setup("make a pipe for its reports", errno))?;
        let before = waited_for();
        let started = Instant::now();
        let mut ends = Some((standard, reports));
        let pid = sys::spawn(CloneFlags::empty(), || ends.take().map_or(127, |ends| become_program(program, ends)));
        let pid = pid.map_err(|errno| Error::setup("fork", errno))?;
        // The child has copies; ours would keep the pipes from ever ending.
        drop(ends);
        let ended = sys::pidfd(pid).map_err(|errno| {
            kill_all();
            Error::setup("watch the program", errno)
        })?;
        let interval = program.kind.interval;
        let (reported, next_look) = (File::from(reported), started + interval);
        Ok(Self { pid, started, before, reported, ended, usage: Usage::default(), next_look, interval })
    }

    /// When it started.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Readable once it has ended.
    pub(super) fn ended(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// When to look at the processes again.
    pub(super) fn due(&self) -> Instant {
        self.next_look
    }

    /// Looks, if it is time to or the program `has_ended`: how it ended, or which limit is exceeded.
    pub(super) fn look(&mut self, limits: &Limits, has_ended: bool) -> Option<End> {
        let now = Instant::now();
        if now < self.next_look && !has_ended {
            return None;
        }
        self.next_look = now + self.interval;
        let end = bury(self.pid);
        // Also after the program's end: what it left behind counts, and is gone in a moment.
        check(limits, &mut self.usage, self.before).map(End::Limit).or(end)
    }

    /// Kills all there is but this process, and says what it took.
    pub(super) fn kill(&mut self) -> Usage {
        self.usage.wall = self.started.elapsed();
        kill_all();
        self.usage.cpu = self.usage.cpu.max(waited_for().saturating_sub(self.before));
        self.usage
    }

    /// Why it could not be executed, if it could not. To be asked once all are dead.
    pub(super) fn unexecuted(&mut self) -> Result<Option<Errno>, Error> {
        let wrong = |error: std::io::Error| Error::setup("hear from the program's process", error);
        let mut report = Vec::new();
        self.reported.read_to_end(&mut report).map_err(wrong)?;
        match wire::take(&mut report).map_err(wrong)? {
            Some(Report::NotExecuted(errno)) => Ok(Some(Errno::from_raw(errno))),
            Some(Report::Failed(error)) => Err(error),
            _ => Ok(None),
        }
    }
}

/// The life of the program's process until it is the program. Returns only if it cannot be.
fn become_program(program: &Program<'_>, (standard, reports): ([OwnedFd; 3], OwnedFd)) -> i32 {
    let [stdin, stdout, stderr] = &standard;
    let connect = || {
        chdir(Path::new(program.kind.start))?;
        dup2_stdin(stdin).and_then(|()| dup2_stdout(stdout)).and_then(|()| dup2_stderr(stderr))
    };
    let connected = connect().map_err(|errno| Error::setup("connect its standard streams", errno));
    let report = match connected.and_then(|()| init::execute(program)) {
        Ok(errno) => Report::NotExecuted(errno as i32),
        Err(error) => Report::Failed(error),
    };
    let _ = wire::write(&mut File::from(reports), &report);
    127
}
