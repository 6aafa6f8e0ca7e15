//! What lives how long.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use slopbench_sandbox::session::Session;

use super::Bench;
use crate::common::{mark, marked, mounts, soon};

#[test]
fn output_is_in_its_file_while_the_program_runs() {
    let Some(bench) = Bench::new() else { return };
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let stopper = session.stopper().unwrap();
    let job = bench.job(&["bash", "-c", "echo now; sleep 1000"]);
    let running = thread::spawn(move || session.run(&job));
    soon("nothing came", || (bench.printed() == "now").then_some(()));
    // And the program ends when no one wants it any more.
    drop(stopper);
    running.join().unwrap().unwrap_err();
    soon("a process is left", || marked(&bench.mark).is_empty().then_some(()));
}

#[test]
fn daemons_end_with_the_program() {
    let Some(bench) = Bench::new() else { return };
    let daemon = "import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
open('/workspace/daemon', 'w').write('started')
time.sleep(1000)";
    let script = format!("python3 -c \"{daemon}\" {}; while ! test -s daemon; do sleep 0.01; done", bench.mark);
    bench.says(&["bash", "-c", &script]);
}

/// Not a test of its own: the harness that [`a_dead_harness_leaves_nothing`] kills.
#[test]
#[ignore = "run by another test"]
fn harness_to_be_killed() {
    let (Ok(mark), Some(mut bench)) = (env::var("SANDBOX_TEST_MARK"), Bench::new()) else { return };
    bench.mark = mark;
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let job = bench.job(&["python3", "-c", "import os, time\nos.fork()\nos.fork()\ntime.sleep(1000)"]);
    drop(session.run(&job));
}

#[test]
fn a_dead_harness_leaves_nothing() {
    if Bench::new().is_none() {
        return;
    }
    let (mark, scratch) = (mark(), tempfile::tempdir().unwrap());
    let before = mounts();
    let mut harness = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "sessions::lifetime::harness_to_be_killed"])
        .env("SANDBOX_TEST_MARK", &mark)
        // It will have no time to tidy up.
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    soon("the programs never ran", || (marked(&mark).len() == 4).then_some(()));
    harness.kill().unwrap();
    harness.wait().unwrap();
    soon("processes outlived the harness", || marked(&mark).is_empty().then_some(()));
    assert_eq!(mounts(), before);
    assert_eq!(fs::metadata(scratch.path()).unwrap().nlink(), 3, "the workspace, which is the harness' own");
}

#[test]
fn a_session_that_is_never_run_ends_at_once() {
    let Some(bench) = Bench::new() else { return };
    let started = Instant::now();
    drop(Session::open(&bench.place()).unwrap());
    assert!(started.elapsed() < Duration::from_secs(20));
}
