//! What a killed harness may leave on a machine.
//!
//! Watched are all processes in process namespaces of their own or of our names, mounts, control groups, Docker's
//! containers, volumes and networks, and the folder for temporary files: what watches belongs on a machine where nobody
//! else uses them.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use walkdir::WalkDir;

/// How long what was killed may take to vanish: an engine removes containers when it has time.
const PATIENCE: Duration = Duration::from_secs(60);

/// What may stay behind, one line each.
pub(crate) struct Traces(BTreeSet<String>);

impl Traces {
    pub(crate) fn of(scratch: &Path) -> io::Result<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo")?;
        let mut traces: BTreeSet<_> = mounts.lines().map(|line| format!("mount {line}")).collect();
        traces.extend(processes()?);
        let groups = WalkDir::new("/sys/fs/cgroup").max_depth(4).into_iter().flatten();
        let groups = groups.filter(|entry| entry.file_type().is_dir());
        traces.extend(groups.map(|entry| format!("control group {}", entry.path().display())));
        let left = fs::read_dir(scratch)?.map(|entry| Ok(format!("file {}", entry?.path().display())));
        traces.extend(left.collect::<io::Result<Vec<_>>>()?);
        for (kind, list) in [
            ("container", &["ps", "--all", "--format", "{{.ID}} {{.Names}}"][..]),
            ("volume", &["volume", "ls", "--format", "{{.Name}}"]),
            ("network", &["network", "ls", "--format", "{{.ID}} {{.Name}}"]),
        ] {
            // Where there is no engine, nothing is left in it.
            let Ok(output) = Command::new("docker").args(list).stderr(Stdio::null()).output() else { continue };
            traces.extend(String::from_utf8_lossy(&output.stdout).lines().map(|line| format!("{kind} {line}")));
        }
        Ok(Self(traces))
    }

    /// What is there now and was not before, once it has had the time to go.
    pub(crate) fn left_after(&self, scratch: &Path) -> io::Result<Vec<String>> {
        let started = Instant::now();
        loop {
            let left: Vec<_> = Self::of(scratch)?.0.difference(&self.0).cloned().collect();
            let gone = left.iter().all(|trace| trace.starts_with("volume "));
            if gone || started.elapsed() > PATIENCE {
                return Ok(left);
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Processes whose folder for temporary files is this one, once they have had the time to go. A sandbox's worker is one, and those in its
/// sandbox end with it.
pub(crate) fn processes_of(temporary: &Path) -> io::Result<Vec<String>> {
    let variable = format!("TMPDIR={}", temporary.display());
    let is_of = |path: &PathBuf| {
        let variables = fs::read(path.join("environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
    };
    let started = Instant::now();
    loop {
        let all = fs::read_dir("/proc")?.filter_map(|entry| Some(entry.ok()?.path()));
        let left: Vec<_> = all.filter(is_of).map(|path| format!("process {}", path.display())).collect();
        if left.is_empty() || started.elapsed() > PATIENCE {
            return Ok(left);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Processes of our name, and those that live in a process namespace other than ours.
fn processes() -> io::Result<Vec<String>> {
    let ours = fs::read_link("/proc/self/ns/pid")?;
    let entries = fs::read_dir("/proc")?.filter_map(|entry| Some(entry.ok()?.path()));
    let look = |path: PathBuf| {
        // Who ends meanwhile is none that stays.
        let name = fs::read_to_string(path.join("comm")).ok()?;
        let foreign = fs::read_link(path.join("ns/pid")).is_ok_and(|namespace| namespace != ours);
        let pid = path.file_name()?.to_string_lossy().into_owned();
        (foreign || name.starts_with("slopbench")).then(|| format!("process {pid} {}", name.trim()))
    };
    Ok(entries.filter_map(look).collect())
}
