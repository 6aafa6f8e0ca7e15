//! What a newcomer installs is one file: the binary alone, wherever it lies, tests solutions in both sandboxes.
//!
//! Skipped, saying why, where there are no namespaces; in containers, where no engine answers or it lacks the image.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::PathBuf, process::Command};

use common::Bench;
use serde_json::Value;
use slopbench_sandbox::probe;
use slopbench_test_support::{Need, need};

/// The binary without anything beside it, and a small repository.
struct Installation {
    bench: Bench,
    binary: PathBuf,
}

impl Installation {
    fn new() -> Self {
        let bench = Bench::new();
        let folder = bench.path("bin");
        fs::create_dir(&folder).unwrap();
        let binary = folder.join("slopbench");
        fs::copy(env!("CARGO_BIN_EXE_slopbench"), &binary).unwrap();
        Self { bench, binary }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--root").arg(self.bench.path("repository")).args(args).env_remove("SLOPBENCH_SANDBOX_WORKER");
        command
    }

    /// Tests the reference solution, and nothing is wrong with it.
    fn test(&self, sandbox: &[&str]) {
        let solution = self.bench.path("repository/problems/echo/solution/python/checkpoint_2");
        let suite = ["test", "echo", "--checkpoint", "2", "--solution", solution.to_str().unwrap()];
        let output = self.command(&[&suite[..], sandbox].concat()).output().unwrap();
        assert!(output.status.success(), "{sandbox:?}: {output:?}");
    }
}

#[test]
fn the_binary_alone_runs_solutions_in_namespaces() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    Installation::new().test(&["--sandbox", "namespaces"]);
}

#[test]
fn the_binary_alone_runs_solutions_in_containers() {
    let installation = Installation::new();
    let doctor = installation.command(&["--json", "doctor"]).output().unwrap();
    let found: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let has = |name: &str| found.as_array().unwrap().iter().any(|row| row["name"] == *name && row["found"] == true);
    let lacks = ["docker: engine", "docker: image for solutions"].into_iter().find(|name| !has(name));
    let complete = lacks.map_or(Ok(()), |name| Err(format!("`slopbench doctor` does not find {name}")));
    if need(Need::Docker, complete).is_some() {
        installation.test(&["--sandbox", "docker"]);
    }
}
