//! A session's program at work, in namespaces or in a container.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::unistd::Pid;

use super::child::Child;
use super::program::PreparedProgram;
use super::reaper::waited_for;
use super::run::{self, Init, InitState, SETUP};
use super::stage::Root;
use crate::streams::deadline;
use crate::{Error, Limit, Limits, ProgramEnd, ResourceUsage};

/// How a program ended, and what it took if that was told; or the limit for which it is to be ended.
pub(super) enum RunningEnd {
    ByItself(ProgramEnd, Option<ResourceUsage>),
    ByLimit(Limit),
}

/// A program at work, with all it started.
pub(super) trait Running {
    /// Has an event when there is something to hear.
    fn news(&self) -> BorrowedFd<'_>;

    /// When to listen at the latest.
    fn due(&self) -> Option<Instant>;

    /// Listens, where `has_news` says that there was an event.
    fn listen(&mut self, limits: &Limits, has_news: bool) -> Result<Option<RunningEnd>, Error>;

    /// The process that all others descend from.
    fn keeper(&self) -> Pid;

    /// When to end it, once it is known that it began; until then, when to give up.
    fn until(&self, wall: Duration) -> Instant;

    /// Sees to it that no process is left, and says what they took.
    fn finish(&mut self, ended_by_itself: bool) -> ResourceUsage;

    /// Why it could not be executed, if it could not. To be asked once it is finished.
    fn unexecuted(&mut self) -> Result<Option<Errno>, Error>;
}

/// A program behind a process 1 that watches it and reports.
pub(super) struct Behind {
    init: Init,
    reported: OwnedFd,
    /// Its end would tell process 1 that the worker is gone.
    _hold: OwnedFd,
    state: InitState,
    began: Instant,
}

impl Behind {
    pub(super) fn start(root: &Root, program: &PreparedProgram<'_>, standard: [OwnedFd; 3]) -> Result<Self, Error> {
        let (init, reported, hold) = run::begin(root.owner, program, standard, false, None)?;
        Ok(Self { init, reported, _hold: hold, state: InitState::default(), began: Instant::now() })
    }
}

impl Running for Behind {
    fn news(&self) -> BorrowedFd<'_> {
        self.reported.as_fd()
    }

    fn due(&self) -> Option<Instant> {
        None
    }

    fn listen(&mut self, _: &Limits, has_news: bool) -> Result<Option<RunningEnd>, Error> {
        let end = if has_news { self.state.hear(&self.reported)? } else { None };
        Ok(end.map(|(end, usage)| RunningEnd::ByItself(end, Some(usage))))
    }

    fn keeper(&self) -> Pid {
        self.init.pid()
    }

    fn until(&self, wall: Duration) -> Instant {
        match self.state.started {
            Some(started) => deadline(started, wall),
            None => deadline(self.began, SETUP),
        }
    }

    fn finish(&mut self, ended_by_itself: bool) -> ResourceUsage {
        let before = waited_for();
        if ended_by_itself {
            self.init.wait();
        } else {
            self.init.kill();
        }
        let wall = self.state.started.map_or(Duration::ZERO, |started| started.elapsed());
        ResourceUsage { wall, cpu: waited_for().saturating_sub(before), ..ResourceUsage::default() }
    }

    fn unexecuted(&mut self) -> Result<Option<Errno>, Error> {
        match self.state.started {
            Some(_) => Ok(self.state.unexecuted),
            None => Err(Error::setup("start process 1", format!("nothing heard in {SETUP:?}"))),
        }
    }
}

impl Running for Child {
    fn news(&self) -> BorrowedFd<'_> {
        self.news()
    }

    fn due(&self) -> Option<Instant> {
        Some(self.due())
    }

    fn listen(&mut self, limits: &Limits, _: bool) -> Result<Option<RunningEnd>, Error> {
        Ok(self.look(limits)?.map(|end| RunningEnd::ByItself(end, None)))
    }

    fn keeper(&self) -> Pid {
        Pid::this()
    }

    fn until(&self, wall: Duration) -> Instant {
        deadline(self.started(), wall)
    }

    fn finish(&mut self, _: bool) -> ResourceUsage {
        self.kill()
    }

    fn unexecuted(&mut self) -> Result<Option<Errno>, Error> {
        self.unexecuted()
    }
}
