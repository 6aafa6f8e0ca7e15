//! A session: its network, its program, its output.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Instant;

use nix::poll::PollFlags;
use nix::sched::{CloneFlags, unshare};

use super::child::Child;
use super::contained::Inside;
use super::disk::Mounted;
use super::footprint::MemoryFootprint;
use super::kills::Kills;
use super::program::PreparedProgram;
use super::run::{prepare, standard_streams};
use super::running::{Behind, Running, RunningEnd};
use super::stage::{self, Root};
use super::tap::Taps;
use super::{kind, session_root, settings};
use crate::layout::{HOME, WORKSPACE, inside};
use crate::session_spec::{JobEnd, SessionJob, SessionSpec};
use crate::{Error, Limit, Limits, ProgramEnd, Task, handover, sys};

/// Where programs are looked up in a container.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A place that is ready for its program.
pub(super) struct PreparedSession {
    ground: SessionRoot,
    /// Where standard output and error go.
    output: [File; 2],
}

/// What the program stands on.
enum SessionRoot {
    /// A root of our making, and how much it may write to memory there, in bytes.
    Root(Root, u64),
    /// The container that this process is the first of.
    Container(Inside),
}

impl PreparedSession {
    /// Builds the place, takes the files of its output from the harness, and hands over a listener on its loopback.
    pub(super) fn by_namespaces(spec: &SessionSpec, harness: BorrowedFd<'_>) -> Result<Self, Error> {
        let output = take_output(harness)?;
        let owner = stage::enter_mount_namespace()?;
        // The worker's, so that there is a listener before there is a program.
        unshare(CloneFlags::CLONE_NEWNET).map_err(|errno| Error::setup("create its network", errno))?;
        sys::loopback_up().map_err(|errno| Error::setup("bring up its loopback interface", errno))?;
        settings::write(&settings::NETWORK)?;
        let listener = listen(spec.port)?;
        let root = session_root::build(spec, owner)?;
        hand_over(harness, &listener)?;
        Ok(Self { ground: SessionRoot::Root(root, spec.scratch), output })
    }

    /// The same where the container is the place.
    pub(super) fn in_container(spec: &SessionSpec, harness: BorrowedFd<'_>) -> Result<Self, Error> {
        let output = take_output(harness)?;
        let inside = Inside::enter(&kind::SESSION, false)?;
        hand_over(harness, &listen(spec.port)?)?;
        Ok(Self { ground: SessionRoot::Container(inside), output })
    }

    /// Runs the program. `harness` hangs up when no one waits for the answer any more.
    pub(super) fn work(&self, job: &SessionJob, harness: BorrowedFd<'_>) -> Result<JobEnd, Error> {
        let task = Task { env: job.env.clone(), ..Task::new(job.argv.clone(), job.limits) };
        let folders = [WORKSPACE, HOME].map(PathBuf::from);
        match &self.ground {
            SessionRoot::Root(root, scratch) => {
                let program = prepare(&kind::SESSION, &task, &root.path, &root.filters, true)?;
                let folders = folders.map(|folder| inside(&folder));
                // Not before: the harness may have put something there since.
                for folder in &folders {
                    stage::give_away(folder, root.owner)
                        .map_err(|error| Error::setup("hand over workspace and home", error))?;
                }
                let _scratch = Mounted::new(&kind::SESSION, *scratch, root.owner)?;
                let (standard, ours) = standard_streams(root.owner)?;
                let mut running = Behind::start(root, &program, standard)?;
                self.attend(&mut running, ours, (folders, job.reserve), &program, harness)
            }
            SessionRoot::Container(inside) => {
                let program = prepare(&kind::SESSION, &task, PATH, &inside.filters, false)?;
                let (standard, ours) = standard_streams(inside.owner)?;
                let mut running = Child::start(&program, standard)?;
                self.attend(&mut running, ours, (folders, job.reserve), &program, harness)
            }
        }
    }

    /// Moves the output until the program ends or has to be ended; then no process is left.
    fn attend(
        &self,
        running: &mut dyn Running,
        [input, stdout, stderr]: [OwnedFd; 3],
        (folders, reserve): ([PathBuf; 2], u64),
        program: &PreparedProgram<'_>,
        harness: BorrowedFd<'_>,
    ) -> Result<JobEnd, Error> {
        // There is no input.
        drop(input);
        let kills = Kills::now();
        let mut taps = Taps::new([stdout, stderr], &self.output, program.limits.output)?;
        let footprint = MemoryFootprint::new(folders, running.keeper(), program.limits.disk, reserve);
        let ended = footprint.and_then(|footprint| watch(running, &mut taps, footprint, &program.limits, harness));
        let usage = running.finish(matches!(ended, Ok(RunningEnd::ByItself(..))));
        taps.drain()?;
        let ended = ended?;
        if let Some(errno) = running.unexecuted()? {
            let name = program.argv.first().and_then(|name| name.to_str().ok()).unwrap_or_default();
            return Err(Error::Program { program: name.to_owned(), cause: errno.to_string() });
        }
        let worked = match ended {
            RunningEnd::ByItself(ProgramEnd::Exited(_) | ProgramEnd::Signalled(_), told) if taps.overflowed() => {
                JobEnd { end: ProgramEnd::Limit(Limit::Output), usage: told.unwrap_or(usage) }
            }
            RunningEnd::ByItself(end, told) => JobEnd { end, usage: told.unwrap_or(usage) },
            RunningEnd::ByLimit(limit) => JobEnd { end: ProgramEnd::Limit(limit), usage },
        };
        let end = kills.judge(worked.end, &worked.usage, &program.limits)?;
        Ok(JobEnd { end, ..worked })
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

fn watch(
    running: &mut dyn Running,
    taps: &mut Taps<'_>,
    mut footprint: MemoryFootprint,
    limits: &Limits,
    harness: BorrowedFd<'_>,
) -> Result<RunningEnd, Error> {
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
            return Ok(RunningEnd::ByLimit(Limit::Output));
        }
        if let Some(limit) = footprint.look()? {
            return Ok(RunningEnd::ByLimit(limit));
        }
        if Instant::now() >= until {
            return Ok(RunningEnd::ByLimit(Limit::Wall));
        }
    }
}
