//! What the sandbox's processes take at one moment, read from the sandbox's own `/proc`.
//!
//! Used instead of cgroups, which an ordinary user cannot have everywhere: verdicts must not depend on who runs the benchmark.

use std::fs;
use std::time::Duration;

use nix::unistd::{SysconfVar, sysconf};

/// One look at all processes but process 1, who is looking.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// Processes, dead ones that no one waited for included.
    pub(super) processes: u32,
    /// Resident memory that is no file's, in bytes. Pages that processes share are counted for each of them.
    pub(super) memory: u64,
    /// Processor time of the living, and of the dead that they waited for.
    pub(super) cpu: Duration,
}

/// Takes a sample. A process that ends meanwhile is not counted.
pub(super) fn take() -> Sample {
    // 100 on every Linux that there is.
    let ticks =
        sysconf(SysconfVar::CLK_TCK).ok().flatten().and_then(|ticks| u64::try_from(ticks).ok()).unwrap_or(100).max(1);
    let mut sample = Sample::default();
    for pid in processes() {
        let Some(time) = fs::read_to_string(format!("/proc/{pid}/stat")).ok().as_deref().and_then(ticks_of) else {
            continue;
        };
        sample.processes += 1;
        sample.cpu += Duration::from_millis(time.saturating_mul(1000) / ticks);
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        sample.memory += kilobytes(&status, &["RssAnon:", "RssShmem:"]) << 10;
    }
    sample
}

/// Memory as in a sample, but with pages that several processes share divided among them. Exact, and much slower.
///
/// A process may refuse this look; then its own pages count in full.
pub(super) fn shared_memory() -> u64 {
    let of = |pid| {
        let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        if rollup.contains("Pss_Anon:") {
            return kilobytes(&rollup, &["Pss_Anon:", "Pss_Shmem:"]);
        }
        kilobytes(&fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default(), &["RssAnon:", "RssShmem:"])
    };
    processes().map(of).sum::<u64>() << 10
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| *pid != 1)
}

/// User and system time, own and of waited-for children: fields 14 to 17 of proc_pid_stat(5). The second field is a name in
/// brackets, which may itself hold blanks and brackets.
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
