//! What a run says, and with which exit code it ends, where the machine is at fault; and that it goes on once that is mended.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    process::Command,
    thread,
};

use common::{Bench, states};
use serde_json::json;
use slopbench_test_support::{Need, need};

/// A registry of packages that has version 0.169.0 of all, with something else in it than what was locked.
fn forger() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let base = url.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let asked = lines.next().unwrap().unwrap();
            lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
            let path = asked.split_whitespace().nth(1).unwrap();
            let body = match path.strip_suffix(".tgz") {
                Some(_) => "forged".to_owned(),
                None => {
                    let name = path[1..].replace("%2f", "/");
                    let tarball = json!({"tarball": format!("{base}{path}.tgz")});
                    let version = json!({"name": name, "version": "0.169.0", "dist": tarball});
                    json!({"name": name, "versions": {"0.169.0": version}}).to_string()
                }
            };
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    url
}

#[test]
fn an_agent_that_cannot_be_installed_is_told_before_anything_is_planned() {
    let bench = Bench::new();
    let args = ["run", "--agent", "codex@0.169.0", "--model", "scripted", "--agents-dir", "agents", "--out", "out"];
    let no_npm = bench.command(&args).env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(
        bench.last_words(&no_npm, 3),
        "error: cannot start npm: No such file or directory (os error 2); install it"
    );
    if need(Need::Npm, Command::new("npm").arg("--version").output()).is_none() {
        return;
    }
    let with_registry = |url: &str| {
        let mut command = bench.command(&args);
        command.env("npm_config_registry", url).env("npm_config_fetch_retries", "0");
        command.env("npm_config_cache", bench.path("cache")).output().unwrap()
    };
    // A port that nobody can listen at.
    let no_network = bench.last_words(&with_registry("http://127.0.0.1:1"), 3);
    let failed = "error: `npm install --no-save --no-audit --no-fund` failed: ";
    assert!(no_network.starts_with(failed) && no_network.ends_with("connect ECONNREFUSED 127.0.0.1:1"), "{no_network}");
    let forged = bench.last_words(&with_registry(&forger()), 3);
    assert!(forged.starts_with(failed) && forged.contains("integrity checksum failed when using sha512"), "{forged}");
    assert!(!bench.path("out").exists() && !bench.path("agents/codex-0.169.0/complete").exists());
}

#[test]
fn what_installs_an_agent_inherits_no_key() {
    let bench = Bench::new();
    let npm = bench.path("programs/npm");
    fs::create_dir(bench.path("programs")).unwrap();
    fs::write(
        &npm,
        "#!/bin/sh\nenv > environment\necho 'npm error It is only asked for its environment.' >&2\nexit 1\n",
    )
    .unwrap();
    fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["run", "--agent", "codex@0.169.0", "--model", "scripted", "--agents-dir", "agents", "--out", "out"];
    let mut command = bench.command(&args);
    let path = format!("{}:{}", bench.path("programs").display(), std::env::var("PATH").unwrap());
    let output = command.env("PATH", path).env("OPENAI_API_KEY", "canary").env("OTHER", "passed").output().unwrap();
    assert!(bench.last_words(&output, 3).ends_with("failed: It is only asked for its environment."));
    let environment = fs::read_to_string(bench.path("agents/codex-0.169.0/environment")).unwrap();
    assert!(environment.contains("OTHER=passed") && !environment.contains("canary"), "{environment}");
}

/// Runs a shell script as root of a user namespace of its own, with its own mounts; `$@` is the command `args`.
fn in_namespace(bench: &Bench, script: &str, args: &[&str]) -> std::process::Output {
    let command = bench.command(args);
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]);
    shell.arg(command.get_program()).args(command.get_args()).current_dir(bench.dir.path()).output().unwrap()
}

#[test]
fn without_namespaces_one_sentence_says_what_to_do_and_the_same_command_runs_where_there_are_some() {
    let bench = Bench::new();
    let args = ["run", "--agent", "command", "--out", "out", "--", "true"];
    let output = in_namespace(&bench, "echo 0 > /proc/sys/user/max_user_namespaces; exec \"$@\"", &args);
    let said = bench.last_words(&output, 3);
    let expected = "error: this machine cannot run the embedded sandbox: user namespaces missing (cannot create a user \
                    namespace: ENOSPC: No space left on device): set the sysctl user.max_user_namespaces above 0";
    assert!(said.starts_with(expected) && said.matches("missing").count() == 1, "{said}");
    // Without a sandbox nobody knows what results would be made with, so that nothing is planned yet.
    let begun = bench.summary(&args, 0);
    assert_eq!(states(&begun)[0].0, "unchanged");
}

#[test]
fn a_full_disk_is_one_sentence_and_with_more_of_it_a_run_ends_in_the_undisturbed_bytes() {
    let bench = Bench::new();
    let agent = ["--agent", "reference"];
    bench.summary(&[&["run", "--out", "undisturbed"], &agent[..]].concat(), 0);
    fs::create_dir(bench.path("disk")).unwrap();
    // The disk is full at ever later steps; the last run has all that it needs.
    let script = "
mount -t tmpfs -o size=4k tmpfs disk || exit 99
for size in 4k 12k 24k 36k 48k 60k 1m
do
    mount -o remount,size=$size disk || exit 98
    \"$@\" 2> said
    echo $size $? $(tail -n 1 said) >> log
done
cmp disk/out/summary.json undisturbed/summary.json && find disk/out -name '*.part' -o -name scratch
";
    let output = in_namespace(&bench, script, &[&["run", "--out", "disk/out"], &agent[..]].concat());
    let log = fs::read_to_string(bench.path("log")).unwrap();
    assert!(output.status.success(), "{output:?}\n{log}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("disk/out/"), "nothing half done is left: {output:?}");
    let full: Vec<_> = log.lines().filter(|line| line.contains("k 3 ")).collect();
    let is_one_sentence =
        |line: &&str| line.contains(" 3 error: cannot ") && line.ends_with("No space left on device (os error 28)");
    assert!(full.len() >= 3 && full.iter().all(is_one_sentence), "{log}");
    assert!(log.lines().last().unwrap().starts_with("1m 0 "), "{log}");
}

#[test]
fn folders_that_an_agent_closed_even_to_their_owner_are_cleaned_up() {
    let bench = Bench::new();
    let close = r#"mkdir -p x/y .venv/q "$HOME/z"; touch x/y/f .venv/q/f "$HOME/z/f"; echo 'print(1)' > echo.py
chmod 000 x/y x .venv/q "$HOME/z""#;
    let args = ["run", "--agent", "command", "--out", "out", "--", "sh", "-c", close];
    let mut command = bench.command(&args);
    let me = fs::metadata("/proc/self").unwrap().uid();
    if me == 0 {
        // Root passes every door, so this has to be somebody else.
        const SOMEBODY: u32 = 12_345;
        let program = command.get_program();
        let as_somebody = || {
            let mut command = Command::new("setpriv");
            command
                .args(["--clear-groups", &format!("--reuid={SOMEBODY}"), &format!("--regid={SOMEBODY}")])
                .arg(program);
            command
        };
        let reached = as_somebody().arg("--version").output().is_ok_and(|output| output.status.success());
        if need(Need::Reachable, reached.then_some(()).ok_or_else(|| format!("{program:?}"))).is_none() {
            return;
        }
        chown(bench.dir.path(), Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        let mut whole = as_somebody();
        whole.args(command.get_args()).current_dir(bench.dir.path()).env("HOME", bench.dir.path());
        command = whole;
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!bench.path("out/scratch").exists());
    let record = bench.path("out/units/echo--command--just-solve--1/checkpoint_1/session/session.json");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    assert_eq!(
        record["not_kept"],
        json!({"count": {"unreadable": 1}, "named": [{"path": "x", "reason": "unreadable"}]})
    );
}
