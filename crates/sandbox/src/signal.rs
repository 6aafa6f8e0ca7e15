//! Signals that a task's program is sent while it is at work.

use std::str::FromStr as _;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

/// A signal to send once, to the process that was started and not to what it started itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSignal {
    /// Its number.
    pub number: i32,
    /// When.
    pub moment: SignalMoment,
}

/// When a signal is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignalMoment {
    /// So long after the program's start.
    After(Duration),
    /// A tenth of a second after it has ended so many lines of its standard output.
    Lines(u64),
    /// A tenth of a second after there is something at this path below the working folder.
    File(String),
}

/// The number of a signal by its name, as in `SIGTERM`; nothing if there is none, or a real-time signal.
pub fn signal_number(name: &str) -> Option<i32> {
    Signal::from_str(name).ok().map(|signal| signal as i32)
}

/// The name of a signal; its number where it has none.
pub fn signal_name(number: i32) -> String {
    Signal::try_from(number).map_or_else(|_| number.to_string(), |signal| signal.as_str().to_owned())
}
