//! A session: its network, its program, its output.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sched::{CloneFlags, unshare};

use super::child::Child;
use super::contained::{Inside, own_oom_kills};
use super::footprint::Footprint;
use super::init::{self, Program};
use super::run::{self, Init, Mounted, SETUP, State, oom_kills, prepare, refuse_oom_kill, standard_streams};
use super::stage::{self, Root};
use super::tap::Taps;
use super::{kind, place};
use crate::session::{HOME, Job, Place, WORKSPACE, Worked};
use crate::streams::deadline;
use crate::{End, Error, Limit, Limits, Task, Usage, handover, sys};

/// Where programs are looked up in a container.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A place that is ready for its program.
pub(super) struct Settled {
    ground: Ground,
    /// Where standard output and error go.
    output: [File; 2],
}

/// What the program stands on.
enum Ground {
    /// A root of our making, and how much it may write to memory there, in bytes.
    Root(Root, u64),
    /// The container that this process is the first of.
    Container(Inside),
}

impl Settled {
    /// Builds the place, takes the files of its output from the harness, and hands over a listener on its loopback.
    pub(super) fn by_namespaces(place: &Place, harness: BorrowedFd<'_>) -> Result<Self, Error> {
        let output = take_output(harness)?;
        let owner = stage::enter_mount_namespace()?;
        // The worker's, so that there is a listener before there is a program.
        unshare(CloneFlags::CLONE_NEWNET).map_err(|errno| Error::setup("create its network", errno))?;
        sys::loopback_up().map_err(|errno| Error::setup("bring up its loopback interface", errno))?;
        let listener = listen(place.port)?;
        let root = place::build(place, owner)?;
        hand_over(harness, &listener)?;
        Ok(Self { ground: Ground::Root(root, place.scratch), output })
    }

    /// The same where the container is the place.
    pub(super) fn in_container(place: &Place, harness: BorrowedFd<'_>) -> Result<Self, Error> {
        let output = take_output(harness)?;
        let inside = Inside::enter()?;
        hand_over(harness, &listen(place.port)?)?;
        Ok(Self { ground: Ground::Container(inside), output })
    }

    /// Runs the program. `harness` hangs up when no one waits for the answer any more.
    pub(super) fn work(&self, job: &Job, harness: BorrowedFd<'_>) -> Result<Worked, Error> {
        let task = Task { env: job.env.clone(), ..Task::new(job.argv.clone(), job.limits) };
        let folders = [WORKSPACE, HOME].map(PathBuf::from);
        match &self.ground {
            Ground::Root(root, scratch) => {
                let program = prepare(&kind::SESSION, &task, &root.path, &root.filters, true)?;
                let folders = folders.map(|folder| stage::inside(&folder));
                // Not before: the harness may have put something there since.
                for folder in &folders {
                    stage::give_away(folder, root.owner)
                        .map_err(|error| Error::setup("hand over workspace and home", error))?;
                }
                let _scratch = Mounted::new(&kind::SESSION, *scratch, root.owner)?;
                let (standard, ours) = standard_streams(root.owner)?;
                let mut running = Behind::start(root, &program, standard)?;
                self.attend(&mut running, ours, folders, &program, harness)
            }
            Ground::Container(inside) => {
                let program = prepare(&kind::SESSION, &task, PATH, &inside.filters, false)?;
                let kills = own_oom_kills();
                let (standard, ours) = standard_streams(inside.owner)?;
                let mut running = Child::start(&program, standard)?;
                let worked = self.attend(&mut running, ours, folders, &program, harness)?;
                Ok(match worked.end {
                    // The container's backstop, far beyond the limit.
                    End::Signalled(_) if own_oom_kills() != kills => {
                        Worked { end: End::Limit(Limit::Memory), ..worked }
                    }
                    _ => worked,
                })
            }
        }
    }

    /// Moves the output until the program ends or has to be ended; then no process is left.
    fn attend(
        &self,
        running: &mut dyn Running,
        [input, stdout, stderr]: [OwnedFd; 3],
        folders: [PathBuf; 2],
        program: &Program<'_>,
        harness: BorrowedFd<'_>,
    ) -> Result<Worked, Error> {
        // There is no input.
        drop(input);
        let killed = oom_kills();
        let mut taps = Taps::new([stdout, stderr], &self.output, program.limits.output)?;
        let ended = watch(running, &mut taps, &mut Footprint::new(folders), &program.limits, harness);
        let usage = running.finish(matches!(ended, Ok(Ended::ByItself(..))));
        taps.drain()?;
        let ended = ended?;
        if let Some(errno) = running.unexecuted()? {
            let name = program.argv.first().and_then(|name| name.to_str().ok()).unwrap_or_default();
            return Err(Error::Program { program: name.to_owned(), cause: errno.to_string() });
        }
        let worked = match ended {
            Ended::ByItself(End::Exited(_) | End::Signalled(_), told) if taps.overflowed() => {
                Worked { end: End::Limit(Limit::Output), usage: told.unwrap_or(usage) }
            }
            Ended::ByItself(end, told) => Worked { end, usage: told.unwrap_or(usage) },
            Ended::ByLimit(limit) => Worked { end: End::Limit(limit), usage },
        };
        refuse_oom_kill(worked.end, killed, oom_kills())?;
        Ok(worked)
    }
}

fn take_output(harness: BorrowedFd<'_>) -> Result<[File; 2], Error> {
    let take = || handover::receive(harness).map(File::from);
    let output = take().and_then(|stdout| Ok([stdout, take()?]));
    output.map_err(|errno| Error::setup("receive the files of its output", errno))
}

fn listen(port: u16) -> Result<TcpListener, Error> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| Error::setup(format!("listen on its port {port}"), error))
}

fn hand_over(harness: BorrowedFd<'_>, listener: &TcpListener) -> Result<(), Error> {
    handover::send(harness, listener.as_fd()).map_err(|errno| Error::setup("hand over its listener", errno))
}

/// How a program ended, and what it took if that was told; or the limit for which it is to be ended.
enum Ended {
    ByItself(End, Option<Usage>),
    ByLimit(Limit),
}

/// A program at work, with all it started.
trait Running {
    /// Has an event when there is something to hear.
    fn news(&self) -> BorrowedFd<'_>;

    /// When to listen at the latest.
    fn due(&self) -> Option<Instant>;

    /// Listens, where `has_news` says that there was an event.
    fn listen(&mut self, limits: &Limits, has_news: bool) -> Result<Option<Ended>, Error>;

    /// When to end it, once it is known that it began; until then, when to give up.
    fn until(&self, wall: Duration) -> Instant;

    /// Sees to it that no process is left, and says what they took.
    fn finish(&mut self, ended_by_itself: bool) -> Usage;

    /// Why it could not be executed, if it could not. To be asked once it is finished.
    fn unexecuted(&mut self) -> Result<Option<Errno>, Error>;
}

fn watch(
    running: &mut dyn Running,
    taps: &mut Taps<'_>,
    footprint: &mut Footprint,
    limits: &Limits,
    harness: BorrowedFd<'_>,
) -> Result<Ended, Error> {
    loop {
        let until = running.until(limits.wall);
        let wait = until.min(footprint.due());
        let wait = running.due().map_or(wait, |due| due.min(wait));
        let others = [(running.news(), PollFlags::POLLIN), (harness, PollFlags::empty())];
        let [has_news, gone] = taps.step(others, wait)?;
        if gone {
            return Err(Error::setup("answer", "the harness is gone"));
        }
        if let Some(ended) = running.listen(limits, has_news)? {
            return Ok(ended);
        }
        if taps.overflowed() {
            return Ok(Ended::ByLimit(Limit::Output));
        }
        if footprint.measured().is_some_and(|bytes| bytes > limits.disk) {
            return Ok(Ended::ByLimit(Limit::Disk));
        }
        if Instant::now() >= until {
            return Ok(Ended::ByLimit(Limit::Wall));
        }
    }
}

/// A program behind a process 1 that watches it and reports.
struct Behind {
    init: Init,
    reported: OwnedFd,
    /// Its end would tell process 1 that the worker is gone.
    _hold: OwnedFd,
    state: State,
    began: Instant,
}

impl Behind {
    fn start(root: &Root, program: &Program<'_>, standard: [OwnedFd; 3]) -> Result<Self, Error> {
        let (init, reported, hold) = run::begin(root.owner, program, standard, false)?;
        Ok(Self { init, reported, _hold: hold, state: State::default(), began: Instant::now() })
    }
}

impl Running for Behind {
    fn news(&self) -> BorrowedFd<'_> {
        self.reported.as_fd()
    }

    fn due(&self) -> Option<Instant> {
        None
    }

    fn listen(&mut self, _: &Limits, has_news: bool) -> Result<Option<Ended>, Error> {
        let end = if has_news { self.state.hear(&self.reported)? } else { None };
        Ok(end.map(|(end, usage)| Ended::ByItself(end, Some(usage))))
    }

    fn until(&self, wall: Duration) -> Instant {
        match self.state.started {
            Some(started) => deadline(started, wall),
            None => deadline(self.began, SETUP),
        }
    }

    fn finish(&mut self, ended_by_itself: bool) -> Usage {
        let before = init::waited_for();
        if ended_by_itself {
            self.init.wait();
        } else {
            self.init.kill();
        }
        let wall = self.state.started.map_or(Duration::ZERO, |started| started.elapsed());
        Usage { wall, cpu: init::waited_for().saturating_sub(before), ..Usage::default() }
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
        self.ended()
    }

    fn due(&self) -> Option<Instant> {
        Some(self.due())
    }

    fn listen(&mut self, limits: &Limits, has_news: bool) -> Result<Option<Ended>, Error> {
        Ok(self.look(limits, has_news).map(|end| Ended::ByItself(end, None)))
    }

    fn until(&self, wall: Duration) -> Instant {
        deadline(self.started(), wall)
    }

    fn finish(&mut self, _: bool) -> Usage {
        self.kill()
    }

    fn unexecuted(&mut self) -> Result<Option<Errno>, Error> {
        self.unexecuted()
    }
}
