//! A progress bar on standard error, for work over a second and only where it is a terminal.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use slopbench_slopcode::GradingProgress;

const PATIENCE: Duration = Duration::from_secs(1);

/// Draws nothing during the first second.
pub(crate) struct Bar {
    bar: ProgressBar,
    begun: Mutex<Option<Instant>>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        // A template that does not parse would show in the first test run; the default bar is no reason to stop.
        if let Ok(style) = ProgressStyle::with_template("{msg:32} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        Self { bar, begun: Mutex::new(Some(Instant::now())) }
    }
}

impl GradingProgress for Bar {
    fn begin(&self, what: &str, steps: usize) {
        self.bar.set_message(what.to_owned());
        self.bar.set_length(steps as u64);
        self.bar.set_position(0);
    }

    fn step(&self) {
        self.bar.inc(1);
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.is_some_and(|begun| begun.elapsed() > PATIENCE) {
            // Hides itself where standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            *begun = None;
        }
    }
}

impl slopbench_history::Progress for Bar {
    fn begin(&self, versions: usize) {
        GradingProgress::begin(self, "measuring versions", versions);
    }

    fn step(&self) {
        GradingProgress::step(self);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
