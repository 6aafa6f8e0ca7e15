//! Sessions in Linux namespaces.
#![allow(clippy::unwrap_used)]

mod common;
mod sessions;

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use sessions::Bench;
use slopbench_sandbox::probe;
use slopbench_sandbox::session::System;
use slopbench_test_support::{Need, need};

/// This machine's.
fn system() -> Option<System> {
    need(Need::Namespaces, probe::available()).map(|()| System::Machine(common::python()))
}

#[test]
fn nothing_else_of_the_machine_can_be_seen_or_written() {
    let Some(bench) = Bench::new() else { return };
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret"), "secret").unwrap();
    let repository = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let code = format!(
        "
import os
for path in {:?}, {:?}, {:?}, '/proc/1/environ', '/proc/{}/environ', '/etc/shadow', '/sys', '/run', '/var', '/proc/meminfo', '/proc/1/root':
    print(os.path.basename(path), os.path.exists(path) and open(path).read(1))
for path in '/usr/x', '/opt/agent/x', '/etc/passwd', '/x', '/opt/x', '/dev/x':
    try: open(path, 'a'); print(path, 'written')
    except OSError as error: print(error.strerror)
print(sorted(name for name in os.listdir('/proc') if not name.isdigit()), [pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) > 9])
try: os.link('/opt/agent/tool', '/workspace/tool'); print('linked')
except OSError as error: print(error.strerror)
",
        other.path().join("secret"),
        repository,
        bench.at("stdout"),
        std::process::id(),
    );
    fs::write(bench.at("installation/tool"), "").unwrap();
    let said = bench.says(&["python3", "-c", &code]);
    assert_eq!(said.matches("False").count(), 11, "{said}");
    assert_eq!(said.matches("Read-only file system").count(), 6, "{said}");
    assert!(said.contains("['self', 'thread-self'] []"), "{said}");
    assert!(said.ends_with("Invalid cross-device link"), "{said}");
}

/// What root has no bounds for has to be tried by somebody else, with as few descriptors as a shell gives.
#[test]
fn an_ordinary_users_sessions_leave_one_another_enough() {
    // Where we are an ordinary user, the other tests are already.
    if !nix::unistd::geteuid().is_root() || system().is_none() {
        return;
    }
    // Where that user finds them.
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let tests = env::current_exe().unwrap();
    let worker = tests.ancestors().nth(2).unwrap().join("slopbench-sandbox");
    for (from, name) in [(&tests, "tests"), (&worker, "worker")] {
        fs::copy(from, folder.path().join(name)).unwrap();
    }
    let script = "ulimit -Sn 1024; exec ./tests --test-threads 1 descriptors_in_flight who_watches";
    let output = Command::new("setpriv")
        .args(["--reuid", "54321", "--regid", "54321", "--clear-groups", "sh", "-c", script])
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
