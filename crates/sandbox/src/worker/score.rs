//! Whom the kernel takes when the machine runs out of memory: programs, not whoever watches them.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};

use crate::{Error, handover};

/// What makes the kernel take a program first.
const FIRST: &str = "1000";

/// This process's own score, open since before its `/proc` became read-only. A child has the score that its parent has at
/// that moment.
pub(super) struct Score {
    file: File,
    own: String,
}

impl Score {
    /// Opens it.
    pub(super) fn open() -> Result<Self, Error> {
        let open = || {
            let file = File::options().read(true).write(true).open("/proc/self/oom_score_adj")?;
            // Out of the way of standard streams that are still to come.
            let mut file = File::from(handover::out_of_the_way(file)?);
            let mut own = String::new();
            file.read_to_string(&mut own)?;
            Ok(Self { file, own })
        };
        open().map_err(wrong)
    }

    /// Does this with the programs' score.
    pub(super) fn first<T>(&mut self, start: impl FnOnce() -> T) -> Result<T, Error> {
        self.set(FIRST).map_err(wrong)?;
        let started = start();
        let own = self.own.clone();
        self.set(&own).map_err(wrong)?;
        Ok(started)
    }

    fn set(&mut self, score: &str) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(score.trim_end().as_bytes())
    }
}

fn wrong(error: io::Error) -> Error {
    Error::setup("offer its programs to the OOM killer", error)
}
