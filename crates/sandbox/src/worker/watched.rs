//! A program under watch: whether it ended, what it and all it started take, and which limit that exceeds.

use std::fs;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::companion::Companion;
use super::kind::TASKS_PER_PROCESS;
use super::reaper::{reap, waited_for};
use super::sample;
use super::shared::Shared;
use super::sockets::Sockets;
use crate::task::end_of;
use crate::{Error, Limit, Limits, ProgramEnd, ResourceUsage, sys};

/// A program that was started.
pub(super) struct Watched {
    pid: Pid,
    /// Who keeps the room of the programs that it starts, which must not end before.
    keeper: Option<Pid>,
    /// The room of those programs, where it is not within this one.
    companion: Option<Companion>,
    started: Instant,
    /// What was waited for before it.
    before: Duration,
    /// Kept for `news`, as are the shared mappings' calls.
    _ended: OwnedFd,
    shared: Shared,
    sockets: Sockets,
    news: Epoll,
    interval: Duration,
    next_look: Instant,
    /// What was seen so far.
    pub(super) usage: ResourceUsage,
}

impl Watched {
    /// Watches a program that was started just now. `socket` is where it tells of its shared memory.
    pub(super) fn new(pid: Pid, socket: &UnixStream, before: Duration, interval: Duration) -> Result<Self, Error> {
        let started = Instant::now();
        let shared = Shared::of(socket);
        let watch = || -> nix::Result<(OwnedFd, Epoll)> {
            let (ended, news) = (sys::pidfd(pid)?, Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?);
            news.add(&ended, EpollEvent::new(EpollFlags::EPOLLIN, 0))?;
            shared.listeners().try_for_each(|calls| news.add(calls, EpollEvent::new(EpollFlags::EPOLLIN, 0)))?;
            Ok((ended, news))
        };
        let (ended, news) = watch().map_err(|errno| Error::setup("watch the program", errno))?;
        let (next_look, usage) = (started + interval, ResourceUsage::default());
        Ok(Self {
            pid,
            keeper: None,
            companion: None,
            started,
            before,
            _ended: ended,
            shared,
            sockets: Sockets::counted(pid),
            news,
            interval,
            next_look,
            usage,
        })
    }

    /// Watches the room of the programs that it starts as well, whose keeper tells of their shared memory.
    pub(super) fn with_room(mut self, keeper: Pid, calls: OwnedFd) -> Result<Self, Error> {
        self.news
            .add(&calls, EpollEvent::new(EpollFlags::EPOLLIN, 0))
            .map_err(|errno| Error::setup("watch the solution's room", errno))?;
        self.shared.and(calls);
        self.keeper = Some(keeper);
        Ok(self)
    }

    /// Counts what is told of another room as well.
    pub(super) fn with_companion(mut self, companion: Companion) -> Result<Self, Error> {
        self.news
            .add(companion.line(), EpollEvent::new(EpollFlags::EPOLLIN, 0))
            .map_err(|errno| Error::setup("watch the solution's room", errno))?;
        self.companion = Some(companion);
        Ok(self)
    }

    /// When it started.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Readable when there is a reason to look before the next look is due: it ended, or it waits for an answer.
    pub(super) fn news(&self) -> BorrowedFd<'_> {
        self.news.0.as_fd()
    }

    /// When to look again at the latest.
    pub(super) fn due(&self) -> Instant {
        self.next_look
    }

    /// Does what there is to do, and says how the program ended or which limit is exceeded.
    pub(super) fn look(&mut self, limits: &Limits) -> Result<Option<ProgramEnd>, Error> {
        // Before the dead are waited for: none is gone yet since the kernel refused another one.
        let were = u32::try_from(sample::processes().count()).unwrap_or(u32::MAX);
        let dead = reap(|pid| pid == self.pid || self.keeper == Some(pid));
        // After that: where another room's end ended the program, it is heard of now.
        self.shared.hear()?;
        self.companion.as_mut().map_or(Ok(()), Companion::hear)?;
        // It is only dead once all in its room are. Who waited for them may have ended before.
        let is_dying = || !dead.is_empty() && self.keeper.is_some_and(has_no_memory);
        if dead.iter().any(|dead| self.keeper == Some(dead.pid)) || is_dying() {
            return Err(Error::setup("keep the solution's room", "its process 1 died"));
        }
        let dead = dead.into_iter().next();
        let now = Instant::now();
        if were >= backstop(limits) {
            self.usage.peak_processes = self.usage.peak_processes.max(were);
            return Ok(Some(ProgramEnd::Limit(Limit::Processes)));
        }
        if now < self.next_look && dead.is_none() {
            return Ok(None);
        }
        self.next_look = now + self.interval;
        // Also after the program's end: what it left behind counts, and is gone in a moment.
        let limit = self.check(limits)?.map(ProgramEnd::Limit);
        Ok(limit.or(dead.map(|dead| {
            let end = end_of(dead.status);
            if end == ProgramEnd::Signalled(libc::SIGKILL) {
                // By the kernel, it may be: then no look was in time to see what it took.
                self.usage.peak_memory = self.usage.peak_memory.max(dead.peak);
            }
            end
        })))
    }

    /// Takes a sample, keeps the peaks, and says which limit is exceeded.
    fn check(&mut self, limits: &Limits) -> Result<Option<Limit>, Error> {
        let (sample, waited_for) = (sample::take(), self.waited_for());
        let mut other = self.companion.as_ref().map(Companion::latest).unwrap_or_default();
        let usage = &mut self.usage;
        let processes = sample.processes + other.processes;
        usage.peak_processes = usage.peak_processes.max(processes);
        usage.cpu = usage.cpu.max(sample.cpu + waited_for + other.cpu);
        if processes > limits.processes {
            return Ok(Some(Limit::Processes));
        }
        let waiting = self.sockets.memory();
        let mut memory = sample.memory.with(self.shared.at_most()).saturating_add(waiting + other.memory);
        if memory > limits.memory {
            // Forked processes share most of their pages, and shared mappings may be gone; only a second, slower look is
            // fair to them.
            if let Some(companion) = &mut self.companion {
                other = companion.look_closely()?;
            }
            memory = sample::shared_memory().with(self.shared.now()).saturating_add(waiting + other.memory);
        }
        usage.peak_memory = usage.peak_memory.max(memory);
        if memory > limits.memory {
            return Ok(Some(Limit::Memory));
        }
        Ok((usage.cpu > limits.cpu).then_some(Limit::Cpu))
    }

    /// Sends it a signal. It was not waited for yet, or `look` had told of its end: its number is still its.
    pub(super) fn send(&self, signal: Signal) {
        // Fails for no one but the dead.
        let _ = kill(self.pid, signal);
    }

    /// What it took, once all are dead.
    pub(super) fn finish(&mut self) -> ResourceUsage {
        let other = self.companion.as_ref().map(Companion::latest).unwrap_or_default();
        self.usage.cpu = self.usage.cpu.max(self.waited_for() + other.cpu);
        self.usage
    }

    /// Has the processes of the other room killed, if there is one. Whether one of them was for want of memory before.
    pub(super) fn end_companion(&mut self) -> Result<bool, Error> {
        self.companion.as_mut().map_or(Ok(false), |companion| Ok(companion.end()?.was_killed))
    }

    /// Processor time of the dead, and of ours that the program waited for: else the clock would end who only keeps us busy.
    fn waited_for(&self) -> Duration {
        waited_for().saturating_sub(self.before) + self.shared.heard
    }
}

/// So many processes, the dead included that are left to process 1, are beyond the limit however late that one looks. The
/// kernel refuses some more than these: a program that does nothing but start others, and ends where it cannot, is gone
/// before the next look if processors are busy.
fn backstop(limits: &Limits) -> u32 {
    limits.processes.saturating_mul(TASKS_PER_PROCESS)
}

/// Whether a process has given back its memory, as the first thing on its way to its end.
fn has_no_memory(pid: Pid) -> bool {
    fs::read(format!("/proc/{pid}/statm")).is_ok_and(|pages| pages.starts_with(b"0 "))
}
