//! What differs between a task, which takes moments, and a session, which takes hours.

use std::time::Duration;

use nix::sched::CloneFlags;

use crate::layout::{HOME, WORKSPACE};

/// The namespaces of a task.
pub(super) const NAMESPACES: CloneFlags = CloneFlags::CLONE_NEWUSER
    .union(CloneFlags::CLONE_NEWNS)
    .union(CloneFlags::CLONE_NEWPID)
    .union(CloneFlags::CLONE_NEWNET)
    .union(CloneFlags::CLONE_NEWIPC)
    .union(CloneFlags::CLONE_NEWUTS)
    .union(CloneFlags::CLONE_NEWCGROUP);

/// Between two looks at a task's processes. Memory grows by some 20 MB meanwhile at worst, and a look
/// takes well under 0.1 ms.
pub(super) const INTERVAL: Duration = Duration::from_millis(10);

/// How many tasks the kernel grants a program for each process that it may have, beside some for the sandbox's own: threads
/// are no processes.
pub(crate) const TASKS_PER_PROCESS: u32 = 4;

/// A kind of sandbox, as process 1 needs to know it.
pub(super) struct SandboxKind {
    /// What process 1 has of its own.
    pub(super) namespaces: CloneFlags,
    /// Folders of the sandbox's tmpfs, and where they appear.
    pub(super) folders: &'static [(&'static str, &'static str)],
    /// Folders that the worker has ready in its own root, and where they appear.
    pub(super) shown: &'static [(&'static str, &'static str)],
    /// Where the program starts.
    pub(super) start: &'static str,
    /// What every program finds in its environment, beside `PATH`.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// Between two looks at the processes.
    pub(super) interval: Duration,
    /// Whether a process's addresses are limited with its memory.
    pub(super) limits_addresses: bool,
    /// How many files a process may have open.
    pub(super) open_files: u64,
    /// Whether a program may ask to be told of changes of files.
    pub(super) may_watch: bool,
}

/// A task.
pub(super) const TASK: SandboxKind = SandboxKind {
    namespaces: NAMESPACES,
    folders: &[("work", "work"), ("tmp", "tmp"), ("shm", "dev/shm")],
    shown: &[],
    start: "/work",
    // `PYTHONUTF8` is not needed: Python uses UTF-8 under C.UTF-8.
    environment: &[
        ("HOME", "/tmp"),
        ("LANG", "C.UTF-8"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("PYTHONHASHSEED", "0"),
        ("PYTHONNOUSERSITE", "1"),
        ("TZ", "UTC"),
    ],
    interval: INTERVAL,
    limits_addresses: true,
    open_files: 1024,
    may_watch: false,
};

/// A session. JavaScript engines reserve more addresses than any machine has memory, and hours of looks every 10 ms would
/// be felt. Its network is the worker's, who listens there.
pub(super) const SESSION: SandboxKind = SandboxKind {
    namespaces: NAMESPACES.difference(CloneFlags::CLONE_NEWNET),
    folders: &[("tmp", "tmp"), ("shm", "dev/shm")],
    shown: &[],
    start: WORKSPACE,
    environment: &[
        ("HOME", HOME),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", "agent"),
        ("SHELL", "/bin/bash"),
        ("TZ", "UTC"),
        ("USER", "agent"),
    ],
    interval: Duration::from_millis(50),
    limits_addresses: false,
    open_files: 4096,
    may_watch: true,
};

/// The room of a test suite's program. `/workspace` and `/tmp` are those of [`SOLUTION_ROOM`].
pub(super) const SUITE_ROOM: SandboxKind = SandboxKind {
    namespaces: NAMESPACES,
    folders: &[("workspace", "workspace"), ("tmp", "tmp"), ("suite-shm", "dev/shm")],
    shown: &[
        ("/rooms/suite", "suite"),
        ("/rooms/environment", "opt/suite"),
        ("/rooms/programs", "slopbench"),
        ("/rooms/door", "slopbench-door"),
        ("/rooms/suite-terminals", "dev/pts"),
    ],
    start: WORKSPACE,
    // Not `PYTHONSAFEPATH`, though the suite starts in a folder of the solution's: its command says so for itself (`-P`), and what
    // its tests start beside is to find its own modules. Nor `PYTHONDONTWRITEBYTECODE`: a suite starts one solution hundreds of times,
    // in a folder that is its own.
    environment: &[
        ("HOME", "/tmp"),
        ("LANG", "C.UTF-8"),
        ("PYTHONHASHSEED", "0"),
        ("PYTHONNOUSERSITE", "1"),
        ("TZ", "UTC"),
    ],
    interval: INTERVAL,
    limits_addresses: true,
    open_files: 4096,
    may_watch: false,
};

/// The room of the programs that a test suite starts. They have the environment that the suite gives them, and its network.
pub(super) const SOLUTION_ROOM: SandboxKind = SandboxKind {
    namespaces: NAMESPACES.difference(CloneFlags::CLONE_NEWNET),
    folders: &[("workspace", "workspace"), ("tmp", "tmp"), ("solution-shm", "dev/shm")],
    shown: &[("/rooms/shared", "suite"), ("/rooms/solution-terminals", "dev/pts")],
    start: WORKSPACE,
    environment: &[],
    interval: INTERVAL,
    limits_addresses: true,
    open_files: 1024,
    may_watch: false,
};
