//! When a task's signal is to be sent.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::Error;
use crate::folder::{Folder, check_relative};
use crate::signal::{PlannedSignal, SignalMoment};
use crate::streams::deadline;

/// Between a moment that the program itself brings about and the signal: else it would often come before the program had
/// returned from the very call that printed the line, which no handler that prints is written for.
const SETTLING: Duration = Duration::from_millis(100);

/// Between two looks for a file.
const LOOK: Duration = Duration::from_millis(10);

impl PlannedSignal {
    /// Refuses what cannot be sent.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let SignalMoment::File(path) = &self.moment {
            check_relative(path)?;
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
