//! What a session holds of its disk, which is the machine's and need not have quotas.
//!
//! It is counted every few seconds, and at once when the machine has lost as much as there is left of the limit. What cannot
//! be counted is held in check by a reserve of the machine's.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::sys::statvfs::statvfs;
use nix::unistd::Pid;

use super::held::{Held, held};
use crate::{Error, Limit};

/// Between two looks at how much of the disk is free.
const LOOK: Duration = Duration::from_millis(100);

/// The least time between two counts, unless so much was taken meanwhile that the limit may be reached.
const PAUSE: Duration = Duration::from_secs(2);

/// A count may take this part of the time, so that a million files do not keep a processor busy.
const SHARE: u32 = 20;

/// What a session holds of its disk, looked at again and again.
pub(super) struct MemoryFootprint {
    folders: [PathBuf; 2],
    /// The process whose descendants are the session's.
    keeper: Pid,
    limit: u64,
    /// How much of the disk is to stay free, in bytes.
    reserve: u64,
    /// How much was free when it was counted last, and how much it held then.
    last: (u64, u64),
    next_look: Instant,
    /// When the last count was done, and how long it took.
    counted: Instant,
    took: Duration,
}

impl MemoryFootprint {
    /// The footprint in these folders of all that descends from `keeper`.
    ///
    /// # Errors
    ///
    /// If the reserve is touched already.
    pub(super) fn new(folders: [PathBuf; 2], keeper: Pid, limit: u64, reserve: u64) -> Result<Self, Error> {
        let now = Instant::now();
        let (next_look, last, took) = (now + LOOK, (0, 0), Duration::ZERO);
        let mut this = Self { folders, keeper, limit, reserve, last, next_look, counted: now, took };
        this.last.0 = this.free()?;
        match this.last.0 < reserve {
            true => Err(this.exhausted(this.last.0)),
            false => Ok(this),
        }
    }

    /// When the next look is to be taken.
    pub(super) fn due(&self) -> Instant {
        self.next_look
    }

    /// Looks, if it is time to, and says whether the session is to end.
    ///
    /// # Errors
    ///
    /// If the machine has no room left and the session is not to blame.
    pub(super) fn look(&mut self) -> Result<Option<Limit>, Error> {
        let now = Instant::now();
        if now < self.next_look {
            return Ok(None);
        }
        let free = self.free()?;
        let (before, known) = self.last;
        // Others take some, too; but no more than this can it be.
        let may_be_full = before.saturating_sub(free) > self.limit.saturating_sub(known) || free < self.reserve;
        let pause = if may_be_full { self.took } else { PAUSE.max(self.took * SHARE) };
        if now < self.counted + pause {
            self.next_look = now + LOOK;
            return Ok(None);
        }
        let held = held(&self.folders, self.keeper);
        self.counted = Instant::now();
        self.took = self.counted - now;
        self.next_look = self.counted + LOOK;
        self.judge(free, held)
    }

    /// Whoever holds as much as the reserve, or hides what it holds, gives it back by its end, and ends first. If that was
    /// nobody here, half of the reserve is left for others to end.
    fn judge(&mut self, free: u64, held: Held) -> Result<Option<Limit>, Error> {
        self.last = (free, held.bytes);
        if held.bytes > self.limit || free < self.reserve && (held.hides || held.bytes >= self.reserve) {
            return Ok(Some(Limit::Disk));
        }
        match free < self.reserve / 2 {
            true => Err(self.exhausted(free)),
            false => Ok(None),
        }
    }

    /// How much of the disk is free, in bytes; of two, the lesser.
    fn free(&self) -> Result<u64, Error> {
        let free = |folder: &PathBuf| {
            let status = statvfs(folder).map_err(|errno| Error::setup("look at its disk", errno))?;
            Ok(status.blocks_available().saturating_mul(status.fragment_size()))
        };
        let [one, other] = &self.folders;
        Ok(free(one)?.min(free(other)?))
    }

    fn exhausted(&self, free: u64) -> Error {
        let cause = format!(
            "{} MB of the machine's disk are free, and {} MB are kept in reserve; make room and resume",
            free >> 20,
            self.reserve >> 20
        );
        Error::setup("go on", cause)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn who_is_to_blame_for_a_full_disk_ends_first() {
        let folders = || [std::env::temp_dir(), std::env::temp_dir()];
        let footprint = |reserve| MemoryFootprint::new(folders(), Pid::this(), 1000, reserve);
        assert!(footprint(u64::MAX).is_err_and(|error| error.to_string().contains("in reserve")));
        let mut footprint = footprint(0).unwrap();
        footprint.reserve = 100;
        let held = |bytes, hides| Held { bytes, hides };
        for (free, held, expected) in [
            (1000, held(1000, false), Ok(None)),
            (1000, held(1001, false), Ok(Some(Limit::Disk))),
            (1000, held(0, true), Ok(None)),
            (99, held(99, false), Ok(None)),
            (99, held(100, false), Ok(Some(Limit::Disk))),
            (99, held(0, true), Ok(Some(Limit::Disk))),
            (49, held(100, false), Ok(Some(Limit::Disk))),
            (49, held(99, false), Err(())),
        ] {
            assert_eq!(footprint.judge(free, held).map_err(drop), expected, "{free} {held:?}");
        }
    }
}
