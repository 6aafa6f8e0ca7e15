//! No sandbox at all: the machine itself. Only by name, for those who trust a solution, and to
//! measure what a sandbox costs.

use std::env;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, getegid, geteuid};

use crate::folder::{Folder, Owner, check_relative};
use crate::streams::{Streams, deadline};
use crate::task::{end_of, unexecuted};
use crate::{End, Error, Limit, Observation, Sandbox, Task, Usage, sys};

/// Runs tasks on the machine itself, in a temporary folder.
///
/// The program can do whatever the caller can. Of the limits, only wall clock and output are kept,
/// and processes that leave the program's process group survive it.
#[derive(Debug)]
pub struct Host {
    solution: PathBuf,
}

impl Host {
    /// Runs this solution where it lies.
    ///
    /// # Errors
    ///
    /// [`Error::Solution`] if there is no such folder.
    pub fn open(solution: &Path) -> Result<Self, Error> {
        match solution.canonicalize() {
            Ok(path) if path.is_dir() => Ok(Self { solution: path }),
            Ok(path) => Err(Error::Solution { path, cause: "expected a folder".into() }),
            Err(error) => Err(Error::Solution { path: solution.to_owned(), cause: error.to_string() }),
        }
    }
}

impl Sandbox for Host {
    fn solution(&self) -> &Path {
        &self.solution
    }

    fn run(&mut self, task: &Task) -> Result<Observation, Error> {
        task.collect.iter().try_for_each(|path| check_relative(path))?;
        let place = tempfile::tempdir().map_err(|error| Error::setup("make a temporary folder", error))?;
        let work = place.path().join("work");
        fs::create_dir(&work).map_err(|error| Error::setup("make a temporary folder", error))?;
        let owner = Owner { uid: geteuid(), gid: getegid() };
        let folder = Folder::open(&work, owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        folder.fill(&task.files)?;

        let name = task
            .argv
            .first()
            .ok_or_else(|| Error::Task("it names no program: expected one as first of `argv`".into()))?;
        let mut command = Command::new(name);
        command.args(task.argv.get(1..).unwrap_or_default()).current_dir(&work).process_group(0);
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", place.path());
        command.envs(FIXED).envs(&task.env);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let errno = Errno::from_raw(error.raw_os_error().unwrap_or(0));
                let end = unexecuted(name, &[&self.solution, &work], errno)?;
                let files = folder.collect(&task.collect, task.limits.output)?;
                return Ok(Observation { end, stdout: Vec::new(), stderr: Vec::new(), files, usage: Usage::default() });
            }
        };
        let (end, stdout, stderr) = watch(child, task, started)?;
        let usage = Usage { wall: started.elapsed(), ..Usage::default() };
        let files = folder.collect(&task.collect, task.limits.output)?;
        Ok(Observation { end, stdout, stderr, files, usage })
    }
}

/// The same as in the sandbox, as far as the machine has it.
const FIXED: [(&str, &str); 5] = [
    ("LANG", "C.UTF-8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0"),
    ("PYTHONNOUSERSITE", "1"),
    ("TZ", "UTC"),
];

/// The program's process group, killed when this goes.
struct Group {
    child: Child,
    waited: bool,
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl Group {
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

fn watch(mut child: Child, task: &Task, started: Instant) -> Result<(End, Vec<u8>, Vec<u8>), Error> {
    let wrong = |errno| Error::setup("watch the program", errno);
    let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut group = Group { child, waited: false };
    let (Some(stdin), Some(stdout), Some(stderr)) = ends else {
        return Err(wrong(Errno::EBADF));
    };
    let (stdin, stdout, stderr) = (OwnedFd::from(stdin), OwnedFd::from(stdout), OwnedFd::from(stderr));
    let mut streams = Streams::new(stdin, &task.stdin, stdout, stderr, task.limits.output).map_err(wrong)?;
    let ended = group.pid().and_then(sys::pidfd).map_err(wrong)?;
    let deadline = deadline(started, task.limits.wall);
    let stopped = loop {
        let events = streams.step(&[(ended.as_fd(), PollFlags::POLLIN)], deadline).map_err(wrong)?;
        if events.contains(&true) {
            break None;
        }
        if streams.overflowed() {
            break Some(Limit::Output);
        }
        if Instant::now() >= deadline {
            break Some(Limit::Wall);
        }
    };
    let status = group.end().map_err(|error| Error::setup("wait for the program", error))?;
    streams.drain();
    let stopped = stopped.or(streams.overflowed().then_some(Limit::Output));
    let (stdout, stderr) = streams.finish();
    Ok((stopped.map_or(end_of(status.into_raw()), End::Limit), stdout, stderr))
}
