//! The back end without protection.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{LIMITS, mark, marked, soon};
use slopbench_sandbox::{Collected, End, Entry, Error, Host, Limit, Limits, Sandbox, Task};

fn shell(code: &str, limits: Limits) -> Task {
    Task::new(["sh", "-c", code], limits)
}

#[test]
fn it_observes_as_the_sandbox_does() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("main.sh"), "read line; echo $line; echo e >&2; cp in out; kill -50 $$").unwrap();
    let mut host = Host::open(dir.path()).unwrap();
    let main = host.solution().join("main.sh").to_str().unwrap().to_owned();
    let mut task = Task::new(["sh", &main], LIMITS);
    task.stdin = b"input\n".to_vec();
    task.files = vec![("in".into(), Entry::File(b"bytes".to_vec()))];
    task.collect = vec!["out".into()];
    let seen = host.run(&task).unwrap();
    assert_eq!((seen.end, seen.stdout, seen.stderr), (End::Signalled(50), b"input\n".to_vec(), b"e\n".to_vec()));
    assert_eq!(seen.files["out"], Collected::File(b"bytes".to_vec()));
    assert_eq!(host.run(&shell("exit 3", LIMITS)).unwrap().end, End::Exited(3));
    assert_eq!(host.run(&Task::new(["./none"], LIMITS)).unwrap().end, End::Exited(127));
    assert!(matches!(host.run(&Task::new(["no-such-program"], LIMITS)), Err(Error::Program { .. })));
}

#[test]
fn it_keeps_wall_clock_and_output() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::open(dir.path()).unwrap();
    let mark = mark();
    let short = Limits { wall: Duration::from_millis(200), output: 1000, ..LIMITS };
    let seen = host.run(&shell(&format!(": {mark}; sleep 100 & sleep 100"), short)).unwrap();
    assert_eq!(seen.end, End::Limit(Limit::Wall));
    soon("processes stayed", || marked(&mark).is_empty().then_some(()));
    let seen = host.run(&shell("while :; do echo line; done", Limits { output: 1000, ..LIMITS })).unwrap();
    assert_eq!((seen.end, seen.stdout.len()), (End::Limit(Limit::Output), 1000));
}
