//! One program on the machine itself, from its start to its end.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use super::work_folder::WorkFolder;
use crate::record::ServiceTotal;
use crate::signal_watch::SignalWatch;
use crate::streams::{Streams, deadline};
use crate::task::{end_of, unexecuted};
use crate::{Error, Limit, Limits, ProgramEnd, ResourceUsage, Solution, Task, sys};

/// The same as in the sandbox, as far as the machine has it.
const FIXED: [(&str, &str); 5] = [
    ("LANG", "C.UTF-8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0"),
    ("PYTHONNOUSERSITE", "1"),
    ("TZ", "UTC"),
];

/// A running program.
pub(super) struct Life<'a> {
    group: ProcessGroup,
    ended: OwnedFd,
    streams: Streams<'a>,
    started: Instant,
    until: Instant,
}

impl<'a> Life<'a> {
    /// Starts a task's program with this input, within these limits of wall clock and output. One that cannot be executed ended
    /// at once.
    pub(super) fn start(
        task: &Task,
        stdin: &'a [u8],
        limits: &Limits,
        folder: &WorkFolder,
        solution: &Solution,
    ) -> Result<Result<Self, ProgramEnd>, Error> {
        let name = task
            .argv
            .first()
            .ok_or_else(|| Error::Task("it names no program: expected one as first of `argv`".into()))?;
        let mut command = command(&task.argv, solution, &task.env, &folder.work, folder.home.path());
        command.stdin(Stdio::piped());
        let started = Instant::now();
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let errno = Errno::from_raw(error.raw_os_error().unwrap_or(0));
                return unexecuted(name, &[&solution.dir, &folder.work], errno).map(Err);
            }
        };
        let input = child.stdin.take().map(OwnedFd::from);
        Self::of(child, input, stdin, limits, started).map(Ok)
    }

    /// Watches a program that was just started. `stdin` takes its input.
    pub(super) fn of(
        mut child: Child,
        stdin: Option<OwnedFd>,
        input: &'a [u8],
        limits: &Limits,
        started: Instant,
    ) -> Result<Self, Error> {
        let ends = (stdin, child.stdout.take(), child.stderr.take());
        let group = ProcessGroup { child, waited: false };
        let (Some(stdin), Some(stdout), Some(stderr)) = ends else {
            return Err(wrong(Errno::EBADF));
        };
        let streams = Streams::new(stdin, input, stdout.into(), stderr.into(), limits.output);
        let (streams, ended) = (streams.map_err(wrong)?, group.pid().and_then(sys::pidfd).map_err(wrong)?);
        Ok(Self { group, ended, streams, started, until: deadline(started, limits.wall) })
    }

    /// Waits until there is something to do for the streams or one of `others`, or for this moment. Returns whether the
    /// program is over, and then what stopped it, unless it ended by itself.
    pub(super) fn step(
        &mut self,
        others: &[(BorrowedFd<'_>, PollFlags)],
        moment: Option<Instant>,
    ) -> Result<Option<Option<ProgramEnd>>, Error> {
        let mut fds = vec![(self.ended.as_fd(), PollFlags::POLLIN)];
        fds.extend(others);
        let wait = moment.map_or(self.until, |moment| moment.min(self.until));
        let events = self.streams.step(&fds, wait).map_err(wrong)?;
        Ok(if events.first() == Some(&true) {
            Some(None)
        } else if self.streams.overflowed() {
            Some(Some(ProgramEnd::Limit(Limit::Output)))
        } else if Instant::now() >= self.until {
            Some(Some(ProgramEnd::Limit(Limit::Wall)))
        } else {
            None
        })
    }

    /// Sends the signal whose moment has come.
    pub(super) fn signal(&self, watch: &mut SignalWatch<'_>) {
        if let Some(signal) = watch.due(self.started, self.streams.lines()) {
            // Fails for no one but the dead, which was not waited for: the number is still its.
            let _ = self.group.pid().and_then(|pid| kill(pid, signal));
        }
    }

    /// Kills whoever is left, and adds what was seen to the record. Returns how it ended: as `stopped` says, or by itself.
    pub(super) fn finish(
        mut self,
        stopped: Option<ProgramEnd>,
        record: &mut ServiceTotal,
    ) -> Result<ProgramEnd, Error> {
        let status = self.group.end().map_err(|error| Error::setup("wait for the program", error))?;
        self.streams.drain();
        let stopped = stopped.filter(|end| *end != ProgramEnd::Stopped || !self.streams.overflowed());
        let overflow = self.streams.overflowed().then_some(ProgramEnd::Limit(Limit::Output));
        let usage = ResourceUsage { wall: self.started.elapsed(), ..ResourceUsage::default() };
        record.add(self.streams, &usage);
        Ok(stopped.or(overflow).unwrap_or(end_of(status.into_raw())))
    }
}

/// A program of this machine's in the fixed environment with `environment` over it; its output is ours to read.
pub(super) fn command(
    argv: &[String],
    solution: &Solution,
    environment: &BTreeMap<String, String>,
    work: &Path,
    home: &Path,
) -> Command {
    let mut command = Command::new(argv.first().map_or("", String::as_str));
    command.args(argv.get(1..).unwrap_or_default()).current_dir(work).process_group(0);
    command.env_clear().env("PATH", search_path(solution)).env("HOME", home);
    command.envs(FIXED).envs(solution.environment.as_ref().map(|path| ("VIRTUAL_ENV", path))).envs(environment);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The machine's, after the environment's programs.
fn search_path(solution: &Solution) -> OsString {
    let machine = env::var_os("PATH").unwrap_or_default();
    let folders = solution.environment.iter().map(|path| path.join("bin")).chain(env::split_paths(&machine));
    // Fails for an environment with a colon in its path, which no `PATH` can name.
    env::join_paths(folders).unwrap_or(machine)
}

fn wrong(errno: Errno) -> Error {
    Error::setup("watch the program", errno)
}

/// The program's process group, killed when this goes.
struct ProcessGroup {
    child: Child,
    waited: bool,
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl ProcessGroup {
    fn pid(&self) -> nix::Result<Pid> {
        i32::try_from(self.child.id()).map(Pid::from_raw).map_err(|_| Errno::EOVERFLOW)
    }

    /// Kills whoever is left and waits for the program.
    fn end(&mut self) -> io::Result<ExitStatus> {
        // Before the wait only: then the number is free, and may become someone else's.
        if !self.waited {
            killpg(self.pid()?, Signal::SIGKILL)?;
            self.waited = true;
        }
        self.child.wait()
    }
}
