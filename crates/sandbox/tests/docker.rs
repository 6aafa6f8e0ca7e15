//! What holds in every back end, in containers; and what is a matter of containers only.
//!
//! Skipped, saying why, where no engine answers or it lacks the image. `SANDBOX_TEST_IMAGE` names one, as
//! `cargo xtask images --load python` prints it; without it, the newest `slopbench/python` is taken.
#![allow(clippy::unwrap_used)]

mod common;
mod engine;
mod shared;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::suite::{SUITE_LIMITS, command, play, suite};
use common::{Box, LIMITS, mark, marked, soon};
use engine::bare::{BareImage, program_of_its_own};
use engine::{image, kill_harness, left_of, run_harness};
use slopbench_sandbox::docker::{Docker, Image};
use slopbench_sandbox::{Limits, ProgramEnd, Sandbox, Solution, Task};
use slopbench_test_support::{Need, need};

/// What the system says of process 1's files: they are another's.
const PROCESS_1: i32 = 13;

fn open() -> Option<Box> {
    open_with(&[("main.py", "print('main')")], |_| Vec::new())
}

fn open_with(files: &[(&str, &str)], change: impl Fn(&Path) -> Vec<PathBuf>) -> Option<Box> {
    let image = image()?;
    let mut b = Box::new(files, change, |solution| std::boxed::Box::new(Docker::open(solution, &image).unwrap()));
    // Its container starts with the first task, which is not what the tests clock.
    b.sandbox.run(&Task::new(["true"], LIMITS)).unwrap();
    Some(b)
}

fn open_solution(solution: &Solution) -> Option<std::boxed::Box<dyn Sandbox>> {
    Some(std::boxed::Box::new(Docker::open(solution, &image()?).unwrap()))
}

#[test]
#[cfg(target_arch = "x86_64")]
fn an_image_needs_no_c_library() {
    use std::os::unix::fs::PermissionsExt;
    if image().is_none() {
        return;
    }
    let bare = BareImage::new();
    let make = |dir: &Path| {
        std::fs::write(dir.join("program"), program_of_its_own()).unwrap();
        std::fs::set_permissions(dir.join("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
        Vec::new()
    };
    let mut b = Box::new(&[], make, |solution| std::boxed::Box::new(Docker::open(solution, &bare.0).unwrap()));
    assert_eq!(b.run(&Task::new(["/solution/program"], LIMITS)).end, ProgramEnd::Exited(7));
    assert_eq!(b.run(&Task::new(["/solution/none"], LIMITS)).end, ProgramEnd::Exited(127));
}

#[test]
fn a_task_leaves_the_next_one_nothing() {
    let Some(mut b) = open() else { return };
    let leave = "
import ctypes, os, socket, subprocess
for folder in '/work', '/tmp', '/dev/shm':
    try: os.setxattr(folder, 'user.note', b'x')
    except OSError: pass
    os.makedirs(folder + '/a/b'); open(folder + '/a/b/c', 'w'); os.chmod(folder + '/a', 0); os.chmod(folder, 0)
server = socket.create_server(('127.0.0.1', 8080), reuse_port=False)
client = socket.create_connection(('127.0.0.1', 8080)); peer, _ = server.accept(); peer.close(); client.close()
if os.fork() == 0:
    os.setsid()
    abstract = socket.socket(socket.AF_UNIX); abstract.bind(b'\\0note'); abstract.listen()
    while True: server.accept()[0].sendall(b'the daemon')
libc = ctypes.CDLL(None, use_errno=True)
print(libc.semget(7, 1, 0o1666))";
    assert_eq!(b.says(leave), "-1");
    let look = "
import os, socket
for folder in '/work', '/tmp', '/dev/shm', '/dev/mqueue':
    print(os.listdir(folder), [name for name in os.listxattr(folder) if name.startswith('user.')], oct(os.stat(folder).st_mode & 0o777))
for address in ('127.0.0.1', 8080), b'\\0note':
    try: socket.socket(socket.AF_UNIX if isinstance(address, bytes) else socket.AF_INET).connect(address); print('connected')
    except OSError as error: print(error.errno)
plain = socket.socket(); plain.bind(('127.0.0.1', 8080)); print('bound')
print([name for name in os.listdir('/proc') if name.isdigit()] == ['1', str(os.getpid())])";
    let expected = "[] [] 0o755\n[] [] 0o755\n[] [] 0o755\n[] [] 0o555\n111\n111\nbound\nTrue";
    assert_eq!(b.says(look), expected);
}

#[test]
fn a_program_has_no_way_out() {
    let Some(mut b) = open() else { return };
    let code = "
import os, socket
ours = ['/slopbench/' + name for name in os.listdir('/slopbench')]
for path in '/x', '/usr/x', '/etc/passwd', '/solution/main.py', '/slopbench/x', *ours, '/dev/x', '/proc/sys/kernel/hostname':
    try: open(path, 'a'); print(path, 'DONE')
    except OSError as error: pass
    try: os.chmod(path, 0o777); print(path, 'DONE')
    except OSError as error: pass
for place in ('192.0.2.1', 80), ('172.17.0.1', 80):
    try: socket.create_connection(place, 2); print('DONE')
    except OSError as error: print(error.errno)
try: open('/solution/main.py', 'a')
except OSError as error: print(error.errno)
print(socket.if_nameindex(), os.path.exists('/var/run/docker.sock'))";
    assert_eq!(b.says(code), "101\n101\n30\n[(1, 'lo')] False");
}

#[test]
fn a_task_of_another_size_gets_another_container() {
    let Some(mut b) = open() else { return };
    assert_eq!(b.says("import os; print(os.statvfs('/work').f_blocks * 4096)"), (LIMITS.disk).to_string());
    let larger =
        b.python("import os; print(os.statvfs('/work').f_blocks * 4096)", Limits { disk: 2 * LIMITS.disk, ..LIMITS });
    assert_eq!(String::from_utf8(larger.stdout).unwrap().trim(), (2 * LIMITS.disk).to_string());
}

#[test]
fn a_closed_sandbox_leaves_nothing() {
    let Some(b) = open() else { return };
    drop(b);
    // Others of this process may be open: count on a process of its own.
    let output = run_harness("harness_that_ends", &mark());
    soon("it left something behind", || left_of(output).is_empty().then_some(()));
}

#[test]
fn a_killed_harness_leaves_nothing() {
    if image().is_none() {
        return;
    }
    let mark = mark();
    let running = || soon("the program never ran", || (!marked(&mark).is_empty()).then_some(()));
    let pid = kill_harness("harness_to_be_killed", &mark, running);
    soon("it left something behind", || (marked(&mark).is_empty() && left_of(pid).is_empty()).then_some(()));
}

#[test]
fn what_a_dead_harness_left_is_swept() {
    if image().is_none() {
        return;
    }
    let line = |path| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let machine = line("/etc/machine-id");
    let known =
        (!machine.is_empty()).then_some(()).ok_or("this machine has no /etc/machine-id to know a dead harness by");
    if need(Need::Docker, known).is_none() {
        return;
    }
    // A number that no process has.
    let pid = u32::MAX;
    let label = format!("slopbench.harness={machine}/{}/elsewhere/{pid}/1", "another boot");
    let made = Command::new("docker").args(["volume", "create", "--label", &label]).output().unwrap();
    assert!(made.status.success() && left_of(pid).len() == 1, "{made:?}");
    run_harness("harness_that_ends", &mark());
    assert_eq!(left_of(pid), Vec::<String>::new());
}

/// Not a test of its own: see [`a_closed_sandbox_leaves_nothing`].
#[test]
#[ignore = "run by another test"]
fn harness_that_ends() {
    if env::var_os("SANDBOX_TEST_MARK").is_some() {
        open().unwrap();
    }
}

/// Not a test of its own: see [`a_killed_harness_leaves_nothing`].
#[test]
#[ignore = "run by another test"]
fn harness_to_be_killed() {
    let Ok(mark) = env::var("SANDBOX_TEST_MARK") else { return };
    let mut b = open().unwrap();
    b.mark = mark;
    let limits = Limits { wall: Duration::from_secs(60), ..LIMITS };
    let _ = b.sandbox.run(&b.task("import os, time\nos.fork()\ntime.sleep(1000)", limits));
}

#[test]
fn a_dead_container_is_an_error_and_the_next_task_gets_another() {
    let Some(mut b) = open() else { return };
    let mark = b.mark.clone();
    let killer = std::thread::spawn(move || {
        let program = soon("the program never ran", || marked(&mark).first().copied());
        let worker = nix::unistd::Pid::from_raw(common::parent_of(program).try_into().unwrap());
        nix::sys::signal::kill(worker, nix::sys::signal::Signal::SIGKILL).unwrap();
    });
    let error = b.sandbox.run(&b.task("import time; time.sleep(1000)", LIMITS)).unwrap_err();
    assert!(error.to_string().contains("worker was lost"), "{error}");
    killer.join().unwrap();
    assert_eq!(b.sandbox.run(&b.task("print(1)", LIMITS)).unwrap().end, ProgramEnd::Exited(0));
}

#[test]
fn a_solution_that_holds_hidden_files_is_refused() {
    let Some(image) = image() else { return };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("secret"), "").unwrap();
    let solution =
        Solution { dir: dir.path().to_owned(), hide: vec![dir.path().join("secret")], ..Solution::default() };
    assert!(Docker::open(&solution, &image).is_err());
}

#[test]
fn an_engine_that_lacks_the_image_says_what_to_do() {
    let Some(image) = image() else { return };
    let dir = tempfile::tempdir().unwrap();
    let solution = Solution { dir: dir.path().to_owned(), ..Solution::default() };
    let other = Image { layers: vec!["sha256:0".into()], ..image.clone() };
    for wrong in [other, Image { name: "slopbench/none:0".into(), ..image }] {
        let error = Docker::open(&solution, &wrong).unwrap_err().to_string();
        assert!(error.contains("cargo xtask images --load"), "{error}");
    }
}

#[test]
fn a_suite_that_has_ended_leaves_nothing() {
    if image().is_none() {
        return;
    }
    let pid = run_harness("suites_harness_that_ends", &mark());
    soon("it left something behind", || left_of(pid).is_empty().then_some(()));
}

#[test]
fn a_killed_harness_leaves_nothing_of_a_suite() {
    if image().is_none() {
        return;
    }
    let mark = mark();
    // The suite, its launcher, and the program.
    let running = || soon("the program never ran", || (marked(&mark).len() == 3).then_some(()));
    let pid = kill_harness("suites_harness_to_be_killed", &mark, running);
    soon("it left something behind", || (marked(&mark).is_empty() && left_of(pid).is_empty()).then_some(()));
}

/// Not a test of its own: see [`a_suite_that_has_ended_leaves_nothing`].
#[test]
#[ignore = "run by another test"]
fn suites_harness_that_ends() {
    if env::var_os("SANDBOX_TEST_MARK").is_some() {
        assert_eq!(play(&mut open().unwrap(), "report(says('print(1)'))"), "1");
    }
}

/// Not a test of its own: see [`a_killed_harness_leaves_nothing_of_a_suite`].
#[test]
#[ignore = "run by another test"]
fn suites_harness_to_be_killed() {
    let Ok(mark) = env::var("SANDBOX_TEST_MARK") else { return };
    let (_dir, waiting) = suite("launch('import time; time.sleep(1000)')", SUITE_LIMITS);
    let _ = open().unwrap().sandbox.play_suite(&waiting, &command(&mark));
}

#[test]
fn a_dead_room_is_an_error_and_no_verdict() {
    let Some(mut b) = open() else { return };
    let mark = b.mark.clone();
    let killer = std::thread::spawn(move || {
        let is_program = |pid: &u32| {
            let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            arguments.split(|byte| *byte == 0).nth(1) == Some(&b"-c"[..])
        };
        let program = soon("the program never ran", || marked(&mark).into_iter().find(is_program));
        let worker = nix::unistd::Pid::from_raw(common::parent_of(program).try_into().unwrap());
        nix::sys::signal::kill(worker, nix::sys::signal::Signal::SIGKILL).unwrap();
    });
    let (_dir, waiting) = suite("launch('import time; time.sleep(1000)')", SUITE_LIMITS);
    let error = b.sandbox.play_suite(&waiting, &command(&b.mark)).unwrap_err();
    assert!(error.to_string().contains("the solution's room"), "{error}");
    killer.join().unwrap();
    assert_eq!(play(&mut b, "report(says('print(1)'))"), "1");
}
