//! What playing a case costs over running the same program bare.
//!
//! Both benchmarks run the same Python program 30 times, one after the other: once as a plain child process with its
//! output captured, once as a suite of 30 cases, the opening of the sandbox included. The difference of the two
//! medians, divided by 30, is what sandbox and engine together add to a case; it is to stay below 25 ms. The bare runs
//! are spared the search for third-party packages (`-S`), which the sandbox hides: the difference is never flattered.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::Command,
};

use divan::Bencher;
use slopbench_sandbox::{Error, Namespaces, Runtime, Sandbox, Solution};
use slopbench_tests::{Engine, Gate, Problem, Verdict, pytest::no_environments};
use tempfile::TempDir;

const CASES: usize = 30;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 11, sample_size = 1)]
fn bare(bencher: Bencher<'_, '_>) {
    let dir = problem();
    let runtime = Runtime::python3().unwrap();
    let python = runtime.path.iter().map(|folder| folder.join("python3")).find(|path| path.is_file()).unwrap();
    let solution = solution(&dir).join("echo.py");
    bencher.counter(CASES).bench_local(|| {
        for _ in 0..CASES {
            let mut command = Command::new(&python);
            command.args([Path::new("-S"), &solution]).arg("hello").env("PYTHONDONTWRITEBYTECODE", "1");
            let output = command.output().unwrap();
            assert_eq!(output.stdout, b"hello\n");
        }
    });
}

#[divan::bench(sample_count = 11, sample_size = 1)]
fn suite(bencher: Bencher<'_, '_>) {
    let dir = problem();
    let runtime = Runtime::python3().unwrap();
    let problem = Problem::load(dir.path()).unwrap();
    let open = |dir: &Path, assets: Option<&Path>| -> Result<Box<dyn Sandbox>, Error> {
        let (dir, assets) = (dir.to_path_buf(), assets.map(Path::to_path_buf));
        let solution = Solution { dir, assets, ..Solution::default() };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    };
    let engine =
        Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
    let (cases, solution) = (problem.suite(1), solution(&dir));
    bencher.counter(CASES).bench_local(|| {
        let outcomes = engine.run(&problem, &cases, &solution, &|_| {}).unwrap();
        assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Pass));
    });
}

fn solution(dir: &TempDir) -> PathBuf {
    dir.path().join("solution")
}

fn problem() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, content: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("problem.toml", PROBLEM);
    write("checkpoint_1/spec.md", "Echo the argument.");
    write("solution/echo.py", "import sys\n\nprint(sys.argv[1])\n");
    (0..CASES).for_each(|number| write(&format!("checkpoint_1/cases/case_{number}.toml"), CASE));
    dir
}

const PROBLEM: &str = r#"
format = "slopbench.problem/2"
title = "Echo"
kind = "cli"
entry = "echo"

[[checkpoints]]
title = "Words"
"#;

const CASE: &str = r#"
format = "slopbench.case/1"
title = "A word comes back"
category = "core"
args = ["hello"]

[expect]
exit_code = 0

[expect.stdout]
text = "hello\n"
"#;
