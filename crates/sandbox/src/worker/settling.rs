//! What a program's end means by what it took and left.

use std::path::Path;

use nix::libc;

use crate::folder::has_file_of;
use crate::{Limit, Limits, ProgramEnd, ResourceUsage};

/// What the task left on its disk.
pub(super) struct DiskUse {
    /// Whether there is no room left.
    pub(super) disk: bool,
    /// How much is used, in bytes.
    pub(super) used: u64,
}

/// A program that ran into a limit of the kernel's is told by an error, and may end as it likes.
/// What it leaves behind in `folders` shows.
pub(super) fn settle(
    end: ProgramEnd,
    usage: &ResourceUsage,
    limits: &Limits,
    filled: DiskUse,
    folders: &[&Path],
) -> ProgramEnd {
    match end {
        // Processor time first: when the wall clock ran out depends on what else the machine did.
        ProgramEnd::Limit(Limit::Wall) if usage.cpu > limits.cpu => ProgramEnd::Limit(Limit::Cpu),
        ProgramEnd::Limit(_) => end,
        _ if usage.cpu > limits.cpu => ProgramEnd::Limit(Limit::Cpu),
        _ if usage.wall > limits.wall => ProgramEnd::Limit(Limit::Wall),
        ProgramEnd::Signalled(libc::SIGXFSZ) => ProgramEnd::Limit(Limit::FileSize),
        // The walk is for those only who wrote enough.
        _ if filled.used >= limits.file_size && folders.iter().any(|folder| has_file_of(folder, limits.file_size)) => {
            ProgramEnd::Limit(Limit::FileSize)
        }
        _ if filled.disk => ProgramEnd::Limit(Limit::Disk),
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn of_two_time_limits_processor_time_counts_first() {
        let second = Duration::from_secs(1);
        let limits =
            Limits { wall: 2 * second, cpu: second, memory: 1, processes: 1, file_size: 1, disk: 1, output: 1 };
        let settled = |end: ProgramEnd, wall: Duration, cpu: Duration| {
            let usage = ResourceUsage { wall, cpu, ..ResourceUsage::default() };
            settle(end, &usage, &limits, DiskUse { disk: false, used: 0 }, &[])
        };
        for end in [ProgramEnd::Exited(0), ProgramEnd::Limit(Limit::Wall)] {
            assert_eq!(settled(end, 3 * second, 2 * second), ProgramEnd::Limit(Limit::Cpu));
            assert_eq!(settled(end, 3 * second, second), ProgramEnd::Limit(Limit::Wall));
        }
        assert_eq!(settled(ProgramEnd::Exited(0), second, second), ProgramEnd::Exited(0));
    }
}
