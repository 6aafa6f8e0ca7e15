//! Runs of a small agent in its sandbox: budgets, what is shown of them, secrets, and the hosts that it reaches.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::Stdio,
    thread,
};

use common::{Bench, states};
use serde_json::Value;
use slopbench_digest::Listing;

const TRAJECTORY: &str = "echo--claude-code-2.1.329--scripted--just-solve--1";

/// `run` with the agent in good mood, and these options.
fn run<'a>(agent: &'a [String], options: &[&'a str]) -> Vec<&'a str> {
    ["run"].into_iter().chain(agent.iter().map(String::as_str)).chain(options.iter().copied()).collect()
}

#[test]
fn a_budget_stops_between_sessions_and_more_of_it_ends_like_an_undisturbed_run() {
    let bench = Bench::new();
    let agent = bench.agent("well");
    let undisturbed = bench.summary(&run(&agent, &["--out", "undisturbed"]), 0);
    assert_eq!(states(&undisturbed), [("done".to_owned(), 2), ("done".to_owned(), 2)]);
    let used = &undisturbed["trajectories"][0]["checkpoints"][0];
    let tokens = used["usage"]["input"].as_u64().unwrap() + used["usage"]["output"].as_u64().unwrap();
    let dollars = used["cost_usd"].as_f64().unwrap();

    let budgets = [
        ("--max-tokens", tokens.to_string(), format!("{tokens} tokens are used of {tokens}")),
        ("--budget-usd", "0.001".to_owned(), format!("${dollars:.2} are spent of a budget of $0.00")),
    ];
    for (option, limit, reason) in budgets {
        let out = &option[2..];
        let stopped = bench.error(&run(&agent, &["--out", out, option, &limit]), 1);
        assert_eq!(stopped, format!("failed: {reason}; `slopbench resume DIR/{out}` goes on"));
        assert!(!bench.path(out).join("summary.json").exists());

        let status = String::from_utf8(bench.slopbench(&["status", out]).stdout).unwrap();
        assert!(status.contains("1/2") && status.contains("pending"), "{status}");
        assert!(status.ends_with(&format!("\n1 of 2 checkpoints are graded; `slopbench resume {out}` goes on\n")));

        // The same budget is still spent; what earlier processes used counts.
        let agents = agent.last().unwrap();
        let again = bench.error(&["resume", out, "--agents-dir", agents, option, &limit], 1);
        assert_eq!(again, stopped);
        bench.summary(&["resume", out, "--agents-dir", agents, option, "1000000"], 0);
        let bytes = |out: &str| fs::read(bench.path(out).join("summary.json")).unwrap();
        assert_eq!(bytes(out), bytes("undisturbed"));
    }
}

#[test]
fn a_checkpoint_is_shown_with_what_was_said_done_changed_and_failed() {
    let bench = Bench::new();
    bench.summary(&run(&bench.agent("well"), &["--out", "out"]), 0);
    let view: Value = bench.summary(&["show", "out", TRAJECTORY, "2"], 0);
    assert_eq!(view["record"]["outcome"]["outcome"], "done");
    assert_eq!(view["trajectory"]["schema_version"], "ATIF-v1.7");
    let diff = view["diff"].as_str().unwrap();
    assert!(diff.contains("--- a/echo.py\n+++ b/echo.py\n"), "{diff}");
    assert_eq!(view["verdicts"]["solve"]["strict"], true);

    let shown = |args: &[&str]| String::from_utf8(bench.slopbench(args).stdout).unwrap();
    let text = shown(&["show", "out", TRAJECTORY, "2"]);
    assert!(text.starts_with("done, ") && text.contains("  > Bash {\"command\":\"printf"), "{text}");
    assert!(text.contains("+++ b/echo.py"), "{text}");
    let table = shown(&["show", "out", TRAJECTORY]);
    assert_eq!(table.lines().filter(|line| line.contains("done")).count(), 2, "{table}");

    // Cases that do not pass are listed.
    bench.summary(&run(&bench.agent("does nothing"), &["--out", "idle"]), 0);
    let text = shown(&["show", "idle", TRAJECTORY, "1"]);
    assert!(text.starts_with("unchanged, ") && text.contains("MISSING  checkpoint_1/prints_a_word (core)"), "{text}");
}

/// An agent that looks at its surroundings and at the gateway, and writes what it sees to its standard output.
const SPY: &str = r#"
import glob, os, sys, urllib.request, urllib.error
print('environment', dict(os.environ))
processes = [f'/proc/[0-9]*/{file}' for file in ('environ', 'cmdline', 'mountinfo', 'maps')]
for pattern in [*processes, '/proc/net/*', '/etc/*', '/home*/**', '/opt/**', '/tmp/**', '/var/**', '/run/**', '/dev/shm/**']:
    for path in glob.glob(pattern, recursive=True, include_hidden=True):
        try: print(path, open(path, errors='replace').read(1 << 16))
        except OSError as error: print(path, error)
for url in 'http://127.0.0.1:17890/', 'http://127.0.0.1:17890/v1/models', 'https://example.org/', 'http://example.org/leak':
    try: print(url, urllib.request.urlopen(url, timeout=60).read())
    except urllib.error.HTTPError as error: print(url, error.code, error.read())
    except OSError as error: print(url, error)
"#;

#[test]
fn a_key_and_what_is_hidden_are_nowhere_and_no_other_host_is_reached() {
    let bench = Bench::new();
    let case = bench.path("repository/problems/echo/checkpoint_1/cases/prints_a_word.toml");
    let hidden = fs::read_to_string(&case).unwrap() + "\n[expect.stderr]\ntext = \"canary-hidden\"\n";
    fs::write(&case, hidden).unwrap();
    let agent = bench.agent("well");
    let runs = [
        vec!["run", "--agent", "command", "--out", "spied", "--", "python3", "-c", SPY],
        run(&agent, &["--record", "--out", "recorded"]),
    ];
    for args in runs {
        let mut command = bench.command(&args);
        for variable in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
            command.env(variable, "canary-key");
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut looks = 0;
        while child.try_wait().unwrap().is_none() {
            looks += look_at_processes(child.id());
        }
        assert!(child.wait().unwrap().success() && looks > 0, "{looks}");
    }
    for out in ["spied", "recorded"] {
        let files = Listing::of_dir(&bench.path(out), "").unwrap().0;
        let wanted = if out == "spied" { "gateway.jsonl" } else { "cassette.jsonl" };
        assert!(files.keys().any(|path| path.ends_with(wanted)), "{files:?}");
        for path in files.keys() {
            let text = String::from_utf8_lossy(&fs::read(bench.path(out).join(path)).unwrap()).into_owned();
            assert!(!text.contains("canary"), "{path}: {text}");
        }
    }
    let session = bench.path("spied/units/echo--command--just-solve--1/checkpoint_1/session");
    let seen = fs::read_to_string(session.join("events")).unwrap();
    assert!(["HTTPS_PROXY", "/environ ", "Forbidden"].iter().all(|mark| seen.contains(mark)), "it did look: {seen}");
    let log = fs::read_to_string(session.join("gateway.jsonl")).unwrap();
    let asked: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked: Vec<_> = asked.iter().map(|entry| (&entry["method"], &entry["target"], &entry["status"])).collect();
    let expected = [
        ("GET", "/", 404),
        ("GET", "/v1/models", 404),
        ("CONNECT", "example.org:443", 403),
        ("GET", "example.org/leak", 403),
    ];
    let expected = expected.map(|(method, target, status)| (method.into(), target.into(), status.into()));
    assert_eq!(
        asked,
        expected.each_ref().map(|(method, target, status): &(Value, Value, Value)| (method, target, status))
    );
}

/// Looks for the key in every process of the sandboxes of `run`, from the worker down. How many looks there were.
fn look_at_processes(run: u32) -> usize {
    let is_worker = |pid: &u32| {
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|words| words.starts_with(b"slopbench-sandbox\0"))
    };
    let mut family: Vec<u32> = children(run).into_iter().filter(is_worker).collect();
    let mut looks = 0;
    while let Some(pid) = family.pop() {
        for file in ["environ", "cmdline"] {
            // A process may end while it is looked at.
            let Ok(bytes) = fs::read(format!("/proc/{pid}/{file}")) else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!text.contains("canary"), "{pid} {file}: {text}");
            looks += 1;
        }
        family.extend(children(pid));
    }
    looks
}

fn children(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let listed = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    listed.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()).collect()
}

/// A registry that answers one line with another, as often as it is asked.
fn registry() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut asked = [0; 64];
            let count = stream.read(&mut asked).unwrap();
            stream.write_all(&[b"package for ", &asked[..count]].concat()).unwrap();
        }
    });
    address
}

#[test]
fn a_host_is_reached_if_it_is_allowed_and_that_is_part_of_the_plan() {
    let bench = Bench::new();
    let host = registry().to_string();
    let ask = format!(
        "
import socket
way = socket.create_connection(('127.0.0.1', 17890))
way.sendall(b'CONNECT {host} HTTP/1.1\\r\\nhost: {host}\\r\\nconnection: close\\r\\n\\r\\n')
answer = way.makefile('rb')
status = answer.readline().split()[1].decode()
while answer.readline().strip(): pass
if status == '200': way.sendall(b'me')
print(status, answer.read().decode())
"
    );
    let command = ["--agent", "command", "--", "python3", "-c", &ask];
    let args = |options: &[&'static str]| {
        [&["run"], options, &command].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let session = |out: &str| bench.path(out).join("units/echo--command--just-solve--1/checkpoint_1/session");
    let said = |out: &str| fs::read_to_string(session(out).join("events")).unwrap();

    let refused = args(&["--out", "refused"]);
    bench.summary(&refused.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    assert!(said("refused").starts_with("403 "), "{}", said("refused"));
    let plan = |out: &str| fs::read_to_string(bench.path(out).join("plan.json")).unwrap();
    assert!(!plan("refused").contains("allowed_hosts"), "what agents cannot do is as it was before they could");

    let mut allowed = args(&["--out", "allowed", "--allow-host", "registry.example"]);
    allowed.splice(1..1, ["--allow-host".to_owned(), host.clone()]);
    bench.summary(&allowed.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    assert_eq!(said("allowed"), "200 package for me\n");
    let planned: Value = serde_json::from_str(&plan("allowed")).unwrap();
    assert_eq!(planned["design"]["allowed_hosts"], serde_json::json!([host, "registry.example:443"]));
    let log = fs::read_to_string(session("allowed").join("gateway.jsonl")).unwrap();
    let entry: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!((&entry["outcome"], &entry["target"]), (&"tunnelled".into(), &host.clone().into()));

    let wrong = bench.slopbench(&["run", "--agent", "noop", "--allow-host", "https://example.org/"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("expected the name of a host such as example.org"));
}

/// What such a problem's agents find is in `suite_runs.rs`, where there is a package index.
#[test]
fn a_suite_of_pytests_without_a_package_index_is_said_before_anything_is_paid() {
    let bench = Bench::new();
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").display().to_string();
    let shown = bench.summary(&["--problems", &suites, "problems", "show", "lengths"], 0);
    assert_eq!(shown["assets"], serde_json::json!(["units"]));
    let text =
        String::from_utf8(bench.slopbench(&["--problems", &suites, "problems", "show", "lengths"]).stdout).unwrap();
    assert!(text.contains("\nassets: units\n"), "{text}");

    let args =
        ["--problems", &suites, "run", "--problem", "lengths", "--agent", "command", "--out", "out", "--", "true"];
    let mut command = bench.command(&args);
    command.env("XDG_CACHE_HOME", bench.path("cache")).env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", "");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(!bench.path("out/units").exists());
}
