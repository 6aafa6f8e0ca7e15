//! What agents leave behind that breaks simpler harnesses: none of it breaks a run, or gives anybody a way in.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use common::{Bench, states};
use serde_json::{Value, json};

fn record(bench: &Bench) -> Value {
    let session = "out/units/echo--command--just-solve--1/checkpoint_1/session/session.json";
    serde_json::from_slice(&fs::read(bench.path(session)).unwrap()).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

/// The workspace that the first session left.
fn tree(bench: &Bench) -> PathBuf {
    bench.path("out/trees").join(record(bench)["workspace"].as_str().unwrap())
}

#[test]
fn no_depth_no_length_and_no_number_of_what_an_agent_leaves_breaks_a_run() {
    let bench = Bench::in_memory();
    let code = "
import os
def dig(top, name, levels):
    at = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=at)
        below = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open('file', os.O_CREAT, dir_fd=at))
dig(os.environ['HOME'], 'd', 30_000)
dig('.', 'e', 30_000)
dig('.', 'l' * 200, 20)
for number in range(2000):
    os.mkfifo(f'fifo-{number}')
    os.mkdir(f'{number}')
open('echo.py', 'w').write('print(1)\\n')
";
    let args = ["run", "--agent", "command", "--out", "out", "--", "python3", "-c", code];
    let summary = bench.summary(&args, 0);
    assert_eq!(states(&summary)[0].0, "done");
    let record = record(&bench);
    assert_eq!(record["not_kept"]["count"], json!({"fifo": 2000, "too-long": 2}));
    assert_eq!(record["not_kept"]["named"].as_array().unwrap().len(), 100);
    assert_eq!(fs::read_to_string(tree(&bench).join("echo.py")).unwrap(), "print(1)\n");
    assert!(!bench.path("out/scratch").exists());
    let written = fs::read(bench.path("out/summary.json")).unwrap();
    // And one that was killed is resumed: all of that is still in the way of the next process.
    let run = bench.path("out/units");
    fs::remove_dir_all(&run).unwrap();
    dig(&bench.path("out/scratch/left/home"), 30_000);
    bench.summary(&["resume", "out"], 0);
    assert_eq!(fs::read(bench.path("out/summary.json")).unwrap(), written);
}

fn dig(folder: &Path, levels: usize) {
    fs::create_dir_all(folder).unwrap();
    let mut cursor = slopbench_walk::Cursor::new(slopbench_walk::open(folder).unwrap());
    for _ in 0..levels {
        let here = std::os::fd::AsRawFd::as_raw_fd(&cursor.folder());
        fs::create_dir(format!("/proc/self/fd/{here}/d")).unwrap();
        cursor.down(c"d").unwrap();
    }
}

#[test]
fn nobody_else_finds_the_way_to_where_an_agent_works_and_nothing_there_names_its_task() {
    let bench = Bench::new();
    let script = "cat /proc/self/mountinfo > mounts; cp /bin/true program; chmod 6755 program; chmod 755 .
        touch ready; while ! test -e go; do sleep 0.02; done; rm ready go; echo 'print(1)' > echo.py";
    let args = ["run", "--agent", "command", "--out", "out", "--", "sh", "-c", script];
    thread::scope(|scope| {
        let running = scope.spawn(|| bench.summary(&args, 0));
        let scratch = bench.path("out/scratch");
        let until = Instant::now() + Duration::from_secs(60);
        // Each of the two checkpoints.
        while !running.is_finished() {
            assert!(Instant::now() < until, "no session began");
            thread::sleep(Duration::from_millis(20));
            for session in fs::read_dir(&scratch).into_iter().flatten().flatten() {
                if session.path().join("workspace/ready").exists() {
                    assert_eq!((mode(&scratch), mode(&session.path())), (0o700, 0o700));
                    // The session may have ended just now.
                    let _ = fs::write(session.path().join("workspace/go"), "");
                }
            }
        }
        running.join().unwrap();
    });
    let tree = tree(&bench);
    assert_eq!(mode(&tree.join("program")), 0o755);
    let mounts = fs::read_to_string(tree.join("mounts")).unwrap();
    assert!(mounts.contains("/workspace") && mounts.contains("/scratch/"), "{mounts}");
    for name in ["echo--", "command--", "just-solve"] {
        assert!(!mounts.contains(name), "{mounts}");
    }
}
