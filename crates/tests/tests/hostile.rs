//! Hostile solutions, from the case to the verdict, in the embedded sandbox. (What happens to each inside is tested
//! where the sandbox is; here it is about what the score says.)

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    num::NonZeroUsize,
    path::Path,
    time::{Duration, Instant},
};

use common::{CASE, problem, write};
use slopbench_sandbox::{Error, Limit, Namespaces, Runtime, Sandbox, Solution};
use slopbench_tests::{Engine, Problem, Verdict};

const LIMITS: &str = "
[limits]
wall_ms = 3000
cpu_ms = 500
memory_mb = 64
processes = 8
disk_mb = 8
file_mb = 4
output_kb = 64
";

/// The verdict on a solution of one case, which expects `hello` and exit code 0.
fn verdict(source: &str) -> Verdict {
    verdict_within(LIMITS, source)
}

fn verdict_within(limits: &str, source: &str) -> Verdict {
    let dir = problem();
    write(dir.path(), "checkpoint_1/cases/word.toml", format!("{CASE}{limits}"));
    write(dir.path(), "solution/echo.py", source);
    let problem = Problem::load(dir.path()).unwrap();
    let runtime = Runtime::python3().unwrap();
    let open = |solution: &Path| -> Result<Box<dyn Sandbox>, Error> {
        let solution = Solution { dir: solution.to_path_buf(), hide: vec![dir.path().to_path_buf()] };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    };
    let engine = Engine { open: &open, jobs: NonZeroUsize::MIN };
    let cases: Vec<_> = problem.suite(1).into_iter().filter(|case| case.id.as_str().ends_with("word")).collect();
    let started = Instant::now();
    let outcome = engine.run(&problem, &cases, &dir.path().join("solution"), &|_| {}).unwrap().remove(0);
    if limits == LIMITS {
        assert!(started.elapsed() < Duration::from_secs(4), "within the limit plus one second: {source}");
    }
    assert_eq!(outcome.infrastructure, None, "{source}");
    outcome.verdict
}

fn wrong(what: &[&str]) -> Verdict {
    Verdict::Fail { mismatches: what.iter().map(|what| (*what).to_owned()).collect() }
}

#[test]
fn an_honest_solution_passes() {
    assert_eq!(verdict("import sys\nprint(sys.argv[1])\n"), Verdict::Pass);
}

#[test]
fn limits_are_told_apart_from_wrong_answers() {
    for (source, limit) in [
        ("import time\nprint('hello', flush=True)\ntime.sleep(60)\n", Limit::Wall),
        ("while True: pass\n", Limit::Cpu),
        ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n", Limit::Processes),
        ("data = []\nwhile True: data.append(b'x' * 2**20)\n", Limit::Memory),
        ("import sys\nwhile True: sys.stdout.write('x' * 2**16)\n", Limit::Output),
        ("for n in range(9):\n    open(f'f{n}', 'wb').write(b'x' * 2**20)\n", Limit::Disk),
        ("open('f', 'wb').write(b'x' * 2**23)\n", Limit::FileSize),
    ] {
        assert_eq!(verdict(source), Verdict::Limit { limit }, "{source}");
    }
}

#[test]
fn crashes_are_told_apart_from_wrong_answers() {
    for (source, signal) in [
        ("import os\nos.abort()\n", 6),
        ("import os\nos.kill(0, 9)\n", 9),
        ("import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\nos.kill(os.getpid(), 9)\n", 9),
    ] {
        assert_eq!(verdict(source), Verdict::Crashed { signal }, "{source}");
    }
}

#[test]
fn a_daemon_dies_with_its_case_and_changes_nothing() {
    let source = "import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nprint(sys.argv[1])\n";
    assert_eq!(verdict(source), Verdict::Pass);
}

#[test]
fn what_the_sandbox_refuses_is_the_solutions_own_error() {
    for source in [
        "open('/usr/hello', 'w')\n",
        "open('/solution/hello', 'w')\n",
        "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=1)\n",
    ] {
        assert_eq!(verdict(source), wrong(&["exit code", "stdout"]), "{source}");
    }
}

/// Finds no file that holds what the case expects, wherever it looks.
#[test]
fn the_expectation_is_nowhere_to_be_read() {
    let source = r#"
import os
for folder, _, files in os.walk('/'):
    if folder.startswith(('/usr', '/proc/', '/dev')):
        continue
    for name in files:
        if name.endswith('.toml') and 'slopbench' in open(os.path.join(folder, name), errors='replace').read():
            print('hello')
            raise SystemExit
"#;
    // To look everywhere takes its time.
    assert_eq!(verdict_within("", source), wrong(&["stdout"]));
}
