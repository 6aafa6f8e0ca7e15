//! One task in a container, whose process 1 this is: no namespace to make, no root to build, but everything to be put
//! back as it was.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::PollFlags;
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::sys::statvfs::statvfs;
use nix::unistd::{Gid, Pid, Uid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, getpid, pipe2};
use seccompiler::BpfProgram;

use super::harness::Harness;
use super::init::{self, INTERVAL, Program, Report, bury, check, kill_all, waited_for};
use super::kind;
use super::run::{Filled, oom_kills, prepare, refuse_oom_kill, settle, standard_streams};
use super::stage::INSIDE;
use super::{scratch, seccomp};
use crate::folder::{Folder, Owner, check_relative};
use crate::record::Record;
use crate::streams::{Streams, deadline};
use crate::task::unexecuted;
use crate::{End, Error, Limit, Limits, Observation, Task, Usage, sys, wire};

/// All that a task can write to; the first is its working folder. Each a tmpfs.
pub(crate) const SCRATCH: [&str; 3] = ["/work", "/tmp", "/dev/shm"];

/// Where programs are looked up.
const PATH: &str = "/usr/bin:/bin";

/// Where a container's own memory group tells of kills, by the two versions of the kernel's interface.
const MEMORY_EVENTS: [&str; 2] = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"];

/// The container that this process is the first of.
pub(super) struct Inside {
    owner: Owner,
    filters: Vec<BpfProgram>,
}

impl Inside {
    /// Gets ready for tasks.
    pub(super) fn enter() -> Result<Self, Error> {
        if getpid() != Pid::from_raw(1) {
            return Err(Error::setup("be process 1 of a container", "there is another one"));
        }
        // The programs have our user: keep them from our memory and our descriptors.
        prctl::set_dumpable(false).map_err(|errno| Error::setup("close process 1 to others", errno))?;
        prctl::set_no_new_privs().map_err(|errno| Error::setup("forbid new privileges", errno))?;
        let owner = Owner { uid: Uid::from_raw(INSIDE), gid: Gid::from_raw(INSIDE) };
        Ok(Self { owner, filters: seccomp::filters()? })
    }

    /// Runs a task. `harness` hangs up when no one waits for the answer any more.
    pub(super) fn run(&self, task: &Task, harness: &mut Harness<'_>) -> Result<Observation, Error> {
        let mut program = prepare(&kind::TASK, task, PATH, &self.filters, false)?;
        task.collect.iter().try_for_each(|path| check_relative(path))?;
        // Of the task before. Here rather than there: what matters is how a task begins.
        for folder in SCRATCH {
            scratch::empty(Path::new(folder)).map_err(|errno| Error::setup(format!("empty {folder}"), errno))?;
        }
        let [work, ..] = SCRATCH.map(Path::new);
        let folder = Folder::open(work, self.owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        folder.fill(&task.files)?;
        let (kills, own_kills) = (oom_kills(), own_oom_kills());
        let mut record = Record::default();
        let end = loop {
            program.limits = record.left(&task.limits);
            let (end, streams, usage) = self.observe(task, &program, harness)?;
            record.add(streams, &usage);
            if end != End::Stopped || !harness.restarts() {
                break end;
            }
        };
        open_up(work, &task.collect);
        let end = match own_oom_kills() != own_kills && !matches!(end, End::Limit(_)) {
            // The container's backstop, far beyond the limit.
            true => End::Limit(Limit::Memory),
            false => {
                refuse_oom_kill(end, kills, oom_kills())?;
                settle(end, &record.usage, &task.limits, filled(&task.limits)?, &SCRATCH.map(Path::new))
            }
        };
        let files = folder.collect(&task.collect, task.limits.output)?;
        let Record { stdout, stderr, usage, .. } = record;
        Ok(Observation { end, stdout, stderr, files, usage })
    }

    /// Starts the program, moves its streams and watches its limits until it ends or has to be ended. Then no process is
    /// left but this one.
    fn observe<'a>(
        &self,
        task: &'a Task,
        program: &Program<'_>,
        harness: &mut Harness<'_>,
    ) -> Result<(End, Streams<'a>, Usage), Error> {
        let (standard, [feed, out, err]) = standard_streams(self.owner)?;
        let (mut reported, reports) =
            pipe2(OFlag::O_CLOEXEC).map(|(reported, reports)| (File::from(reported), reports)).map_err(pipes)?;
        let mut streams = Streams::new(feed, &task.stdin, out, err, program.limits.output).map_err(pipes)?;
        let before = waited_for();
        let started = Instant::now();
        let mut ends = Some((standard, reports));
        let pid = sys::spawn(CloneFlags::empty(), || ends.take().map_or(127, |ends| become_program(program, ends)));
        let pid = pid.map_err(|errno| Error::setup("fork", errno))?;
        // The child has copies; ours would keep the pipes from ever ending.
        drop(ends);
        let watched = watch(pid, started, before, &program.limits, &mut streams, harness);
        let wall = started.elapsed();
        kill_all();
        // Everyone who could write is dead.
        streams.drain();
        let (end, mut usage) = watched?;
        (usage.wall, usage.cpu) = (wall, usage.cpu.max(waited_for().saturating_sub(before)));
        if let Some(errno) = unexecuted_by(&mut reported)? {
            let own = [Path::new("/solution"), Path::new("/work")];
            let name = task.argv.first().map_or("", String::as_str);
            return Ok((unexecuted(name, &own, errno)?, streams, Usage::default()));
        }
        // What was printed last may be read only now.
        let end = match end {
            End::Exited(_) | End::Signalled(_) | End::Stopped if streams.overflowed() => End::Limit(Limit::Output),
            end => end,
        };
        Ok((end, streams, usage))
    }
}

fn pipes(errno: Errno) -> Error {
    Error::setup("make pipes", errno)
}

/// The life of the program's process until it is the program. Returns only if it cannot be.
fn become_program(program: &Program<'_>, (standard, reports): ([OwnedFd; 3], OwnedFd)) -> i32 {
    let [stdin, stdout, stderr] = &standard;
    let connect = || {
        chdir(SCRATCH[0])?;
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

/// Why the program could not be executed, if it could not.
fn unexecuted_by(reported: &mut File) -> Result<Option<Errno>, Error> {
    let wrong = |error: std::io::Error| Error::setup("hear from the program's process", error);
    let mut report = Vec::new();
    reported.read_to_end(&mut report).map_err(wrong)?;
    match wire::take(&mut report).map_err(wrong)? {
        Some(Report::NotExecuted(errno)) => Ok(Some(Errno::from_raw(errno))),
        Some(Report::Failed(error)) => Err(error),
        _ => Ok(None),
    }
}

/// Moves streams and looks at the processes until the program ends or a limit is hit.
fn watch(
    pid: Pid,
    started: Instant,
    before: Duration,
    limits: &Limits,
    streams: &mut Streams<'_>,
    harness: &mut Harness<'_>,
) -> Result<(End, Usage), Error> {
    let wrong = |errno| Error::setup("watch the program", errno);
    let ended = sys::pidfd(pid).map_err(wrong)?;
    let until = deadline(started, limits.wall);
    let mut usage = Usage::default();
    let mut next_look = started + INTERVAL;
    harness.started()?;
    loop {
        let mut others = harness.fds();
        others.push((ended.as_fd(), PollFlags::POLLIN));
        let wait = harness.until().map_or(next_look, |moment| moment.min(next_look));
        let events = streams.step(&others, until.min(wait)).map_err(wrong)?;
        if harness.step(events.first() == Some(&true))? {
            return Ok((End::Stopped, usage));
        }
        if streams.overflowed() {
            return Ok((End::Limit(Limit::Output), usage));
        }
        let now = Instant::now();
        if now >= next_look || events.last() == Some(&true) {
            next_look = now + INTERVAL;
            let end = bury(pid);
            // Also after the program's end: what it left behind counts, and is gone in a moment.
            match (check(limits, &mut usage, before), end) {
                (Some(limit), _) => return Ok((End::Limit(limit), usage)),
                (None, Some(end)) => return Ok((end, usage)),
                (None, None) => {}
            }
        }
        if now >= until {
            return Ok((End::Limit(Limit::Wall), usage));
        }
    }
}

/// What the task left on its three disks, each of which could hold all that it may.
fn filled(limits: &Limits) -> Result<Filled, Error> {
    let mut sum = Filled { disk: false, used: 0 };
    for folder in SCRATCH {
        let status = statvfs(folder).map_err(|errno| Error::setup(format!("look at the disk of {folder}"), errno))?;
        sum.used += (status.blocks() - status.blocks_free()).saturating_mul(status.fragment_size());
        sum.disk |= status.blocks_available() == 0 || status.files_free() == 0;
    }
    sum.disk |= sum.used >= limits.disk.max(1);
    Ok(sum)
}

/// Opens what the program closed to its own user on the way to these paths: modes are no one's business.
fn open_up(work: &Path, paths: &[String]) {
    // What cannot be opened is not there, or is found out about when it is collected.
    let _ = fs::set_permissions(work, fs::Permissions::from_mode(0o755));
    for path in paths {
        let mut at = work.to_owned();
        for part in Path::new(path) {
            at.push(part);
            let Ok(metadata) = fs::symlink_metadata(&at) else { break };
            let mode = match metadata.file_type() {
                kind if kind.is_dir() => 0o700,
                kind if kind.is_file() => 0o600,
                _ => break,
            };
            let _ = fs::set_permissions(&at, fs::Permissions::from_mode(mode));
        }
    }
}

/// How many processes of this container were killed for want of memory, if it says.
fn own_oom_kills() -> Option<u64> {
    let text = MEMORY_EVENTS.iter().find_map(|path| fs::read_to_string(path).ok())?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}
