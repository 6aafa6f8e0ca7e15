//! What is run, and what was seen of it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::signal::PlannedSignal;
use crate::wire::base64_bytes;

/// One run of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The program and its arguments. A program without `/` is looked up in the sandbox's `PATH`.
    pub argv: Vec<String>,
    /// Added to the back end's fixed environment, and stronger than it.
    pub env: BTreeMap<String, String>,
    /// Standard input, all of it; the program may leave it unread.
    #[serde(with = "base64_bytes")]
    pub stdin: Vec<u8>,
    /// What stands in the working folder, in the order of creation. Paths are relative, without
    /// `..`; folders come by themselves.
    pub files: Vec<(String, FileEntry)>,
    /// The files to hand back, as paths relative to the working folder.
    pub collect: Vec<String>,
    /// A signal to send to the program.
    pub signal: Option<PlannedSignal>,
    /// When to stop.
    pub limits: Limits,
}

impl Task {
    /// A task with nothing but a command.
    pub fn new<S: Into<String>>(argv: impl IntoIterator<Item = S>, limits: Limits) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            env: BTreeMap::new(),
            stdin: Vec::new(),
            files: Vec::new(),
            collect: Vec::new(),
            signal: None,
            limits,
        }
    }
}

/// One thing in the working folder before the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileEntry {
    /// A file with these bytes, mode 0644.
    File(#[serde(with = "base64_bytes")] Vec<u8>),
    /// A symbolic link to this target, which is not looked at.
    Symlink(String),
}

/// When a task is stopped. All processes of the task count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Wall clock time from the program's start.
    pub wall: Duration,
    /// Processor time, user and system, of all processes that lived.
    pub cpu: Duration,
    /// Resident memory that is not a file's, in bytes.
    pub memory: u64,
    /// Processes alive at the same time. Threads are not counted here; see
    /// [`Namespaces`](crate::Namespaces).
    pub processes: u32,
    /// A single file that grows to this many bytes.
    pub file_size: u64,
    /// Everything in the working folder, `/tmp` and `/dev/shm` together, in bytes.
    pub disk: u64,
    /// Standard output and standard error together, in bytes. A collected file may be as large.
    pub output: u64,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProgramEnd {
    /// The program returned this exit code, 0 to 255. As in a shell, 127 also stands for a program
    /// of the solution's own that is not there and 126 for one that cannot be executed.
    Exited(i32),
    /// This signal killed the program.
    Signalled(i32),
    /// This limit was hit; all processes were killed.
    Limit(Limit),
    /// It was a service, and was stopped as asked for; all processes were killed.
    Stopped,
}

impl Limits {
    /// Which limit of time `used` came closest to, and the share of it that was used.
    pub fn closest(&self, used: &ResourceUsage) -> (Limit, f64) {
        let cpu = used.cpu.as_secs_f64() / self.cpu.as_secs_f64();
        let wall = used.wall.as_secs_f64() / self.wall.as_secs_f64();
        if wall > cpu { (Limit::Wall, wall) } else { (Limit::Cpu, cpu) }
    }

    /// What is left of time and output once `seen` was run within them.
    pub(crate) fn left_by(&self, seen: &Observation) -> Self {
        let printed = (seen.stdout.len() + seen.stderr.len()) as u64;
        Self {
            wall: self.wall.saturating_sub(seen.usage.wall),
            cpu: self.cpu.saturating_sub(seen.usage.cpu),
            output: self.output.saturating_sub(printed),
            ..*self
        }
    }
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// [`Limits::wall`]
    Wall,
    /// [`Limits::cpu`]
    Cpu,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::processes`]
    Processes,
    /// [`Limits::file_size`]
    FileSize,
    /// [`Limits::output`]
    Output,
    /// [`Limits::disk`]
    Disk,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall clock time",
            Self::Cpu => "processor time",
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::FileSize => "file size",
            Self::Output => "output",
            Self::Disk => "disk space",
        })
    }
}

/// What was found where [`Task::collect`] pointed. Symbolic links are never followed, in no part of
/// the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collected {
    /// A file with these bytes.
    File(#[serde(with = "base64_bytes")] Vec<u8>),
    /// Nothing.
    Missing,
    /// A folder, a symbolic link (also on the way), a pipe, a socket.
    NotAFile,
    /// A file of more than [`Limits::output`] bytes.
    TooLarge,
}

/// What a run looked like from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended.
    pub end: ProgramEnd,
    /// Standard output, cut where [`Limits::output`] was reached.
    #[serde(with = "base64_bytes")]
    pub stdout: Vec<u8>,
    /// Standard error, cut where [`Limits::output`] was reached.
    #[serde(with = "base64_bytes")]
    pub stderr: Vec<u8>,
    /// One entry for each path in [`Task::collect`].
    pub files: BTreeMap<String, Collected>,
    /// Whether [`Task::signal`] was sent: not where the program ended before its moment.
    pub signal_sent: bool,
    /// What it took. Differs from run to run: keep it out of verified bytes.
    pub usage: ResourceUsage,
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceUsage {
    /// From the program's start to its end.
    pub wall: Duration,
    /// User and system time of all processes.
    pub cpu: Duration,
    /// The most memory seen in a sample, or that a program had which was killed, in bytes; 0 for one that ended by itself
    /// before the first sample.
    pub peak_memory: u64,
    /// The most processes seen in a sample.
    pub peak_processes: u32,
}

/// Runs each task within what those before it left of its limits, until one hits a limit.
pub(crate) fn in_turn(
    tasks: &[Task],
    mut run: impl FnMut(&Task, &Limits) -> Result<Observation, Error>,
) -> Result<Vec<Observation>, Error> {
    let mut seen: Vec<Observation> = Vec::new();
    for task in tasks {
        let limits = seen.iter().fold(task.limits, |limits, observation| limits.left_by(observation));
        let observation = run(task, &limits)?;
        let is_last = matches!(observation.end, ProgramEnd::Limit(_));
        seen.push(observation);
        if is_last {
            break;
        }
    }
    Ok(seen)
}

/// How long tasks may take in a row, by the wall clock: each counts what those before it took.
pub(crate) fn longest(tasks: &[Task]) -> Duration {
    tasks.iter().map(|task| task.limits.wall).max().unwrap_or_default()
}

impl ResourceUsage {
    /// What two runs took, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            wall: self.wall + other.wall,
            cpu: self.cpu + other.cpu,
            peak_memory: self.peak_memory.max(other.peak_memory),
            peak_processes: self.peak_processes.max(other.peak_processes),
        }
    }
}

/// The end that a raw wait status tells of.
pub(crate) fn end_of(status: i32) -> ProgramEnd {
    if libc::WIFSIGNALED(status) {
        ProgramEnd::Signalled(libc::WTERMSIG(status))
    } else {
        ProgramEnd::Exited(libc::WEXITSTATUS(status))
    }
}

/// What it means that `program` could not be executed: the solution's own doing if it lies in one
/// of the folders `own` (or is relative, and so in the working folder), a broken machine if not.
pub(crate) fn unexecuted(program: &str, own: &[&Path], errno: Errno) -> Result<ProgramEnd, Error> {
    let path = Path::new(program);
    let theirs = (program.contains('/') && path.is_relative()) || own.iter().any(|folder| path.starts_with(folder));
    match errno {
        Errno::E2BIG => Err(Error::Task("its arguments and environment are too long for the system".into())),
        Errno::ENOENT if theirs => Ok(ProgramEnd::Exited(127)),
        _ if theirs => Ok(ProgramEnd::Exited(126)),
        _ => Err(Error::Program { program: program.to_owned(), cause: errno.to_string() }),
    }
}
