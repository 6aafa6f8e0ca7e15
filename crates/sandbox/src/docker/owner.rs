//! Whose a container is, so that what a dead harness left can be told from what a living one uses.

use std::fs;
use std::process;

/// The label that every container and volume of ours carries. Its value says whose it is.
pub(super) const LABEL: &str = "slopbench.harness";

/// A process, so exactly that no later one is taken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnerProcess {
    /// Which machine, which of its boots, and which of its process namespaces: process numbers mean something there
    /// only.
    place: [String; 3],
    pid: u32,
    /// When it started, in the kernel's ticks since boot: numbers are used again.
    started: String,
}

impl OwnerProcess {
    /// This process.
    pub(super) fn this() -> Self {
        let line = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let place = [
            line("/etc/machine-id"),
            line("/proc/sys/kernel/random/boot_id"),
            namespace.display().to_string().replace('/', "_"),
        ];
        let pid = process::id();
        Self { place, pid, started: started(pid).unwrap_or_default() }
    }

    /// As a label's value.
    pub(super) fn label(&self) -> String {
        let [machine, boot, namespace] = &self.place;
        format!("{machine}/{boot}/{namespace}/{}/{}", self.pid, self.started)
    }

    /// Whether the owner named by a label is known to be dead. Nothing is known of other machines, of other process
    /// namespaces, and of labels that are not ours.
    pub(super) fn knows_to_be_dead(&self, label: &str) -> bool {
        let parts: Vec<_> = label.split('/').collect();
        let [machine, boot, namespace, pid, its_start] = parts.as_slice() else {
            return false;
        };
        let [own_machine, own_boot, own_namespace] = &self.place;
        if machine != own_machine || machine.is_empty() {
            return false;
        }
        if boot != own_boot {
            return true;
        }
        let Ok(pid) = pid.parse() else { return false };
        namespace == own_namespace && started(pid).is_none_or(|started| started != *its_start)
    }
}

/// When a process started: field 22 of proc_pid_stat(5). Nothing, if there is none.
fn started(pid: u32) -> Option<String> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (_, fields) = stat.rsplit_once(')')?;
    let dead = fields.trim_start().starts_with(['Z', 'X']);
    fields.split_ascii_whitespace().nth(19).filter(|_| !dead).map(str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_dead_of_this_place_are_known_to_be_dead() {
        let mut this = OwnerProcess::this();
        // Some machines have no id.
        this.place[0] = "machine".into();
        assert!(!this.knows_to_be_dead(&this.label()), "this process lives");

        let mut child = process::Command::new("true").spawn().unwrap();
        let dead = OwnerProcess { pid: child.id(), started: "1".into(), ..this.clone() };
        child.wait().unwrap();
        assert!(this.knows_to_be_dead(&dead.label()), "it has ended");
        let namesake = OwnerProcess { started: "1".into(), ..this.clone() };
        assert!(this.knows_to_be_dead(&namesake.label()), "its number is used again");

        let elsewhere = |index: usize| {
            let mut other = dead.clone();
            other.place[index] = "other".into();
            this.knows_to_be_dead(&other.label())
        };
        assert_eq!([0, 1, 2].map(elsewhere), [false, true, false], "another machine, boot, process namespace");
        assert!(!this.knows_to_be_dead("something else"));
    }
}
