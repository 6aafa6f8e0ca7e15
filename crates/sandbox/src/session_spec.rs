//! What a session is to be: data that its two sides share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::image::Image;
use crate::{Limits, ProgramEnd, ResourceUsage, Runtime};

/// The memory that a job may be granted at most, in bytes: a container's own limit is somewhat beyond.
pub const MOST_MEMORY: u64 = 8 << 30;

/// The processes that a job may be granted at most.
pub const MOST_PROCESSES: u32 = 512;

/// Whose system a session's program finds, and what keeps it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum System {
    /// This machine's, shown by Linux namespaces: no daemon, no root.
    Machine(Runtime),
    /// An image's, in a container. Its engine has to be on this machine, whose folders it shows.
    Image(Image),
}

/// What a session sees, beside its system's folders, read-only, and a `/tmp` in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSpec {
    /// Shown as [`WORKSPACE`](crate::layout::WORKSPACE), and written to. If the caller is root, all of it changes its owner, to a user without any
    /// power: no file in it may have a second name (a hard link) elsewhere.
    pub workspace: PathBuf,
    /// Shown as [`HOME`](crate::layout::HOME), and written to, as the workspace is.
    pub home: PathBuf,
    /// Shown as [`INSTALLATION`](crate::layout::INSTALLATION), read-only.
    pub installation: Option<PathBuf>,
    /// Shown as [`ASSETS`](crate::ASSETS), read-only.
    pub assets: Option<PathBuf>,
    /// Packages, shown as [`ENVIRONMENT`](crate::ENVIRONMENT), read-only.
    pub environment: Option<PathBuf>,
    /// What else is there.
    pub system: System,
    /// Paths of the machine that the program may not see, wherever they lie. The folders above may lie in one of
    /// them. In a container, no other path of the machine is there.
    pub hide: Vec<PathBuf>,
    /// Where its standard output is written while it runs: a file that does not exist yet. Not shown.
    pub stdout: PathBuf,
    /// The same for its standard error.
    pub stderr: PathBuf,
    /// The TCP port of the listener, on the session's own `127.0.0.1`.
    pub port: u16,
    /// How much `/tmp` and `/dev/shm` hold together, in bytes of memory; in a container, each of them. What goes beyond is
    /// an error to the program.
    pub scratch: u64,
}

/// What is run in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionJob {
    /// The program and its arguments. A program without `/` is looked up in the session's `PATH`.
    pub argv: Vec<String>,
    /// Added to the fixed environment, and stronger than it.
    pub env: BTreeMap<String, String>,
    /// When to stop. Here `disk` is what workspace and home may hold together, at least a page a name, with the files that
    /// have no name any more and are open: counted every few seconds, and at once when the machine has lost as much.
    pub limits: Limits,
    /// How much of the machine's disk has to stay free, in bytes. Beyond, the program hits its limit of disk if it holds as
    /// much as this, or something that cannot be counted; if no session does, half of it ends all, as the machine's failure.
    pub reserve: u64,
}

/// How a session's program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobEnd {
    /// How.
    pub end: ProgramEnd,
    /// What it took.
    pub usage: ResourceUsage,
}

impl SessionJob {
    /// A job with limits that fit an agent at work: a program that needs more is not developing any more.
    pub fn new(argv: Vec<String>, wall: Duration) -> Self {
        const GIB: u64 = 1 << 30;
        let limits = Limits {
            wall,
            cpu: Duration::MAX,
            memory: MOST_MEMORY,
            processes: MOST_PROCESSES,
            file_size: 2 * GIB,
            disk: 8 * GIB,
            output: GIB / 2,
        };
        Self { argv, env: BTreeMap::new(), limits, reserve: GIB }
    }
}
