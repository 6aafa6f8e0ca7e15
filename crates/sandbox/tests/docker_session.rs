//! Sessions in containers.
#![allow(clippy::unwrap_used)]

mod common;
mod engine;
mod sessions;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use common::{mark, marked, soon};
use engine::{image, kill_harness, left_of};
use sessions::Bench;
use slopbench_sandbox::Error;
use slopbench_sandbox::session::{Session, System};

/// An image's, or says why there is none.
fn system() -> Option<System> {
    image().map(System::Image)
}

#[test]
fn nothing_of_the_machine_can_be_seen_and_nothing_else_written() {
    let Some(bench) = Bench::new() else { return };
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret"), "secret").unwrap();
    fs::write(bench.at("installation/tool"), "").unwrap();
    let code = format!(
        "
import os, socket
for path in {:?}, {:?}, {:?}, '/var/run/docker.sock', '/proc/{}/environ':
    print(os.path.basename(path), os.path.exists(path))
ours = ['/slopbench/' + name for name in os.listdir('/slopbench') if name != 'socket']
for path in '/usr/x', '/opt/agent/x', '/etc/passwd', '/x', '/opt/x', '/dev/x', *ours:
    try: open(path, 'a'); print(path, 'written')
    except OSError as error: pass
for path in '/proc/1/environ', '/proc/1/mem', '/etc/shadow':
    try: print(path, open(path).read(1))
    except OSError as error: pass
try: socket.socket(socket.AF_UNIX).connect('/slopbench/socket'); print('connected')
except OSError as error: print(error.strerror)
print('/slopbench/slopbench-sandbox' in ours, socket.gethostname(), socket.if_nameindex())
try: os.link('/opt/agent/tool', '/workspace/tool'); print('linked')
except OSError as error: print(error.strerror)
",
        other.path().join("secret"),
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"),
        bench.at("stdout"),
        std::process::id(),
    );
    let said = bench.says(&["python3", "-c", &code]);
    let expected = "secret False\nCargo.toml False\nstdout False\ndocker.sock False\nenviron False\n\
         Connection refused\nTrue sandbox [(1, 'lo')]\nInvalid cross-device link";
    assert_eq!(said, expected);
}

#[test]
fn a_killed_harness_leaves_nothing_in_the_engine() {
    if image().is_none() {
        return;
    }
    let mark = mark();
    let running = || soon("the program never ran", || (marked(&mark).len() == 4).then_some(()));
    let pid = kill_harness("sessions::lifetime::harness_to_be_killed", &mark, running);
    soon("it left something behind", || (marked(&mark).is_empty() && left_of(pid).is_empty()).then_some(()));
}

#[test]
fn what_a_session_wrote_is_in_folders_of_any_length() {
    let Some(mut bench) = Bench::new() else { return };
    // A socket's path has room for some hundred bytes.
    let deep = ["a"; 4].map(|name| name.repeat(60)).iter().collect::<PathBuf>();
    for folder in ["workspace", "home"] {
        fs::create_dir_all(bench.at(&format!("{}/{folder}", deep.display()))).unwrap();
    }
    bench.below = deep;
    assert_eq!(bench.says(&["sh", "-c", "pwd > here; cat here"]), "/workspace");
    assert_eq!(fs::read_to_string(bench.at("workspace/here")).unwrap(), "/workspace\n");
}

#[test]
fn a_container_that_is_killed_is_an_error() {
    let Some(bench) = Bench::new() else { return };
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let mark = bench.mark.clone();
    let killer = thread::spawn(move || {
        let program = soon("the program never ran", || marked(&mark).first().copied());
        let worker = nix::unistd::Pid::from_raw(common::parent_of(program).try_into().unwrap());
        nix::sys::signal::kill(worker, nix::sys::signal::Signal::SIGKILL).unwrap();
    });
    let error = session.run(&bench.job(&["python3", "-c", "import time; time.sleep(1000)"])).unwrap_err();
    assert!(matches!(error, Error::WorkerLost { .. }), "{error}");
    killer.join().unwrap();
    assert_eq!(marked(&bench.mark), Vec::<u32>::new());
}

/// Not a test of its own: runs with an engine that is elsewhere.
#[test]
#[ignore = "run by another test"]
fn engine_elsewhere() {
    let (Ok(_), Some(bench)) = (env::var("SANDBOX_TEST_MARK"), Bench::new()) else { return };
    let error = Session::open(&bench.place()).unwrap_err().to_string();
    assert!(error.contains("tcp://") && error.contains("expected a socket"), "{error}");
}

#[test]
fn an_engine_on_another_machine_is_refused() {
    if image().is_none() {
        return;
    }
    // The engine's socket behind a port, as another machine's would be.
    let Some(socket) = engine::socket() else { return };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("tcp://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            engine::relay(client, std::os::unix::net::UnixStream::connect(&socket).unwrap());
        }
    });
    let output = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "engine_elsewhere"])
        .envs([("SANDBOX_TEST_MARK", "none"), ("DOCKER_HOST", &host)])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
