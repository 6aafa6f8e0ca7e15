//! One task in a container, whose process 1 this is: no namespace to make, no root to build, but everything to be put
//! back as it was.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::PollFlags;
use nix::sys::prctl;
use nix::sys::statvfs::statvfs;
use nix::unistd::{Pid, getegid, geteuid, getpid};
use seccompiler::BpfProgram;

use super::child::Child;
use super::disk::{DiskUse, settle};
use super::harness::Harness;
use super::kills::Kills;
use super::kind::{self, SandboxKind};
use super::program::PreparedProgram;
use super::run::{prepare, standard_streams};
use super::sockets::Sockets;
use super::{scratch, seccomp};
use crate::folder::{Folder, FolderOwner, check_relative};
use crate::layout::{ENVIRONMENT, SCRATCH, search_path};
use crate::record::ServiceTotal;
use crate::signal_watch::SignalWatch;
use crate::streams::{Streams, deadline};
use crate::task::{in_turn, unexecuted};
use crate::{Error, Limit, Limits, Observation, ProgramEnd, ResourceUsage, Task};

/// Where programs are looked up.
const PATH: [&str; 2] = ["/usr/bin", "/bin"];

/// The container that this process is the first of.
pub(super) struct Inside {
    /// Who this process is, and every program.
    pub(super) owner: FolderOwner,
    /// What programs may not call.
    pub(super) filters: Vec<BpfProgram>,
    /// What `PATH` is for tasks.
    pub(super) path: String,
}

impl Inside {
    /// Gets ready for tasks.
    pub(super) fn enter(kind: &SandboxKind, has_environment: bool) -> Result<Self, Error> {
        if getpid() != Pid::from_raw(1) {
            return Err(Error::setup("be process 1 of a container", "there is another one"));
        }
        // The programs have our user: keep them from our memory and our descriptors.
        prctl::set_dumpable(false).map_err(|errno| Error::setup("close process 1 to others", errno))?;
        prctl::set_no_new_privs().map_err(|errno| Error::setup("forbid new privileges", errno))?;
        let owner = FolderOwner { uid: geteuid(), gid: getegid() };
        let path = search_path(has_environment.then_some(Path::new(ENVIRONMENT)), PATH.map(String::from));
        Ok(Self { owner, filters: seccomp::filters(kind)?, path })
    }

    /// Runs tasks in the same folders. `harness` hangs up when no one waits for the answer any more.
    pub(super) fn run(&self, tasks: &[Task], harness: &mut Harness<'_>) -> Result<Vec<Observation>, Error> {
        tasks.iter().flat_map(|task| &task.collect).try_for_each(|path| check_relative(path))?;
        // Of the task before. Here rather than there: what matters is how a task begins.
        for folder in SCRATCH {
            scratch::empty(Path::new(folder)).map_err(|errno| Error::setup(format!("empty {folder}"), errno))?;
        }
        let [work, ..] = SCRATCH.map(Path::new);
        let work = Folder::open(work, self.owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        in_turn(tasks, |task, limits| self.run_in(task, limits, &work, harness))
    }

    fn run_in(
        &self,
        task: &Task,
        limits: &Limits,
        folder: &Folder,
        harness: &mut Harness<'_>,
    ) -> Result<Observation, Error> {
        let mut program = prepare(&kind::TASK, task, &self.path, &self.filters, false)?;
        wait_for_sockets();
        folder.fill(&task.files)?;
        let kills = Kills::now();
        let (mut record, mut signal) = (ServiceTotal::default(), SignalWatch::new(task.signal.as_ref(), folder));
        let end = loop {
            program.limits = record.left(limits);
            let (end, streams, usage) = self.observe(task, &program, &mut signal, harness)?;
            record.add(streams, &usage);
            if end != ProgramEnd::Stopped || !harness.restarts() {
                break end;
            }
        };
        let end = kills.judge(end, &record.usage, limits)?;
        let end = settle(end, &record.usage, limits, filled(limits)?, &SCRATCH.map(Path::new));
        let [work, ..] = SCRATCH.map(Path::new);
        let closed = open_up(work, &task.collect);
        let files = folder.collect(&task.collect, task.limits.output)?;
        close_again(closed);
        Ok(record.observation(end, files, signal.is_sent()))
    }

    /// Starts the program, moves its streams and watches its limits until it ends or has to be ended. Then no process is
    /// left but this one.
    fn observe<'a>(
        &self,
        task: &'a Task,
        program: &PreparedProgram<'_>,
        signal: &mut SignalWatch<'_>,
        harness: &mut Harness<'_>,
    ) -> Result<(ProgramEnd, Streams<'a>, ResourceUsage), Error> {
        let (standard, [feed, out, err]) = standard_streams(self.owner)?;
        let streams = Streams::new(feed, &task.stdin, out, err, program.limits.output);
        let mut streams = streams.map_err(|errno| Error::setup("make pipes", errno))?;
        let mut child = Child::start(program, standard)?;
        let watched = watch(&mut child, &program.limits, &mut streams, signal, harness);
        let usage = child.kill();
        // Everyone who could write is dead.
        streams.drain();
        let end = watched?;
        if let Some(errno) = child.unexecuted()? {
            let own = [Path::new("/solution"), Path::new("/work")];
            let name = task.argv.first().map_or("", String::as_str);
            return Ok((unexecuted(name, &own, errno)?, streams, ResourceUsage::default()));
        }
        // What was printed last may be read only now.
        let end = match end {
            ProgramEnd::Exited(_) | ProgramEnd::Signalled(_) | ProgramEnd::Stopped if streams.overflowed() => {
                ProgramEnd::Limit(Limit::Output)
            }
            end => end,
        };
        Ok((end, streams, usage))
    }
}

/// What sockets may hold of the task before, in bytes, and how long to wait for that, with how many looks.
const LEFT: u64 = 1 << 20;
const WAIT: Duration = Duration::from_millis(20);
const LOOKS: u32 = 500;

/// Waits until the kernel has collected what the task before had in flight: it does so in its own time, and the next task
/// would be judged by it.
fn wait_for_sockets() {
    let mut sockets = Sockets::default();
    for _ in 0..LOOKS {
        if sockets.memory() <= LEFT {
            return;
        }
        thread::sleep(WAIT);
    }
}

/// Moves streams and looks at the processes until the program ends or a limit is hit.
fn watch(
    child: &mut Child,
    limits: &Limits,
    streams: &mut Streams<'_>,
    signal: &mut SignalWatch<'_>,
    harness: &mut Harness<'_>,
) -> Result<ProgramEnd, Error> {
    let until = deadline(child.started(), limits.wall);
    harness.started()?;
    loop {
        let mut others = harness.fds();
        others.push((child.news(), PollFlags::POLLIN));
        let moments = [harness.until(), signal.until()];
        let wait = moments.into_iter().flatten().fold(until.min(child.due()), Instant::min);
        let events = streams.step(&others, wait);
        let events = events.map_err(|errno| Error::setup("watch the program", errno))?;
        if harness.step(events.first() == Some(&true))? {
            return Ok(ProgramEnd::Stopped);
        }
        if streams.overflowed() {
            return Ok(ProgramEnd::Limit(Limit::Output));
        }
        if let Some(signal) = signal.due(child.started(), streams.lines()) {
            child.send(signal);
        }
        if let Some(end) = child.look(limits)? {
            return Ok(end);
        }
        if Instant::now() >= until {
            return Ok(ProgramEnd::Limit(Limit::Wall));
        }
    }
}

/// What the task left on its three disks, each of which could hold all that it may.
fn filled(limits: &Limits) -> Result<DiskUse, Error> {
    let mut sum = DiskUse { disk: false, used: 0 };
    for folder in SCRATCH {
        let status = statvfs(folder).map_err(|errno| Error::setup(format!("look at the disk of {folder}"), errno))?;
        sum.used += (status.blocks() - status.blocks_free()).saturating_mul(status.fragment_size());
        sum.disk |= status.blocks_available() == 0 || status.files_free() == 0;
    }
    sum.disk |= sum.used >= limits.disk.max(1);
    Ok(sum)
}

/// Opens what the program closed to its own user on the way to these paths: modes are no one's business. Returns what was
/// closed, with its modes.
fn open_up(work: &Path, paths: &[String]) -> Vec<(PathBuf, u32)> {
    let mut closed = Vec::new();
    // What cannot be opened is not there, or is found out about when it is collected.
    let mut open = |at: &Path| {
        let metadata = fs::symlink_metadata(at).ok()?;
        let needed = match metadata.file_type() {
            kind if kind.is_dir() => 0o500,
            kind if kind.is_file() => 0o400,
            _ => return None,
        };
        let mode = metadata.permissions().mode() & 0o7777;
        if mode & needed != needed {
            closed.push((at.to_owned(), mode));
            fs::set_permissions(at, fs::Permissions::from_mode(mode | needed)).ok()?;
        }
        Some(())
    };
    for path in paths {
        let parts = Path::new(path).ancestors().collect::<Vec<_>>();
        // From the working folder on.
        let _ = parts.iter().rev().try_for_each(|part| open(&work.join(part)));
    }
    closed
}

/// Gives what was opened the modes that the next task has to find.
fn close_again(closed: Vec<(PathBuf, u32)>) {
    for (path, mode) in closed.into_iter().rev() {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    }
}
