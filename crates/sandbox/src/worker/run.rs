//! One task: its folder, its processes, its observation.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::PollFlags;
use nix::sched::{CloneFlags, setns};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::{Mode, fchmod};
use nix::unistd::{Pid, fchown, pipe2, read, write};
use seccompiler::BpfProgram;

use super::disk::{Mounted, settle};
use super::harness::Harness;
use super::init::{self, Pipes, STOP};
use super::kills::Kills;
use super::kind::{self, SandboxKind, TASKS_PER_PROCESS};
use super::launch::Leads;
use super::program::{InitReport, PreparedProgram};
use super::reaper::waited_for;
use super::room::RoomEnds;
use super::stage::Root;
use crate::folder::{Folder, FolderOwner, check_relative};
use crate::layout::{ENVIRONMENT, INSIDE, TASK};
use crate::record::ServiceTotal;
use crate::signal::PlannedSignal;
use crate::signal_watch::SignalWatch;
use crate::streams::{Streams, deadline};
use crate::task::{in_turn, unexecuted};
use crate::{Error, Limit, Limits, Observation, ProgramEnd, ResourceUsage, Task, sys, wire};

/// How long entering the sandbox may take. It takes some milliseconds; more means a machine in
/// trouble, not a slow solution.
pub(super) const SETUP: Duration = Duration::from_secs(20);

/// Runs tasks in the same folders. `harness` hangs up when no one waits for the answer any more.
pub(super) fn run(root: &Root, tasks: &[Task], harness: &mut Harness<'_>) -> Result<Vec<Observation>, Error> {
    let Some(first) = tasks.first() else { return Ok(Vec::new()) };
    tasks.iter().flat_map(|task| &task.collect).try_for_each(|path| check_relative(path))?;
    let mounted = Mounted::new(&kind::TASK, first.limits.disk, root.owner)?;
    let work = Folder::open(&Path::new(TASK).join("work"), root.owner)
        .map_err(|errno| Error::setup("open the working folder", errno))?;
    in_turn(tasks, |task, limits| run_in(root, task, limits, &mounted, &work, harness))
}

fn run_in(
    root: &Root,
    task: &Task,
    limits: &Limits,
    mounted: &Mounted,
    work: &Folder,
    harness: &mut Harness<'_>,
) -> Result<Observation, Error> {
    let mut program = prepare(&kind::TASK, task, &root.path, &root.filters, true)?;
    work.fill(&task.files)?;
    let kills = Kills::now();
    let (mut record, mut signal) = (ServiceTotal::default(), SignalWatch::new(task.signal.as_ref(), work));
    let end = loop {
        program.limits = record.left(limits);
        let (end, streams, usage) = observe(root.owner, task, &program, &mut signal, harness)?;
        record.add(streams, &usage);
        if end != ProgramEnd::Stopped || !harness.restarts() {
            break end;
        }
    };
    let end = kills.judge(end, &record.usage, limits)?;
    let end = settle(end, &record.usage, limits, mounted.filled()?, &[Path::new(TASK)]);
    let files = work.collect(&task.collect, task.limits.output)?;
    Ok(record.observation(end, files, signal.is_sent()))
}

/// Turns a task into what the system calls take. `path` is where programs are looked up; for the others, see [`PreparedProgram`].
pub(super) fn prepare<'a>(
    kind: &'static SandboxKind,
    task: &Task,
    path: &str,
    filters: &'a [BpfProgram],
    counted_apart: bool,
) -> Result<PreparedProgram<'a>, Error> {
    let text = |text: &str| {
        CString::new(text)
            .map_err(|_| Error::Task(format!("{text:?} holds a NUL byte, which no argument or variable can")))
    };
    task.signal.as_ref().map_or(Ok(()), PlannedSignal::check)?;
    let name = task.argv.first().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Error::Task("it names no program: expected one as first of `argv`".into()))?;
    let mut env: BTreeMap<&str, &str> = kind.environment.iter().copied().collect();
    env.insert("PATH", path);
    if path.split(':').any(|folder| Path::new(folder).starts_with(ENVIRONMENT)) {
        env.insert("VIRTUAL_ENV", ENVIRONMENT);
    }
    env.extend(task.env.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    if let Some(name) = env.keys().find(|name| name.is_empty() || name.contains('=')) {
        return Err(Error::Task(format!("`{name}` is no name of an environment variable")));
    }
    let candidates = if name.contains('/') {
        vec![text(name)?]
    } else {
        let folders = env.get("PATH").into_iter().flat_map(|path| path.split(':'));
        folders
            .filter(|folder| !folder.is_empty())
            .map(|folder| text(&format!("{folder}/{name}")))
            .collect::<Result<_, _>>()?
    };
    Ok(PreparedProgram {
        candidates,
        argv: task.argv.iter().map(|argument| text(argument)).collect::<Result<_, _>>()?,
        env: env.iter().map(|(name, value)| text(&format!("{name}={value}"))).collect::<Result<_, _>>()?,
        limits: task.limits,
        kind,
        tasks: counted_apart.then(|| tasks_of(&task.limits)),
        leads: Leads::Session,
        filters,
    })
}

/// How many tasks a program's user may have within these limits.
pub(super) fn tasks_of(limits: &Limits) -> u64 {
    u64::from(limits.processes).saturating_mul(TASKS_PER_PROCESS.into()).saturating_add(64)
}

/// Process 1 and with it everyone in the sandbox. Killed and waited for when this goes.
pub(super) struct Init {
    pid: Pid,
    dead: bool,
}

impl Init {
    pub(super) fn new(pid: Pid) -> Self {
        Self { pid, dead: false }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn kill(&mut self) {
        if !self.dead {
            // Fails only for the dead: no one else waits for it, so the number is still its.
            let _ = kill(self.pid, Signal::SIGKILL);
            self.wait();
        }
    }

    /// Returns once all processes of the sandbox are gone: the kernel ends process 1 last.
    pub(super) fn wait(&mut self) {
        let _ = sys::wait(Some(self.pid), true);
        self.dead = true;
    }
}

impl Drop for Init {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the sandbox and moves its streams until it ends or has to be ended.
fn observe<'a>(
    owner: FolderOwner,
    task: &'a Task,
    program: &PreparedProgram<'_>,
    signal: &mut SignalWatch<'_>,
    harness: &mut Harness<'_>,
) -> Result<(ProgramEnd, Streams<'a>, ResourceUsage), Error> {
    let (standard, [feed, out, err]) = standard_streams(owner)?;
    let limits = &program.limits;
    let mut streams =
        Streams::new(feed, &task.stdin, out, err, limits.output).map_err(|errno| Error::setup("make pipes", errno))?;
    let (mut init, reported, hold) = begin(owner, program, standard, harness.talks(), None)?;

    let mut state = InitState::default();
    let mut until = deadline(Instant::now(), SETUP);
    let mut stopped = ProgramEnd::Limit(Limit::Wall);
    let end = loop {
        let mut others = harness.fds();
        others.push((reported.as_fd(), PollFlags::POLLIN));
        let moments = [harness.until(), signal.until()];
        let wait = moments.into_iter().flatten().fold(until, Instant::min);
        let events = streams.step(&others, wait).map_err(|errno| Error::setup("move its streams", errno))?;
        let stop = harness.step(events.first() == Some(&true))?;
        if events.last() == Some(&true)
            && let Some(end) = state.hear(&reported)?
        {
            break Some(end);
        }
        if let Some(started) = state.started {
            harness.started()?;
            until = deadline(started, limits.wall);
            if let Some(signal) = signal.due(started, streams.lines()) {
                // By process 1, as only it knows the program. If it is gone, so is that.
                let _ = write(&hold, &[signal as u8]);
            }
        }
        if stop && stopped != ProgramEnd::Stopped {
            // Not by killing process 1: it alone can say what the others took. If it is gone, it said so before.
            let _ = write(&hold, &[STOP]);
            stopped = ProgramEnd::Stopped;
        }
        if streams.overflowed() {
            stopped = ProgramEnd::Limit(Limit::Output);
            break None;
        }
        if Instant::now() >= until {
            // It may have ended in the very last moment, and reported it.
            break state.hear(&reported)?;
        }
    };
    let elapsed = state.started.map(|started| started.elapsed());
    let before = waited_for();
    match end {
        Some(_) => init.wait(),
        None => init.kill(),
    }
    // Everyone who could write is dead.
    streams.drain();
    let Some(elapsed) = elapsed else {
        return Err(Error::setup("start process 1", format!("nothing heard in {SETUP:?}")));
    };
    if let Some(errno) = state.unexecuted {
        let end = program.argv.first().and_then(|name| name.to_str().ok());
        let own = [Path::new("/solution"), Path::new("/work")];
        return Ok((unexecuted(end.unwrap_or_default(), &own, errno)?, streams, ResourceUsage::default()));
    }
    let (end, usage) = end.unwrap_or_else(|| {
        let cpu = waited_for().saturating_sub(before);
        (stopped, ResourceUsage { wall: elapsed, cpu, ..ResourceUsage::default() })
    });
    // What was printed last may be read only now.
    let end = match end {
        ProgramEnd::Exited(_) | ProgramEnd::Signalled(_) | ProgramEnd::Stopped if streams.overflowed() => {
            ProgramEnd::Limit(Limit::Output)
        }
        end => end,
    };
    Ok((end, streams, usage))
}

/// Starts process 1, and with it the program. Returns our ends of its pipes for reports and for its lifeline.
pub(super) fn begin(
    owner: FolderOwner,
    program: &PreparedProgram<'_>,
    standard: [OwnedFd; 3],
    join_network: bool,
    room: Option<RoomEnds<'_>>,
) -> Result<(Init, OwnedFd, OwnedFd), Error> {
    let pipe = || pipe2(OFlag::O_CLOEXEC).map_err(|errno| Error::setup("make pipes", errno));
    let ((reported, reports), (lifeline, hold)) = (pipe()?, pipe()?);
    fcntl(&reported, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|errno| Error::setup("make pipes", errno))?;
    let mut pipes = Some(Pipes { standard, reports, lifeline, room });
    let pid = sys::spawn(program.kind.namespaces, || pipes.take().map_or(1, |pipes| init::main(program, pipes)));
    let pid = pid.map_err(|errno| Error::setup("create its namespaces", errno))?;
    // The child has copies; ours would keep the pipes from ever ending.
    drop(pipes);
    let init = Init::new(pid);
    map_user(init.pid(), owner)?;
    if join_network {
        // For good: we have no other network, and need none. Now, as process 1 closes itself to us when it goes on.
        let wrong = |errno| Error::setup("join its network", errno);
        setns(sys::pidfd(pid).map_err(wrong)?, CloneFlags::CLONE_NEWNET).map_err(wrong)?;
    }
    write(&hold, &[1]).map_err(|errno| Error::setup("start process 1", errno))?;
    Ok((init, reported, hold))
}

/// Pipes for a program's standard input, output and error: its ends, and ours.
pub(super) fn standard_streams(owner: FolderOwner) -> Result<([OwnedFd; 3], [OwnedFd; 3]), Error> {
    let pipe = || pipe2(OFlag::O_CLOEXEC).map_err(|errno| Error::setup("make pipes", errno));
    let ((stdin, feed), (out, stdout), (err, stderr)) = (pipe()?, pipe()?, pipe()?);
    for end in [&stdin, &stdout, &stderr] {
        // So that programs can open them again as /dev/stdin and so on, whoever the caller is.
        let given =
            fchown(end, Some(owner.uid), Some(owner.gid)).and_then(|()| fchmod(end, Mode::from_bits_truncate(0o600)));
        given.map_err(|errno| Error::setup("hand over its standard streams", errno))?;
    }
    Ok(([stdin, stdout, stderr], [feed, out, err]))
}

/// What was heard of process 1 so far.
#[derive(Default)]
pub(super) struct InitState {
    pub(super) started: Option<Instant>,
    pub(super) unexecuted: Option<Errno>,
    buffer: Vec<u8>,
}

impl InitState {
    /// Listens to what is there to hear, and returns the end if it is.
    pub(super) fn hear(&mut self, reports: &OwnedFd) -> Result<Option<(ProgramEnd, ResourceUsage)>, Error> {
        let mut chunk = [0; 4096];
        let mut silent = false;
        loop {
            match read(reports, &mut chunk) {
                Ok(0) => silent = true,
                Ok(count) => self.buffer.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(Errno::EINTR) => continue,
                Err(Errno::EAGAIN) => {}
                Err(errno) => return Err(Error::setup("hear from process 1", errno)),
            }
            while let Some(report) =
                wire::take(&mut self.buffer).map_err(|error| Error::setup("hear from process 1", error))?
            {
                match report {
                    InitReport::Started => self.started = Some(Instant::now()),
                    InitReport::NotExecuted(errno) => self.unexecuted = Some(Errno::from_raw(errno)),
                    InitReport::Failed(error) => return Err(error),
                    InitReport::Ended(end, usage) => return Ok(Some((end, usage))),
                }
            }
            if silent {
                return Err(Error::setup("hear from process 1", "it died; was the machine out of memory?"));
            }
            return Ok(None);
        }
    }
}

/// Makes the caller (or the dedicated user, if the caller is root) an ordinary user inside.
pub(super) fn map_user(pid: Pid, owner: FolderOwner) -> Result<(), Error> {
    let maps = [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{INSIDE} {} 1", owner.uid)),
        ("gid_map", format!("{INSIDE} {} 1", owner.gid)),
    ];
    for (file, content) in maps {
        fs::write(format!("/proc/{pid}/{file}"), content)
            .map_err(|error| Error::setup(format!("write {file} of process 1"), error))?;
    }
    Ok(())
}
