//! What the tests in containers share: an image, processes to be killed, and a look at what is left in the engine.
//!
//! Skipped where no engine answers or it lacks the image. `SANDBOX_TEST_IMAGE` names one, as
//! `cargo xtask images --load python` prints it; without it, the newest `slopbench/python` is taken.
#![allow(dead_code, unreachable_pub)]

pub mod bare;

use std::env;
use std::io;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;

use slopbench_sandbox::docker::{ContainerEngine, Image};
use slopbench_test_support::{Need, need};

/// The image that the engine has.
pub fn image() -> Option<Image> {
    let name = env::var("SANDBOX_TEST_IMAGE").ok();
    let name = name.as_deref().unwrap_or("slopbench/python");
    need(Need::Docker, ContainerEngine::connect().and_then(|engine| engine.find_image(name)))
}

/// Containers and volumes whose label holds this text.
fn labelled(kind: &[&str], text: &str) -> Vec<String> {
    let output = Command::new("docker").args(kind).args(["--filter", "label=slopbench.harness"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}

/// All that this harness, or the one of another process number, has in the engine.
pub fn left_of(pid: u32) -> Vec<String> {
    let text = format!("/{pid}/");
    let containers = labelled(&["ps", "--all", "--format", "container {{.ID}} {{.Labels}}"], &text);
    containers
        .into_iter()
        .chain(labelled(&["volume", "ls", "--format", "volume {{.Name}} {{.Labels}}"], &text))
        .collect()
}

/// Runs one of the tests below to its good end in a process of its own, and returns that process's number.
pub fn run_harness(name: &str, mark: &str) -> u32 {
    let harness = start_harness(name, mark);
    let pid = harness.id();
    let output = harness.wait_with_output().unwrap();
    let passed = String::from_utf8_lossy(&output.stdout).contains("1 passed");
    assert!(output.status.success() && passed, "{name}: {output:?}");
    pid
}

/// The same, killed once `ready` returns.
pub fn kill_harness(name: &str, mark: &str, ready: impl FnOnce()) -> u32 {
    let mut harness = start_harness(name, mark);
    ready();
    harness.kill().unwrap();
    let pid = harness.id();
    let output = harness.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(9), "{name} ended before it was killed: {output:?}");
    pid
}

fn start_harness(name: &str, mark: &str) -> Child {
    let mut harness = Command::new(env::current_exe().unwrap());
    harness.args(["--ignored", "--exact", name]).env("SANDBOX_TEST_MARK", mark);
    harness.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The engine's socket, if it has one.
pub fn socket() -> Option<String> {
    ContainerEngine::connect().ok()?.host().strip_prefix("unix://").map(str::to_owned)
}

/// Passes on what either says to the other, in the background.
pub fn relay(client: TcpStream, engine: UnixStream) {
    let (mut to_client, mut from_engine) = (client.try_clone().unwrap(), engine.try_clone().unwrap());
    let (mut from_client, mut to_engine) = (client, engine);
    thread::spawn(move || io::copy(&mut from_client, &mut to_engine));
    thread::spawn(move || io::copy(&mut from_engine, &mut to_client));
}
