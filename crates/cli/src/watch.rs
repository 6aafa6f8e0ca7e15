//! What is seen of a run while it goes on: on a terminal one line per trajectory, elsewhere one line per event.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use slopbench_report::printable;
use slopbench_runner::{RunEvent, Watch};
use slopbench_slopcode::run::Design;

/// Shows events on standard error.
pub(crate) struct Display {
    /// `None` where standard error is no terminal.
    lines: Option<Lines>,
    /// How many stages each unit has, as far as its plan tells.
    stages: BTreeMap<String, u64>,
}

struct Lines {
    all: MultiProgress,
    by_id: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Display {
    pub(crate) fn new(design: &Design) -> Self {
        let trajectories = design.trajectories.iter();
        // A session and a grade per checkpoint.
        let stages = trajectories.map(|it| (it.id.clone(), 2 * design.stops(&it.problem).len() as u64)).collect();
        Self::of_stages(stages)
    }

    /// Of units with so many stages each.
    pub(crate) fn of_stages(stages: BTreeMap<String, u64>) -> Self {
        let lines = || Lines { all: MultiProgress::new(), by_id: Mutex::default() };
        Self { lines: io::stderr().is_terminal().then(lines), stages }
    }
}

impl Watch for Display {
    fn tell(&self, unit: &str, event: &RunEvent<'_>) {
        let text = printable(&describe(event));
        match &self.lines {
            // Where standard error is closed, there is nobody to tell.
            None => drop(writeln!(io::stderr(), "{unit}  {text}")),
            Some(lines) => lines.show(unit, self.stages.get(unit).copied(), event, text),
        }
    }
}

impl Lines {
    fn show(&self, unit: &str, stages: Option<u64>, event: &RunEvent<'_>, text: String) {
        let mut by_id = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
        let line = by_id.entry(unit.to_owned()).or_insert_with(|| {
            let line = self.all.add(ProgressBar::new(stages.unwrap_or_default()));
            // A template that does not parse would show in the first run; the default line is no reason to stop.
            if let Ok(style) = ProgressStyle::with_template("{prefix}  {pos}/{len}  {elapsed}  {msg}") {
                line.set_style(style);
            }
            // The time goes on where nothing else happens for long.
            line.enable_steady_tick(Duration::from_secs(1));
            line.with_prefix(unit.to_owned())
        });
        line.set_message(text);
        match event {
            RunEvent::Began { .. } => line.tick(),
            RunEvent::Ended { .. } => line.inc(1),
            RunEvent::Finished | RunEvent::Stopped(_) | RunEvent::Broke(_) => line.abandon(),
        }
    }
}

fn describe(event: &RunEvent<'_>) -> String {
    match event {
        RunEvent::Began { stage } => format!("{stage}: at work"),
        RunEvent::Ended { stage, outcome } => format!("{stage}: {outcome}"),
        RunEvent::Finished => "finished".to_owned(),
        RunEvent::Stopped(reason) => format!("stopped: {reason}"),
        RunEvent::Broke(error) => format!("error: {error}"),
    }
}
