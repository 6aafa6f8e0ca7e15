//! Waiting for the dead, and their processor time.

use std::time::Duration;

use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;

use crate::sys::{self, ExitedChild};

/// The most that are waited for at once: no machine grants a sandbox's user as many tasks at a time.
const MOST: usize = 4096;

/// Waits for those who are dead: those that were left to process 1, and its own programs, which are returned where they are
/// wanted. No more than there can be at a time: where they come as fast as they are waited for, there would be no end.
pub(super) fn reap(wanted: impl Fn(Pid) -> bool) -> Vec<ExitedChild> {
    let dead = std::iter::from_fn(|| sys::wait(None, false).ok().flatten()).take(MOST);
    dead.filter(|dead| wanted(dead.pid)).collect()
}

pub(super) fn kill_all() {
    // Everyone in this process namespace but us; there may be no one.
    let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    while !matches!(sys::wait(None, true), Err(Errno::ECHILD)) {}
}

/// Processor time of all that this process waited for, and of those they waited for.
pub(super) fn waited_for() -> Duration {
    let time = |value: TimeVal| {
        let microseconds = u64::try_from(value.tv_usec()).unwrap_or(0);
        Duration::from_secs(u64::try_from(value.tv_sec()).unwrap_or(0)) + Duration::from_micros(microseconds)
    };
    getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}
