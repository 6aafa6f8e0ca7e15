//! What a task took and printed, over all lives of its program.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::streams::Streams;
use crate::{Collected, Limits, Observation, ProgramEnd, ResourceUsage};

/// The sum of the lives so far.
#[derive(Default)]
pub(crate) struct ServiceTotal {
    /// When the first one began.
    began: Option<Instant>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) usage: ResourceUsage,
}

impl ServiceTotal {
    /// What is left of the limits for the next life. What is not used up by being used stays as it is.
    pub(crate) fn left(&self, limits: &Limits) -> Limits {
        let printed = (self.stdout.len() + self.stderr.len()) as u64;
        Limits {
            wall: limits.wall.saturating_sub(self.began.map_or(Duration::ZERO, |began| began.elapsed())),
            cpu: limits.cpu.saturating_sub(self.usage.cpu),
            output: limits.output.saturating_sub(printed),
            ..*limits
        }
    }

    /// Adds a life.
    pub(crate) fn add(&mut self, streams: Streams<'_>, usage: &ResourceUsage) {
        let (stdout, stderr) = streams.finish();
        self.stdout.extend(stdout);
        self.stderr.extend(stderr);
        let began = *self.began.get_or_insert_with(|| before(Instant::now(), usage.wall));
        // With what lay between two lives.
        self.usage.wall = began.elapsed();
        self.usage.cpu += usage.cpu;
        self.usage.peak_memory = self.usage.peak_memory.max(usage.peak_memory);
        self.usage.peak_processes = self.usage.peak_processes.max(usage.peak_processes);
    }
}

impl ServiceTotal {
    /// What was seen in all, with what was found in the end.
    pub(crate) fn observation(
        self,
        end: ProgramEnd,
        files: BTreeMap<String, Collected>,
        signal_sent: bool,
    ) -> Observation {
        let Self { stdout, stderr, usage, .. } = self;
        Observation { end, stdout, stderr, files, signal_sent, usage }
    }
}

/// The moment so long before another. The clock began before any life did.
fn before(moment: Instant, time: Duration) -> Instant {
    moment.checked_sub(time).unwrap_or(moment)
}
