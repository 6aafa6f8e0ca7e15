//! Verdicts on programs that really compete for processors.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{num::NonZeroUsize, path::Path};

use common::{CASE, PROBLEM, write};
use slopbench_sandbox::{Error, Namespaces, Runtime, Sandbox, Solution};
use slopbench_tests::{Engine, Gate, Problem, Verdict, pytest::no_environments};

/// Computes for this many seconds of processor time.
const SOLUTION: &str = "import time\nwhile time.process_time() < 1: pass\nprint('hello')\n";

/// Each needs a third of its wall clock alone, and more than all of it beside this many others per processor.
const CASES_PER_PROCESSOR: usize = 5;

/// Heavy, and in need of a machine that is otherwise idle: `cargo xtask company`.
#[test]
#[ignore = "heavy: needs an otherwise idle machine"]
fn verdicts_do_not_depend_on_the_number_of_jobs() {
    let dir = tempfile::tempdir().unwrap();
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let count = CASES_PER_PROCESSOR * processors;
    let first = PROBLEM.find("\n[[checkpoints]]\ntitle = \"Numbers\"").unwrap();
    write(dir.path(), "problem.toml", &PROBLEM[..first]);
    write(dir.path(), "checkpoint_1/spec.md", "Echo words.");
    write(dir.path(), "solution/echo.py", SOLUTION);
    for number in 0..count {
        write(dir.path(), &format!("checkpoint_1/cases/word{number}.toml"), CASE);
    }
    let problem = Problem::load(dir.path()).unwrap();
    let runtime = Runtime::python3().unwrap();
    let open = |solution: &Path, _: Option<&Path>| -> Result<Box<dyn Sandbox>, Error> {
        let solution = Solution { dir: solution.to_path_buf(), ..Solution::default() };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    };
    let gate = Gate::default();
    for jobs in [processors, count] {
        let engine =
            Engine { open: &open, jobs: NonZeroUsize::new(jobs).unwrap(), environments: &no_environments, gate: &gate };
        let outcomes = engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &|_| {}).unwrap();
        let failed: Vec<_> = outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Pass).collect();
        assert!(failed.is_empty(), "with {jobs} jobs: {failed:?}");
    }
}
