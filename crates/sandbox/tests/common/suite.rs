//! A test suite that starts the solution itself: a Python script stands for pytest.

use std::fs;
use std::time::{Duration, Instant};

use slopbench_sandbox::suite::{Suite, SuiteLayout, SuiteObservation};
use slopbench_sandbox::{Limits, ProgramEnd};

use super::{Box, LIMITS, marked};

/// What every suite here begins with: `launch` starts Python code in the solution's room, `launcher` stands before a program.
const PRELUDE: &str = "
import json, os, pty, signal, socket, subprocess, sys, threading, time
launcher, mark = json.loads(sys.argv[1]), sys.argv[2]
def argv(code): return [*launcher, 'python3', '-c', code, mark]
def launch(code, **options):
    options.setdefault('capture_output', True)
    return subprocess.run(argv(code), text=True, **options)
def says(code, **options):
    ended = launch(code, **options)
    assert ended.returncode == 0, ended
    return ended.stdout.strip()
def report(text):
    os.write(int(os.environ['SLOPBENCH_REPORT_FD']), text.encode())
def until(look):
    for _ in range(1000):
        if look(): return True
        time.sleep(0.01)
    raise AssertionError('never came true')
";

/// Words that no program of the solution may come upon.
pub const CANARY: &str = "canary-of-the-suite";

/// Limits of a suite, which takes as long as all its tests.
pub const SUITE_LIMITS: Limits = Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(60), ..LIMITS };

/// A suite with this script, an asset that both rooms have, and a secret that one has.
pub fn suite(code: &str, limits: Limits) -> (tempfile::TempDir, Suite) {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    for folder in ["suite/tests/assets/words", "environment/bin"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    fs::write(at("suite/suite.py"), format!("# {CANARY}\n{PRELUDE}\n{code}")).unwrap();
    fs::write(at("suite/tests/assets/words/list"), "word").unwrap();
    fs::write(at("suite/tests/expected"), CANARY).unwrap();
    fs::write(at("environment/secret"), CANARY).unwrap();
    let suite = Suite {
        folder: at("suite"),
        shared: vec!["tests/assets/words".into()],
        environment: at("environment"),
        env: [("SECRET".to_owned(), CANARY.to_owned())].into(),
        limits,
    };
    (dir, suite)
}

/// The suite's command, whose processes carry this mark.
pub fn command(mark: &str) -> impl Fn(&SuiteLayout<'_>) -> Vec<String> {
    move |layout| {
        let script = layout.folder.join("suite.py").display().to_string();
        let launcher = serde_json::to_string(layout.launcher).unwrap();
        vec!["python3".to_owned(), "-Pu".into(), script, launcher, mark.to_owned()]
    }
}

/// Runs a suite, and sees to it that it ended in time and left no process.
pub fn play_within(b: &mut Box, code: &str, limits: Limits) -> SuiteObservation {
    let (_dir, suite) = suite(code, limits);
    let started = Instant::now();
    let seen = b.sandbox.play_suite(&suite, &command(&b.mark)).unwrap();
    assert!(started.elapsed() < limits.wall + Duration::from_secs(15), "took {:?}", started.elapsed());
    assert_eq!(marked(&b.mark), Vec::<u32>::new(), "left behind after {:?}", seen.end);
    seen
}

/// Runs a suite to its good end. Returns what it reported.
pub fn play(b: &mut Box, code: &str) -> String {
    let seen = play_within(b, code, SUITE_LIMITS);
    let said = || format!("{}{}", String::from_utf8_lossy(&seen.stdout), String::from_utf8_lossy(&seen.stderr));
    assert_eq!(seen.end, ProgramEnd::Exited(0), "{}", said());
    String::from_utf8(seen.report).unwrap()
}
