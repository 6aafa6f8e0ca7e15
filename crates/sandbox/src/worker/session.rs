//! A session: its network, its program, its output.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Instant;

use nix::poll::PollFlags;
use nix::sched::{CloneFlags, unshare};

use super::footprint::Footprint;
use super::init::{self, Program};
use super::run::{self, Init, Mounted, SETUP, State, oom_kills, prepare, refuse_oom_kill, standard_streams};
use super::stage::{self, Root};
use super::tap::Taps;
use super::{kind, place};
use crate::session::{HOME, Job, Place, WORKSPACE, Worked};
use crate::streams::deadline;
use crate::{End, Error, Limit, Limits, Task, Usage, handover, sys};

/// A place that is ready for its program.
pub(super) struct Settled {
    root: Root,
    /// Where standard output and error go.
    output: [File; 2],
}

/// Builds the place, and hands a listener on its loopback to the harness.
pub(super) fn settle(place: &Place, harness: BorrowedFd<'_>) -> Result<Settled, Error> {
    let owner = stage::enter_mount_namespace()?;
    let output = [create(&place.stdout)?, create(&place.stderr)?];
    // The worker's, so that there is a listener before there is a program.
    unshare(CloneFlags::CLONE_NEWNET).map_err(|errno| Error::setup("create its network", errno))?;
    sys::loopback_up().map_err(|errno| Error::setup("bring up its loopback interface", errno))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, place.port))
        .map_err(|error| Error::setup(format!("listen on its port {}", place.port), error))?;
    let root = place::build(place, owner)?;
    handover::send(harness, listener.as_fd()).map_err(|errno| Error::setup("hand over its listener", errno))?;
    Ok(Settled { root, output })
}

fn create(path: &Path) -> Result<File, Error> {
    let created = File::options().write(true).create_new(true).open(path);
    created.map_err(|error| Error::Place { path: path.to_owned(), cause: error.to_string() })
}

/// Runs the program. `harness` hangs up when no one waits for the answer any more.
pub(super) fn work(settled: &Settled, job: &Job, harness: BorrowedFd<'_>) -> Result<Worked, Error> {
    let Settled { root, output } = settled;
    let task = Task { env: job.env.clone(), ..Task::new(job.argv.clone(), job.limits) };
    let program = prepare(&kind::SESSION, &task, &root.path, &root.filters, true)?;
    // Not before: the harness may have put something there since.
    for folder in [WORKSPACE, HOME] {
        stage::give_away(&stage::inside(Path::new(folder)), root.owner)
            .map_err(|error| Error::setup(format!("hand over {folder}"), error))?;
    }
    let _scratch = Mounted::new(&kind::SESSION, job.scratch, root.owner)?;
    let killed = oom_kills();
    let (standard, [input, stdout, stderr]) = standard_streams(root.owner)?;
    // There is no input.
    drop(input);
    let mut taps = Taps::new([stdout, stderr], output, job.limits.output)?;
    let mut running = Running::start(root, &program, standard)?;
    let ended = running.attend(&mut taps, &job.limits, harness)?;
    let worked = running.finish(ended, &mut taps, &program)?;
    refuse_oom_kill(worked.end, killed, oom_kills())?;
    Ok(worked)
}

/// What process 1 told of the end, or the limit for which it is to be ended.
enum Ended {
    ByItself(End, Usage),
    ByLimit(Limit),
}

/// A program at work.
struct Running {
    init: Init,
    reported: OwnedFd,
    /// Its end would tell process 1 that the worker is gone.
    _hold: OwnedFd,
    state: State,
}

impl Running {
    fn start(root: &Root, program: &Program<'_>, standard: [OwnedFd; 3]) -> Result<Self, Error> {
        let (init, reported, hold) = run::begin(root.owner, program, standard, false)?;
        Ok(Self { init, reported, _hold: hold, state: State::default() })
    }

    /// Moves the output until the program ends or has to be ended.
    fn attend(&mut self, taps: &mut Taps<'_>, limits: &Limits, harness: BorrowedFd<'_>) -> Result<Ended, Error> {
        let mut footprint = Footprint::new([WORKSPACE, HOME]);
        let mut until = deadline(Instant::now(), SETUP);
        loop {
            let others = [(self.reported.as_fd(), PollFlags::POLLIN), (harness, PollFlags::empty())];
            let [reported, gone] = taps.step(others, until.min(footprint.due()))?;
            if gone {
                return Err(Error::setup("answer", "the harness is gone"));
            }
            if reported && let Some((end, usage)) = self.state.hear(&self.reported)? {
                return Ok(Ended::ByItself(end, usage));
            }
            if let Some(started) = self.state.started {
                until = deadline(started, limits.wall);
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

    /// Sees to it that no process is left, and takes what was printed last.
    fn finish(mut self, ended: Ended, taps: &mut Taps<'_>, program: &Program<'_>) -> Result<Worked, Error> {
        let before = init::waited_for();
        match ended {
            Ended::ByItself(..) => self.init.wait(),
            Ended::ByLimit(_) => self.init.kill(),
        }
        taps.drain()?;
        let Some(started) = self.state.started else {
            return Err(Error::setup("start process 1", format!("nothing heard in {SETUP:?}")));
        };
        if let Some(errno) = self.state.unexecuted {
            let name = program.argv.first().and_then(|name| name.to_str().ok()).unwrap_or_default();
            return Err(Error::Program { program: name.to_owned(), cause: errno.to_string() });
        }
        let (end, usage) = match ended {
            Ended::ByItself(End::Exited(_) | End::Signalled(_), usage) if taps.overflowed() => {
                (End::Limit(Limit::Output), usage)
            }
            Ended::ByItself(end, usage) => (end, usage),
            Ended::ByLimit(limit) => {
                let cpu = init::waited_for().saturating_sub(before);
                (End::Limit(limit), Usage { wall: started.elapsed(), cpu, ..Usage::default() })
            }
        };
        Ok(Worked { end, usage })
    }
}
