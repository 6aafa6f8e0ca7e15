//! What a launcher, in the suite's room, and the starter, in the solution's, say to each other: frames of [`wire`](crate::wire)
//! on a local stream socket. With the first byte come the program's standard input, output and error.

use nix::errno::Errno;
use nix::unistd::{Pid, getpgrp, getpid, getsid, setpgid, setsid};
use serde::{Deserialize, Serialize};

use crate::wire::{base64_bytes, base64_list};

/// What a launcher asks for.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum LauncherRequest {
    /// Start a program. The first request, and the only one of its kind.
    Start(ProgramStart),
    /// Send the program this signal.
    Signal(i32),
}

/// The program to start: what the launcher itself was started with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProgramStart {
    /// The program and its arguments.
    #[serde(with = "base64_list")]
    pub(super) argv: Vec<Vec<u8>>,
    /// All of its environment, each as `NAME=value`.
    #[serde(with = "base64_list")]
    pub(super) env: Vec<Vec<u8>>,
    /// Where it starts.
    #[serde(with = "base64_bytes")]
    pub(super) folder: Vec<u8>,
    /// Which rights files do not get.
    pub(super) umask: u32,
    pub(super) leads: Leads,
}

/// How the program ended: its raw wait status.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProgramEnded(pub(super) i32);

/// What a process is the first of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Leads {
    Nothing,
    Group,
    Session,
}

impl Leads {
    /// What this process is the first of.
    pub(super) fn of_this_process() -> Self {
        match getpid() {
            pid if getsid(None) == Ok(pid) => Self::Session,
            pid if getpgrp() == pid => Self::Group,
            _ => Self::Nothing,
        }
    }

    /// Makes this process the same.
    pub(super) fn apply(self) -> Result<(), Errno> {
        match self {
            Self::Nothing => Ok(()),
            Self::Group => setpgid(Pid::from_raw(0), Pid::from_raw(0)),
            Self::Session => setsid().map(drop),
        }
    }
}
