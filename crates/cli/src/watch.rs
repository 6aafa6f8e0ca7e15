//! What is seen of a run while it goes on: on a terminal one line per trajectory, elsewhere one line per event.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use slopbench_report::printable;
use slopbench_runner::run::{Event, Plan, Trajectory, Watch};
use slopbench_tests::Solve;

/// Shows events on standard error.
pub(crate) struct Display {
    /// `None` where standard error is no terminal.
    lines: Option<Lines>,
    stops: BTreeMap<String, u64>,
}

struct Lines {
    all: MultiProgress,
    by_id: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Display {
    pub(crate) fn new(plan: &Plan) -> Self {
        let lines = || Lines { all: MultiProgress::new(), by_id: Mutex::default() };
        let stops = plan.problems.keys().map(|name| (name.clone(), plan.stops(name).len() as u64)).collect();
        Self { lines: io::stderr().is_terminal().then(lines), stops }
    }
}

impl Watch for Display {
    fn tell(&self, trajectory: &Trajectory, event: &Event<'_>) {
        let text = printable(&describe(event));
        match &self.lines {
            // Where standard error is closed, there is nobody to tell.
            None => drop(writeln!(io::stderr(), "{}  {text}", trajectory.id)),
            Some(lines) => lines.show(trajectory, self.stops.get(&trajectory.problem).copied(), event, text),
        }
    }
}

impl Lines {
    fn show(&self, trajectory: &Trajectory, stops: Option<u64>, event: &Event<'_>, text: String) {
        let mut by_id = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
        let line = by_id.entry(trajectory.id.clone()).or_insert_with(|| {
            let line = self.all.add(ProgressBar::new(stops.unwrap_or_default()));
            // A template that does not parse would show in the first run; the default line is no reason to stop.
            if let Ok(style) = ProgressStyle::with_template("{prefix}  {pos}/{len}  {elapsed}  {msg}") {
                line.set_style(style);
            }
            // The time goes on where nothing else happens for long.
            line.enable_steady_tick(Duration::from_secs(1));
            line.with_prefix(trajectory.id.clone())
        });
        line.set_message(text);
        match event {
            Event::Began { .. } | Event::Ended { .. } => line.tick(),
            Event::Graded { .. } => line.inc(1),
            Event::Finished | Event::Stopped(_) | Event::Broke(_) => line.abandon(),
        }
    }
}

fn describe(event: &Event<'_>) -> String {
    match event {
        Event::Began { checkpoint } => format!("checkpoint {checkpoint}: at work"),
        Event::Ended { checkpoint, outcome } => format!("checkpoint {checkpoint}: {outcome}"),
        Event::Graded { checkpoint, solve } => format!("checkpoint {checkpoint}: {}", solve_text(*solve)),
        Event::Finished => "finished".to_owned(),
        Event::Stopped(reason) => format!("stopped: {reason}"),
        Event::Broke(error) => format!("error: {error}"),
    }
}

fn solve_text(solve: Solve) -> &'static str {
    match solve {
        Solve { strict: true, .. } => "solved",
        Solve { isolated: true, .. } => "solved in isolation",
        Solve { core: true, .. } => "core solved",
        _ => "not solved",
    }
}
