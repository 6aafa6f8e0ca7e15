//! What a task can write to, how full it is, and what that means for its end.

use std::path::Path;

use nix::libc;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::statvfs;
use nix::unistd::chown;

use super::kind::SandboxKind;
use super::stage::{self, mount_tmpfs_at};
use crate::folder::{FolderOwner, has_file_of};
use crate::layout::{TASK, disk_size};
use crate::{Error, Limit, Limits, ProgramEnd, ResourceUsage};

/// The task's tmpfs: everything that it can write to. Gone when this is.
pub(super) struct Mounted;

impl Mounted {
    pub(super) fn new(kind: &SandboxKind, disk: u64, owner: FolderOwner) -> Result<Self, Error> {
        Self::of(&[kind], disk, owner)
    }

    /// The same for several that share folders.
    pub(super) fn of(kinds: &[&SandboxKind], disk: u64, owner: FolderOwner) -> Result<Self, Error> {
        let (disk, names) = disk_size(disk);
        mount_tmpfs_at(Path::new(TASK), &format!("size={disk},nr_inodes={names},mode=0755"))?;
        let mounted = Self;
        for (name, _) in kinds.iter().flat_map(|kind| kind.folders) {
            let path = Path::new(TASK).join(name);
            stage::make_folder(&path)?;
            chown(&path, Some(owner.uid), Some(owner.gid))
                .map_err(|errno| Error::setup("make the task's folders", errno))?;
        }
        Ok(mounted)
    }

    /// Grants so much beyond what it holds now.
    pub(super) fn grant(&self, disk: u64) -> Result<(), Error> {
        let wrong = |errno| Error::setup("size the task's disk", errno);
        let status = statvfs(TASK).map_err(wrong)?;
        let held = (status.blocks() - status.blocks_free()).saturating_mul(status.fragment_size());
        let (disk, names) = disk_size(disk);
        let (disk, names) = (disk.saturating_add(held), names.saturating_add(status.files() - status.files_free()));
        let options = format!("size={},nr_inodes={names}", disk.min(i64::MAX.cast_unsigned()));
        let flags = MsFlags::MS_REMOUNT | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(None::<&str>, TASK, None::<&str>, flags, Some(options.as_str())).map_err(wrong)
    }

    /// Whether the task filled its disk, and whether it may hold a file of the largest size.
    pub(super) fn filled(&self) -> Result<DiskUse, Error> {
        let status = statvfs(TASK).map_err(|errno| Error::setup("look at the task's disk", errno))?;
        let used = (status.blocks() - status.blocks_free()).saturating_mul(status.fragment_size());
        Ok(DiskUse { disk: status.blocks_available() == 0 || status.files_free() == 0, used })
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Detached: a forgotten descriptor delays the end of the tmpfs, not the next task.
        let _ = umount2(TASK, MntFlags::MNT_DETACH);
    }
}

/// What the task left on its disk.
pub(super) struct DiskUse {
    /// Whether there is no room left.
    pub(super) disk: bool,
    /// How much is used, in bytes.
    pub(super) used: u64,
}

impl DiskUse {
    /// The same where no single file is to be judged.
    pub(super) fn without_files(self) -> Self {
        Self { used: 0, ..self }
    }
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
