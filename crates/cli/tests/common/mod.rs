//! Runs of the small problem in `tests/repository` with the real binary.

#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

pub(crate) mod provider;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// A copy of the small repository, and a folder for runs beside it.
pub(crate) struct Bench {
    pub(crate) dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// In memory where there is some: a disk takes minutes for tens of thousands of folders.
    pub(crate) fn in_memory() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(dir: TempDir) -> Self {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repository"), &dir.path().join("repository"));
        Self { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
        command.arg("--root").arg(self.path("repository")).args(args).current_dir(self.dir.path());
        // Not the catalogue of whoever runs the tests.
        command.env("XDG_CONFIG_HOME", self.path("configuration"));
        command
    }

    pub(crate) fn slopbench(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs `args` and gives the run's summary; `code` is the exit code expected.
    pub(crate) fn summary(&self, args: &[&str], code: i32) -> Value {
        let output = self.slopbench(&[&["--json"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What `args` fail with.
    pub(crate) fn error(&self, args: &[&str], code: i32) -> String {
        self.last_words(&self.slopbench(args), code)
    }

    /// The last line of what went to standard error, with `DIR` for this bench's folder.
    pub(crate) fn last_words(&self, output: &Output, code: i32) -> String {
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        let last = error.lines().last().unwrap();
        last.replace(&self.dir.path().canonicalize().unwrap().display().to_string(), "DIR")
    }

    /// The options of a run of the small agent in `slopcode/tests/agent` with a scripted model. It is put where it would be
    /// installed, under a name that has a lock file; `mood` says how it behaves.
    pub(crate) fn agent(&self, mood: &str) -> [String; 6] {
        let cache = self.path(&format!("agents-{mood}"));
        let place = cache.join("claude-code-2.1.329");
        let programs = place.join("node_modules/.bin");
        fs::create_dir_all(&programs).unwrap();
        let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slopcode/tests/agent/claude");
        fs::copy(agent, programs.join("claude")).unwrap();
        fs::write(programs.join("mood"), mood).unwrap();
        fs::write(place.join("complete"), "").unwrap();
        let cache = cache.display().to_string();
        ["--agent", "claude-code@2.1.329", "--model", "scripted", "--agents-dir", &cache].map(str::to_owned)
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// `states` of the first trajectory, and how many of its cases pass.
pub(crate) fn states(summary: &Value) -> Vec<(String, u64)> {
    let checkpoints = summary["trajectories"][0]["checkpoints"].as_array().unwrap();
    let passed = |row: &Value| {
        ["core", "functionality", "error", "regression"].map(|kind| row["counts"][kind]["passed"].as_u64().unwrap())
    };
    checkpoints.iter().map(|row| (row["state"].as_str().unwrap().to_owned(), passed(row).iter().sum())).collect()
}
