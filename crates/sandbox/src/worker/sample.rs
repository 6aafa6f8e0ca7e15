//! What the sandbox's processes take at one moment, read from the sandbox's own `/proc`.
//!
//! Used instead of cgroups, which an ordinary user cannot have everywhere: verdicts must not depend
//! on who runs the benchmark.

use std::fs;
use std::time::Duration;

use nix::unistd::{SysconfVar, sysconf};

use crate::sys;

/// One look at all processes but process 1, who is looking.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// Processes, dead ones that no one waited for included.
    pub(super) processes: u32,
    /// Their memory. Pages that processes share are counted for each of them.
    pub(super) memory: MemorySample,
    /// Processor time of the living, and of the dead that they waited for.
    pub(super) cpu: Duration,
}

/// Memory that is no file's, resident or swapped out, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemorySample {
    /// What processes have for themselves, and the tables of all their pages.
    own: u64,
    /// What they have in memory that they may share.
    shared: u64,
}

impl MemorySample {
    /// All of it, where all shared memory that there is, in page tables or not, is known to be `shared`.
    pub(super) fn with(self, shared: u64) -> u64 {
        self.own.saturating_add(self.shared.max(shared))
    }

    fn add(&mut self, other: Self) {
        self.own += other.own;
        self.shared += other.shared;
    }
}

/// The lines of /proc/pid/status that make up a process's own memory. Swapped is not resident, but was
/// written all the same.
const OWN: [&str; 4] = ["RssAnon:", "VmSwap:", "HugetlbPages:", "VmPTE:"];

/// What it may share, there.
const OWN_SHARED: [&str; 1] = ["RssShmem:"];

/// The same in /proc/pid/smaps_rollup, where a page counts for each of its users only in part.
const PART: [&str; 4] = ["Pss_Anon:", "SwapPss:", "Shared_Hugetlb:", "Private_Hugetlb:"];

/// What it may share, there.
const PART_SHARED: [&str; 1] = ["Pss_Shmem:"];

/// What is there in its status alone.
const TABLES: [&str; 1] = ["VmPTE:"];

/// Takes a sample. A process that ends meanwhile is not counted.
pub(super) fn take() -> Sample {
    // 100 on every Linux that there is.
    let ticks = sysconf(SysconfVar::CLK_TCK).ok().flatten();
    let ticks = ticks.and_then(|ticks| u64::try_from(ticks).ok()).unwrap_or(100).max(1);
    let mut sample = Sample::default();
    for pid in processes() {
        let Some(time) = text(format!("/proc/{pid}/stat")).as_deref().and_then(ticks_of) else {
            continue;
        };
        sample.processes += 1;
        sample.cpu += Duration::from_millis(time.saturating_mul(1000) / ticks);
        sample.memory.add(memory_of(pid));
    }
    sample
}

/// Memory as in a sample, but pages that several processes share are divided among them, and
/// processes that are one but for their numbers (`vfork` before `exec`, by which Python starts
/// programs) count once. Exact, and much slower.
///
/// A process may refuse this look; then its own pages count in full.
pub(super) fn shared_memory() -> MemorySample {
    let mut seen: Vec<u32> = Vec::new();
    let mut sum = MemorySample::default();
    for pid in processes() {
        if seen.iter().any(|other| sys::same_memory(pid, *other)) {
            continue;
        }
        seen.push(pid);
        let rollup = text(format!("/proc/{pid}/smaps_rollup"));
        let rollup = rollup.filter(|rollup| rollup.contains("Pss_Anon:"));
        sum.add(rollup.map_or_else(
            || memory_of(pid),
            |rollup| {
                let tables = text(format!("/proc/{pid}/status")).map_or(0, |status| kilobytes(&status, &TABLES));
                let (own, shared) = (kilobytes(&rollup, &PART) + tables, kilobytes(&rollup, &PART_SHARED));
                MemorySample { own: own << 10, shared: shared << 10 }
            },
        ));
    }
    sum
}

/// The memory of one process. If its first thread has ended, which leaves the process
/// without memory in its own entry, another thread's entry tells.
fn memory_of(pid: u32) -> MemorySample {
    let known = |path| text(path).filter(|status| status.contains("RssAnon:"));
    let of_thread =
        || numbers(&format!("/proc/{pid}/task")).find_map(|thread| known(format!("/proc/{pid}/task/{thread}/status")));
    let status = known(format!("/proc/{pid}/status")).or_else(of_thread);
    let status = status.unwrap_or_default();
    MemorySample { own: kilobytes(&status, &OWN) << 10, shared: kilobytes(&status, &OWN_SHARED) << 10 }
}

/// All processes but process 1.
pub(super) fn processes() -> impl Iterator<Item = u32> {
    numbers("/proc").filter(|pid| *pid != 1)
}

/// The process that a thread is one of.
pub(super) fn process_of(thread: u32) -> Option<u32> {
    let status = text(format!("/proc/{thread}/status"))?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}

/// The entries of a folder that are numbers.
pub(super) fn numbers(folder: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// A process names itself, with any bytes: one whose name is no UTF-8 must not get out of the
/// books.
fn text(path: String) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// User and system time, own and of waited-for children: fields 14 to 17 of proc_pid_stat(5). The
/// second field is a name in brackets, which may itself hold blanks and brackets.
fn ticks_of(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().ok()).sum()
}

/// The sum of these lines, each "name: number kB".
fn kilobytes(text: &str, names: &[&str]) -> u64 {
    let line = |line: &str| {
        let (name, rest) = line.split_once(char::is_whitespace)?;
        names.contains(&name).then(|| rest.trim().trim_end_matches(" kB").parse::<u64>().ok()).flatten()
    };
    text.lines().filter_map(line).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_cannot_name_itself_out_of_the_books() {
        let stat = "7 (a) R 1 (b) R 1 7 7 0 -1 4194304 100 0 0 0 11 22 33 44 20 0 1 0 5 0 0";
        assert_eq!(ticks_of(stat), Some(110));
        assert_eq!(ticks_of("7 (cut"), None);
    }

    #[test]
    fn kilobytes_are_summed_by_name() {
        let status = "Name:\tRssAnon: 7 kB\nVmRSS:\t  900 kB\nRssAnon:\t     512 kB\nRssShmem:\t       4 kB\n";
        assert_eq!(kilobytes(status, &["RssAnon:", "RssShmem:"]), 516);
    }
}
