//! What all tests share: opening a sandbox, tasks that carry a mark, and looking for processes that
//! carry it.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use slopbench_sandbox::probe;
use slopbench_sandbox::{Limits, Namespaces, Observation, ProgramEnd, Runtime, Sandbox, Solution, Task};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

pub const MB: u64 = 1 << 20;

/// Limits that no honest test comes near.
pub const LIMITS: Limits = Limits {
    wall: Duration::from_secs(20),
    cpu: Duration::from_secs(20),
    memory: 256 * MB,
    processes: 32,
    file_size: 16 * MB,
    disk: 32 * MB,
    output: 4 * MB,
};

/// Prints what of other people's packages a program can import.
pub const THIRD_PARTY_PACKAGES: &str = "import sys, os
found = [name for folder in sys.path if folder.endswith('-packages') and os.path.isdir(folder) for name in os.listdir(folder)]
print(found)
import json, sqlite3, ctypes, ssl, multiprocessing, hashlib";

/// A sandbox with a solution, and the mark of its processes.
pub struct Box {
    pub sandbox: std::boxed::Box<dyn Sandbox>,
    pub dir: TempDir,
    pub mark: String,
}

/// Opens a sandbox, if this machine has one.
pub fn open() -> Option<Box> {
    open_with(&[("main.py", "print('main')")], |_| Vec::new(), &python())
}

pub fn python() -> Runtime {
    Runtime::python3().unwrap()
}

/// A mark that no other process has in its arguments.
pub fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("mark-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

pub fn open_with(files: &[(&str, &str)], hide: impl Fn(&Path) -> Vec<PathBuf>, runtime: &Runtime) -> Option<Box> {
    need(Need::Namespaces, probe::available())?;
    Some(Box::new(files, hide, |solution| std::boxed::Box::new(Namespaces::open(solution, runtime).unwrap())))
}

impl Box {
    /// Writes a solution, and opens a sandbox for it.
    pub fn new(
        files: &[(&str, &str)],
        hide: impl Fn(&Path) -> Vec<PathBuf>,
        open: impl FnOnce(&Solution) -> std::boxed::Box<dyn Sandbox>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let solution = Solution { dir: dir.path().to_owned(), hide: hide(dir.path()), ..Solution::default() };
        Self { sandbox: open(&solution), dir, mark: mark() }
    }

    pub fn task(&self, code: &str, limits: Limits) -> Task {
        Task::new(["python3", "-c", code, &self.mark], limits)
    }

    /// Runs a task, and sees to it that it ended in time and left no process.
    pub fn run(&mut self, task: &Task) -> Observation {
        let started = Instant::now();
        let observation = self.sandbox.run(task).unwrap();
        let took = started.elapsed();
        assert!(took < task.limits.wall + Duration::from_secs(1), "took {took:?}: {observation:?}");
        assert_eq!(marked(&self.mark), Vec::<u32>::new(), "left behind after {:?}", observation.end);
        observation
    }

    pub fn python(&mut self, code: &str, limits: Limits) -> Observation {
        let task = self.task(code, limits);
        self.run(&task)
    }

    /// Runs code that prints what it managed to do, and returns that.
    pub fn says(&mut self, code: &str) -> String {
        let observation = self.python(code, LIMITS);
        assert_eq!(observation.end, ProgramEnd::Exited(0), "{}", String::from_utf8_lossy(&observation.stderr));
        String::from_utf8(observation.stdout).unwrap().trim_end().to_owned()
    }
}

/// All processes with the mark among their arguments.
pub fn marked(mark: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    let with_mark = |pid: &u32| {
        let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        *pid != std::process::id() && String::from_utf8_lossy(&arguments).contains(mark)
    };
    pids.filter(with_mark).collect()
}

/// What is mounted on this machine, but for what comes and goes with other people's containers.
pub fn mounts() -> Vec<String> {
    let engines = ["/docker", "/containers", "/overlay2", "/netns", "/volumes"];
    let lines = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let lines = lines.lines().filter(|line| !engines.iter().any(|engine| line.contains(engine)));
    lines.map(str::to_owned).collect()
}

pub fn parent_of(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap()
}

/// Waits for something that must come true soon.
pub fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}
