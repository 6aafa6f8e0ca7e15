//! Whom the kernel killed for want of memory, and who is to blame.

use std::fs;

use nix::libc;

use crate::{Error, Limit, Limits, ProgramEnd, ResourceUsage};

/// Where a container's own memory group tells of kills, by the two versions of the kernel's interface.
const OWN: [&str; 2] = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"];

/// Where the machine does. The worker's `/proc` is the machine's.
const MACHINE: [&str; 1] = ["/proc/vmstat"];

/// How many processes were killed so far, as far as that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kills {
    own: Option<u64>,
    machine: Option<u64>,
}

impl Kills {
    /// As of now.
    pub(super) fn now() -> Self {
        Self { own: told(&OWN), machine: told(&MACHINE) }
    }

    /// Whether the container's own group killed one since.
    pub(super) fn own_since(self) -> bool {
        self.own != told(&OWN)
    }

    /// What a program's end means that had these kills before it. What the container's own group killed was far beyond the
    /// limit. What the machine killed is judged if it had more than it may; if not, it may well be the victim.
    pub(super) fn judge(self, end: ProgramEnd, usage: &ResourceUsage, limits: &Limits) -> Result<ProgramEnd, Error> {
        let now = Self::now();
        match end {
            ProgramEnd::Limit(_) => Ok(end),
            _ if self.own != now.own => Ok(ProgramEnd::Limit(Limit::Memory)),
            ProgramEnd::Signalled(libc::SIGKILL) if self.machine == now.machine => Ok(end),
            ProgramEnd::Signalled(libc::SIGKILL) if usage.peak_memory > limits.memory => {
                Ok(ProgramEnd::Limit(Limit::Memory))
            }
            ProgramEnd::Signalled(libc::SIGKILL) => {
                let cause = "the machine ran out of memory, though the program kept its limit";
                Err(Error::setup("keep the program alive", cause))
            }
            _ => Ok(end),
        }
    }
}

fn told(places: &[&str]) -> Option<u64> {
    let text = places.iter().find_map(|path| fs::read_to_string(path).ok())?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::session::SessionJob;

    #[test]
    fn a_kill_while_the_machine_ran_out_of_memory_is_judged_by_what_the_program_had() {
        let limits = SessionJob::new(Vec::new(), Duration::ZERO).limits;
        let of = |peak_memory| ResourceUsage { peak_memory, ..ResourceUsage::default() };
        let (killed, now) = (ProgramEnd::Signalled(libc::SIGKILL), Kills::now());
        let fewer = Kills { machine: Some(u64::MAX), ..now };
        assert!(matches!(fewer.judge(killed, &of(limits.memory), &limits), Err(Error::Setup { .. })));
        assert_eq!(fewer.judge(killed, &of(limits.memory + 1), &limits), Ok(ProgramEnd::Limit(Limit::Memory)));
        // Another's.
        for end in [
            ProgramEnd::Exited(0),
            ProgramEnd::Exited(1),
            ProgramEnd::Signalled(libc::SIGSEGV),
            ProgramEnd::Limit(Limit::Wall),
        ] {
            assert_eq!(fewer.judge(end, &of(0), &limits), Ok(end), "{end:?}");
        }
        // The container's.
        let fewer = Kills { own: Some(u64::MAX), ..now };
        assert_eq!(fewer.judge(ProgramEnd::Exited(0), &of(0), &limits), Ok(ProgramEnd::Limit(Limit::Memory)));
    }

    #[test]
    fn the_machine_tells_its_oom_kills() {
        assert!(Kills::now().machine.is_some(), "since Linux 4.13");
    }
}
