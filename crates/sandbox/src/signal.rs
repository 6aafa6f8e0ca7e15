//! Signals that a task's program is sent while it is at work.

use std::str::FromStr as _;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::folder::Folder;
use crate::streams::deadline;

/// Between a moment that the program itself brings about and the signal: else it would often come before the program had
/// returned from the very call that printed the line, which no handler that prints is written for.
const SETTLING: Duration = Duration::from_millis(100);

/// Between two looks for a file.
const LOOK: Duration = Duration::from_millis(10);

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

impl PlannedSignal {
    /// Refuses what cannot be sent.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let SignalMoment::File(path) = &self.moment {
            crate::folder::check_relative(path)?;
        }
        match Signal::try_from(self.number) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::Task(format!("{} is no signal's number", self.number))),
        }
    }
}

/// Watches for a signal's moment.
pub(crate) struct SignalWatch<'a> {
    plan: Option<&'a PlannedSignal>,
    folder: &'a Folder,
    /// When to send it, once that is known.
    due: Option<Instant>,
    sent: bool,
}

impl<'a> SignalWatch<'a> {
    pub(crate) fn new(plan: Option<&'a PlannedSignal>, folder: &'a Folder) -> Self {
        Self { plan, folder, due: None, sent: false }
    }

    /// The signal to send now, to a program that started then and has ended so many lines.
    pub(crate) fn due(&mut self, started: Instant, lines: u64) -> Option<Signal> {
        let plan = self.plan.filter(|_| !self.sent)?;
        if self.due.is_none() {
            let settled = || deadline(Instant::now(), SETTLING);
            self.due = match &plan.moment {
                SignalMoment::After(delay) => Some(deadline(started, *delay)),
                SignalMoment::Lines(count) => (lines >= *count).then(settled),
                SignalMoment::File(path) => self.folder.has(path).then(settled),
            };
        }
        self.sent = self.due.is_some_and(|due| due <= Instant::now());
        Signal::try_from(plan.number).ok().filter(|_| self.sent)
    }

    /// When to look again at the latest, unless something is printed before.
    pub(crate) fn until(&self) -> Option<Instant> {
        let plan = self.plan.filter(|_| !self.sent)?;
        let look = || matches!(plan.moment, SignalMoment::File(_)).then(|| Instant::now() + LOOK);
        self.due.or_else(look)
    }

    /// Whether it was sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.sent
    }
}
