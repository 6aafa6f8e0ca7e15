//! Who dies when, and that nothing stays.
#![allow(clippy::unwrap_used)]

mod common;

use std::env;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::suite::{SUITE_LIMITS, command, play, suite};
use common::{LIMITS, mark, marked, mounts, open, open_with, parent_of, python, soon};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use slopbench_sandbox::probe::FeatureState;
use slopbench_sandbox::{Error, Limit, Limits, Namespaces, ProgramEnd, Runtime, Solution, Task};
use slopbench_test_support::{Need, need};

fn shoot(pid: u32) {
    kill(Pid::from_raw(pid.try_into().unwrap()), Signal::SIGKILL).unwrap();
}

fn alive(pid: u32) -> bool {
    // Zombies are not alive; their parent may be a slow init.
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.starts_with(" Z"))
}

#[test]
fn eight_at_once() {
    if open().is_none() {
        return;
    }
    let runtime = python();
    thread::scope(|scope| {
        for n in 0..8 {
            let runtime = &runtime;
            scope.spawn(move || {
                let mut b = open_with(&[], |_| Vec::new(), runtime).unwrap();
                for round in 0..10 {
                    let code = format!(
                        "import os; open('f', 'w').write('{n} {round}'); print(open('f').read(), os.listdir())"
                    );
                    assert_eq!(b.says(&code), format!("{n} {round} ['f']"));
                }
                let limits = Limits { wall: Duration::from_millis(300), ..LIMITS };
                assert_eq!(b.python("import time; time.sleep(100)", limits).end, ProgramEnd::Limit(Limit::Wall));
            });
        }
    });
}

#[test]
fn a_sandbox_outlives_the_thread_that_opened_it() {
    let opened = thread::spawn(open).join().unwrap();
    let Some(mut b) = opened else { return };
    thread::sleep(Duration::from_millis(50));
    assert_eq!(b.says("print('alive')"), "alive");
}

#[test]
fn a_dead_worker_is_an_error_and_no_verdict() {
    let Some(mut b) = open() else { return };
    let mark = b.mark.clone();
    let killer = thread::spawn(move || {
        let program = soon("the program never ran", || marked(&mark).first().copied());
        let init = parent_of(program);
        shoot(parent_of(init));
        (program, init)
    });
    let started = Instant::now();
    let task = b.task("import time; time.sleep(1000)", LIMITS);
    let error = b.sandbox.run(&task).unwrap_err();
    assert!(matches!(&error, Error::WorkerLost { cause } if cause.contains("signal: 9")), "{error}");
    assert!(started.elapsed() < Duration::from_secs(10));
    let (program, init) = killer.join().unwrap();
    soon("processes outlived the worker", || (!alive(program) && !alive(init)).then_some(()));
    assert!(matches!(b.sandbox.run(&Task::new(["true"], LIMITS)), Err(Error::WorkerLost { .. })));
}

#[test]
fn a_dead_process_1_is_an_error_and_no_verdict() {
    let Some(mut b) = open() else { return };
    let mark = b.mark.clone();
    let killer =
        thread::spawn(move || shoot(parent_of(soon("the program never ran", || marked(&mark).first().copied()))));
    let task = b.task("import time; time.sleep(1000)", LIMITS);
    assert!(matches!(b.sandbox.run(&task), Err(Error::Setup { .. })));
    killer.join().unwrap();
    assert_eq!(marked(&b.mark), Vec::<u32>::new());
    // The worker goes on.
    assert_eq!(b.says("print(1)"), "1");
}

/// Not a test of its own: the harness that [`a_dead_harness_leaves_nothing`] kills.
#[test]
#[ignore = "run by another test"]
fn harness_to_be_killed() {
    let Ok(mark) = env::var("SANDBOX_TEST_MARK") else {
        return;
    };
    let mut b = open().unwrap();
    b.mark = mark;
    let task = b.task(
        "import os, time\nos.fork()\nos.fork()\ntime.sleep(1000)",
        Limits { wall: Duration::from_secs(60), ..LIMITS },
    );
    let _ = b.sandbox.run(&task);
}

#[test]
fn a_dead_harness_leaves_nothing() {
    if open().is_none() {
        return;
    }
    let (mark, scratch) = (mark(), tempfile::tempdir().unwrap());
    let mut harness = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "harness_to_be_killed"])
        .env("SANDBOX_TEST_MARK", &mark)
        // It will have no time to tidy up what it makes for the test itself.
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let programs = soon("the programs never ran", || Some(marked(&mark)).filter(|found| found.len() == 4));
    let worker =
        programs.iter().map(|pid| parent_of(parent_of(*pid))).find(|pid| parent_of(*pid) == harness.id()).unwrap();
    harness.kill().unwrap();
    harness.wait().unwrap();
    soon("processes outlived the harness", || (marked(&mark).is_empty() && !alive(worker)).then_some(()));
}

#[test]
fn nothing_is_mounted_or_written_outside() {
    let before = mounts();
    let Some(mut b) = open() else { return };
    b.says("open('/work/file', 'w').write('x'); print(1)");
    assert_eq!(mounts(), before);
    assert!(!std::path::Path::new("/solution").exists());
}

/// Not a test of its own: runs where there can be no user namespaces.
#[test]
#[ignore = "run by another test"]
fn on_a_machine_without_user_namespaces() {
    if env::var_os("SANDBOX_TEST_WITHOUT").is_none() {
        return;
    }
    let features = slopbench_sandbox::probe::features().unwrap();
    assert!(features.iter().any(|feature| matches!(feature.state, FeatureState::Missing { .. })), "{features:?}");
    let dir = tempfile::tempdir().unwrap();
    let solution = Solution { dir: dir.path().to_owned(), ..Solution::default() };
    let error = Namespaces::open(&solution, &Runtime::default()).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    let said = error.to_string();
    for word in ["user namespaces missing", "user.max_user_namespaces", "--sandbox none"] {
        assert!(said.contains(word), "{word} in: {said}");
    }
}

#[test]
fn a_machine_without_user_namespaces_is_told_what_it_lacks() {
    if open().is_none() {
        return;
    }
    // A user namespace in which there can be no other: the number is counted by namespace.
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" --ignored --exact on_a_machine_without_user_namespaces";
    let without = Command::new("unshare")
        .args(["--user", "--map-root-user", "--", "sh", "-c", script])
        .arg(env::current_exe().unwrap())
        .env("SANDBOX_TEST_WITHOUT", "1")
        .output();
    if let Some(output) = need(Need::Root, without) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Not a test of its own: runs with a limit of the caller's own, which is named.
#[test]
#[ignore = "run by another test"]
fn with_a_limit_of_its_own() {
    let (Ok(command), Some(mut b)) = (env::var("SANDBOX_TEST_LIMIT"), open()) else {
        return;
    };
    let error = b.sandbox.run(&Task::new(["true"], LIMITS)).unwrap_err();
    assert!(matches!(&error, Error::Setup { cause, .. } if cause.contains(&command)), "{error}");
}

#[test]
fn a_callers_own_limit_is_an_error_and_no_verdict() {
    if open().is_none() {
        return;
    }
    // Each below what a program is given, and enough for the worker.
    for (command, value) in [
        ("ulimit -v", "4194304"),
        ("ulimit -t", "20"),
        ("ulimit -f", "2048"),
        ("ulimit -n", "512"),
        ("ulimit -s", "4096"),
    ] {
        let script = format!("{command} {value} && exec \"$0\" --ignored --exact with_a_limit_of_its_own");
        let output = Command::new("sh")
            .args(["-c", &script])
            .arg(env::current_exe().unwrap())
            .env("SANDBOX_TEST_LIMIT", command)
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A suite that waits for a program that waits.
const WAITING: &str = "subprocess.run(argv('import os, time\\nos.fork()\\ntime.sleep(1000)'))";

/// The programs of [`WAITING`] in the solution's room: those that a launcher stands for.
fn launched(mark: &str) -> Vec<u32> {
    let is_program = |pid: &u32| {
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<_> = arguments.split(|byte| *byte == 0).collect();
        words.get(1) == Some(&&b"-c"[..])
    };
    marked(mark).into_iter().filter(is_program).collect()
}

#[test]
fn a_dead_starter_is_an_error_and_no_verdict() {
    let Some(mut b) = open() else { return };
    let mark = b.mark.clone();
    let killer = thread::spawn(move || {
        let programs = soon("the programs never ran", || Some(launched(&mark)).filter(|found| found.len() == 2));
        shoot(programs.iter().map(|pid| parent_of(*pid)).find(|parent| !programs.contains(parent)).unwrap());
    });
    let (_dir, waiting) = suite(WAITING, SUITE_LIMITS);
    let error = b.sandbox.play_suite(&waiting, &command(&b.mark)).unwrap_err();
    assert!(error.to_string().contains("keep the solution's room"), "{error}");
    killer.join().unwrap();
    assert_eq!(marked(&b.mark), Vec::<u32>::new());
    assert_eq!(play(&mut b, "report(says('print(1)'))"), "1");
}

/// Not a test of its own: the harness that [`a_dead_harness_leaves_nothing_of_a_suite`] kills.
#[test]
#[ignore = "run by another test"]
fn suites_harness_to_be_killed() {
    let Ok(mark) = env::var("SANDBOX_TEST_MARK") else { return };
    let mut b = open().unwrap();
    let (_dir, waiting) = suite(WAITING, SUITE_LIMITS);
    let _ = b.sandbox.play_suite(&waiting, &command(&mark));
}

#[test]
fn a_dead_harness_leaves_nothing_of_a_suite() {
    if open().is_none() {
        return;
    }
    let (mark, scratch) = (mark(), tempfile::tempdir().unwrap());
    let mut harness = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "suites_harness_to_be_killed"])
        .env("SANDBOX_TEST_MARK", &mark)
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    soon("the programs never ran", || (launched(&mark).len() == 2).then_some(()));
    harness.kill().unwrap();
    harness.wait().unwrap();
    soon("processes outlived the harness", || marked(&mark).is_empty().then_some(()));
}

#[test]
fn nothing_is_mounted_or_written_outside_by_a_suite() {
    let before = mounts();
    let Some(mut b) = open() else { return };
    assert_eq!(play(&mut b, "report(says('open(\"/tmp/file\", \"w\").write(\"x\"); print(1)'))"), "1");
    assert_eq!(mounts(), before);
    assert!(std::fs::read_dir(b.dir.path()).unwrap().count() == 1 && !std::path::Path::new("/suite").exists());
}

/// What root has no need of, a user namespace for the worker, has to be tried by somebody else.
#[test]
fn an_ordinary_user_has_both_rooms() {
    // Where we are an ordinary user, the other tests are already.
    if !nix::unistd::geteuid().is_root() || open().is_none() {
        return;
    }
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let tests = env::current_exe().unwrap();
    let worker = tests.ancestors().nth(2).unwrap().join("slopbench-sandbox");
    for (from, name) in [(&tests, "tests"), (&worker, "worker")] {
        std::fs::copy(from, folder.path().join(name)).unwrap();
    }
    let names = ["a_dead_starter", "nothing_is_mounted_or_written_outside_by_a_suite"];
    let output = Command::new("setpriv")
        .args(["--reuid", "54321", "--regid", "54321", "--clear-groups", "./tests", "--test-threads", "1"])
        .args(names)
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TMPDIR", folder.path())
        .env("SLOPBENCH_SANDBOX_WORKER", folder.path().join("worker"))
        .output();
    let Some(output) = need(Need::Root, output) else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("2 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
