//! Suites and runs in containers, with the real binary: they end as in namespaces, even if the engine is restarted in the
//! middle.
//!
//! Skipped, saying why, where no engine answers or it lacks the images; restarts, where no second engine can be started.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use common::{Bench, copy};
use serde_json::Value;
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// A bench whose runs are in containers of one engine.
struct Contained {
    bench: Bench,
    /// What `DOCKER_HOST` says, if not what it says here.
    host: Option<String>,
}

impl Contained {
    fn new() -> Self {
        Self { bench: Bench::new(), host: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.bench.path(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bench.command(&[&["--json"], args].concat());
        command.envs(self.host.as_ref().map(|host| ("DOCKER_HOST", host)));
        command
    }

    fn docker(&self, args: &[&str]) -> Output {
        let mut command = Command::new("docker");
        command.args(args).envs(self.host.as_ref().map(|host| ("DOCKER_HOST", host)));
        command.output().unwrap()
    }

    /// Runs to the good end.
    fn done(&self, args: &[&str]) -> Vec<u8> {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    }

    /// Whether the engine has what suites and runs of commands need.
    fn has_images(&self) -> bool {
        let found: Value = match serde_json::from_slice(&self.command(&["doctor"]).output().unwrap().stdout) {
            Ok(found) => found,
            Err(error) => panic!("doctor: {error}"),
        };
        let needed = ["docker: engine", "docker: image for solutions", "docker: image for commands"];
        let lacks = needed
            .iter()
            .find(|name| !found.as_array().unwrap().iter().any(|row| row["name"] == **name && row["found"] == true));
        let complete = lacks.map_or(Ok(()), |name| Err(format!("`slopbench doctor` does not find {name}")));
        need(Need::Docker, complete).is_some()
    }
}

fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}");
        sleep(Duration::from_millis(50));
    }
}

/// A solution that is written by `sh`, checkpoint 1 or 2 as the specification says, after a while.
const SOLVE: &str = r#"echo > started; sleep "$2"; rm started
case "$1" in
*double*) say='2 * int(word) if word.isdigit() else word' ;;
*) say='sys.exit(1) if word.isdigit() else word' ;;
esac
printf 'import sys\n\nword = sys.argv[1]\nprint(%s)\n' "$say" > echo.py
"#;

/// A run of a command that takes so many seconds for a checkpoint.
fn run<'a>(backend: &'a str, out: &'a str, seconds: &'a str) -> Vec<&'a str> {
    let options = ["run", "--agent", "command", "--sandbox", backend, "--out", out];
    [&options[..], &["--", "sh", "-c", SOLVE, "sh", "{prompt}", seconds]].concat()
}

#[test]
fn a_run_in_containers_ends_in_the_bytes_of_one_in_namespaces() {
    let bench = Contained::new();
    if !bench.has_images() {
        return;
    }
    bench.done(&run("namespaces", "namespaces", "0"));
    bench.done(&run("docker", "containers", "0"));
    let trees = |run: &str| {
        let mut names: Vec<_> =
            fs::read_dir(bench.path(run).join("trees")).unwrap().map(|tree| tree.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(trees("containers"), trees("namespaces"));
    // Only what names the instrument differs.
    let results = |run: &str| {
        let summary = fs::read(bench.path(run).join("summary.json")).unwrap();
        let mut summary: Value = serde_json::from_slice(&summary).unwrap();
        let named = ["plan", "instrument"].map(|field| summary.as_object_mut().unwrap().remove(field).unwrap());
        (summary, named)
    };
    let [(inside, contained), (outside, bare)] = ["containers", "namespaces"].map(results);
    assert_eq!(inside, outside);
    assert_ne!(contained, bare);
}

#[test]
fn what_cannot_be_in_a_container_is_refused_before_anything_is_installed() {
    let bench = Contained::new();
    let refused: [(&[&str], &str); 2] = [
        (&["--agent", "command", "--image", "slopbench/build", "--", "true"], "--image goes with --sandbox docker"),
        (&["--agent", "mini-swe-agent", "--model", "scripted", "--sandbox", "docker"], "use --sandbox namespaces"),
    ];
    for (args, reason) in refused {
        let output = bench.command(&[&["run", "--agents-dir", "agents"], args].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{output:?}");
    }
    assert!(!bench.path("agents").exists());
}

/// An engine of our own, which nobody else is hurt by.
struct Daemon {
    dir: TempDir,
    process: Option<Child>,
}

impl Daemon {
    /// Nothing, and why, where none can be started.
    fn start() -> Option<Self> {
        let has = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        let can_start = is_root && has("dockerd") && has("docker");
        need(
            Need::Docker,
            can_start.then_some(()).ok_or("a second engine needs root, and dockerd and docker on the PATH"),
        )?;
        // A socket's path has to be short.
        let dir = tempfile::Builder::new().prefix("engine").tempdir_in("/tmp").unwrap();
        let mut daemon = Self { dir, process: None };
        daemon.up();
        Some(daemon)
    }

    fn host(&self) -> String {
        format!("unix://{}/socket", self.dir.path().display())
    }

    fn up(&mut self) {
        let at = |name: &str| self.dir.path().join(name);
        let log = fs::File::options().create(true).append(true).open(at("log")).unwrap();
        // Of one that was killed. It would be waited for where its number is still taken, by a process that nobody buried.
        let _ = fs::remove_file(at("exec/containerd/containerd.pid"));
        let process = Command::new("dockerd")
            .args(
                [("--data-root", "data"), ("--exec-root", "exec"), ("--pidfile", "pid")]
                    .map(|(option, name)| format!("{option}={}", at(name).display())),
            )
            .args(["--host", &self.host(), "--bridge=none", "--iptables=false"])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.process = Some(process.unwrap());
        let mut ask = Command::new("docker");
        ask.args(["--host", &self.host(), "version"]);
        soon("the engine does not start", || ask.output().unwrap().status.success().then_some(()));
    }

    /// Ends it, with or without time to tidy up.
    fn down(&mut self, signal: &str) {
        let Some(mut process) = self.process.take() else { return };
        let kill = format!("kill -s {signal} {}", process.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        process.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.down("TERM");
        // It mounts its own folder on itself.
        let _ = Command::new("umount").arg(self.dir.path().join("data")).stderr(Stdio::null()).status();
    }
}

#[test]
fn an_engine_that_is_restarted_in_the_middle_changes_nothing() {
    let mut bench = Contained::new();
    if !bench.has_images() {
        return;
    }
    let Some(mut daemon) = Daemon::start() else { return };
    // The images that the other engine has.
    let images =
        String::from_utf8(bench.docker(&["image", "ls", "--format", "{{.Repository}}:{{.Tag}}", "slopbench/*"]).stdout)
            .unwrap();
    let archive = bench.path("images.tar");
    let save: Vec<_> = ["save", "--output", archive.to_str().unwrap()].into_iter().chain(images.lines()).collect();
    assert!(bench.docker(&save).status.success());
    bench.host = Some(daemon.host());
    assert!(bench.docker(&["load", "--input", archive.to_str().unwrap()]).status.success());
    fs::remove_file(&archive).unwrap();

    // A solution of two seconds per case.
    let solution = bench.path("solution");
    copy(&bench.path("repository/problems/echo/solution/python/checkpoint_2"), &solution);
    let program = fs::read_to_string(solution.join("echo.py")).unwrap();
    fs::write(solution.join("echo.py"), format!("import time\ntime.sleep(2)\n{program}")).unwrap();
    let suite = ["test", "echo", "--solution", "solution", "--sandbox", "docker", "--jobs", "1"];
    let containers = |bench: &Contained| String::from_utf8(bench.docker(&["ps", "--all", "--quiet"]).stdout).unwrap();
    let verdicts = |told: &[u8]| serde_json::from_slice::<Value>(told).unwrap()["verdicts"].clone();
    let expected = verdicts(&bench.done(&suite));
    bench.done(&run("docker", "undisturbed", "2"));

    for signal in ["TERM", "KILL"] {
        let begun = bench.command(&suite).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        soon("no container", || (!containers(&bench).is_empty()).then_some(()));
        sleep(Duration::from_secs(2));
        daemon.down(signal);
        daemon.up();
        let output = begun.wait_with_output().unwrap();
        assert!(output.status.success(), "{signal}: {output:?}");
        assert_eq!(verdicts(&output.stdout), expected, "{signal}");

        let run = run("docker", signal, "2");
        let mut begun = bench.command(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        soon("no container", || (!containers(&bench).is_empty()).then_some(()));
        sleep(Duration::from_secs(1));
        daemon.down(signal);
        daemon.up();
        // A session that was lost is no failure of its worker: exit code 3, and the same command goes on.
        let status = begun.wait().unwrap();
        assert!(matches!(status.code(), Some(0 | 3)), "{signal}: {status}");
        bench.done(&run);
        let summary = |run: &str| fs::read(bench.path(run).join("summary.json")).unwrap();
        assert_eq!(summary(signal), summary("undisturbed"), "{signal}");
        soon("a container is left", || containers(&bench).is_empty().then_some(()));
    }
}
