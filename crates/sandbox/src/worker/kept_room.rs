//! The solution's room where it is a container, whose process 1 this is: starts programs, and tells what they take.

use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};

use super::companion::RoomSample;
use super::contained::Inside;
use super::kills::Kills;
use super::kind::SOLUTION_ROOM;
use super::reaper::{kill_all, waited_for};
use super::sample;
use super::shared::{self, Shared};
use super::starter::{RoomPlan, Starter};
use crate::streams::timeout;
use crate::{Error, Limits, handover, wire};

/// Keeps the room until the line to the suite's room ends; then no process is left but this one.
pub(super) fn keep(limits: Limits, has_environment: bool, harness: BorrowedFd<'_>) -> Result<(), Error> {
    let wrong = |errno: Errno| Error::setup("keep the solution's room", errno);
    let line = handover::receive(harness).map_err(wrong)?;
    let listener = handover::receive(harness).map_err(wrong)?;
    let inside = Inside::enter(&SOLUTION_ROOM, has_environment)?;
    let plan = RoomPlan { limits, tasks: None, filters: &inside.filters, path: &inside.path };
    let mut starter = Starter::new(&plan, &inside.filters, None, listener)?;
    let mut shared = Shared::default();
    // What is done here makes no such mapping: nobody would answer.
    shared.and(shared::listen()?);
    let mut room = KeptRoom {
        line: UnixStream::from(line),
        shared,
        before: waited_for(),
        kills: Kills::now(),
        cpu: Duration::ZERO,
    };
    let kept = room.attend(&mut starter);
    kill_all();
    // The last word; who waits for it reads until the line ends.
    let told = room.tell(false);
    kept.and(told)
}

/// What is known of the room's programs.
struct KeptRoom {
    line: UnixStream,
    shared: Shared,
    /// What was waited for before them.
    before: Duration,
    kills: Kills,
    cpu: Duration,
}

impl KeptRoom {
    fn attend(&mut self, starter: &mut Starter<'_>) -> Result<(), Error> {
        let mut next_look = Instant::now();
        loop {
            let own = [(self.line.as_fd(), PollFlags::POLLIN)].into_iter();
            let calls = self.shared.listeners().map(|calls| (calls, PollFlags::POLLIN));
            let mut fds: Vec<_> =
                own.chain(calls).chain(starter.fds()).map(|(fd, events)| PollFd::new(fd, events)).collect();
            match poll(&mut fds, timeout(next_look)) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(errno) => return Err(Error::setup("keep the solution's room", errno)),
            }
            let is_asked = fds.first().and_then(PollFd::any).unwrap_or(true);
            drop(fds);
            if is_asked && !self.answer()? {
                return Ok(());
            }
            starter.step()?;
            self.shared.hear()?;
            if Instant::now() >= next_look {
                next_look = Instant::now() + SOLUTION_ROOM.interval;
                self.tell(false)?;
            }
        }
    }

    /// Answers the question for a closer look. Whether the line goes on.
    fn answer(&mut self) -> Result<bool, Error> {
        match self.line.read(&mut [0]) {
            Ok(0) => Ok(false),
            Ok(_) => self.tell(true).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
            Err(error) => Err(Error::setup("hear from the suite's room", error)),
        }
    }

    fn tell(&mut self, is_close: bool) -> Result<(), Error> {
        let sample = sample::take();
        let waited_for = waited_for().saturating_sub(self.before) + self.shared.heard;
        self.cpu = self.cpu.max(sample.cpu + waited_for);
        let memory = match is_close {
            true => sample::shared_memory().with(self.shared.now()),
            false => sample.memory.with(self.shared.at_most()),
        };
        let was_killed = self.kills.own_since();
        let told = RoomSample { processes: sample.processes, memory, cpu: self.cpu, is_close, was_killed };
        wire::write(&mut self.line, &told).map_err(|error| Error::setup("tell the suite's room", error))
    }
}
