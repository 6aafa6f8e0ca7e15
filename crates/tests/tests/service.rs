//! Servers, from the case to the verdict, in the embedded sandbox: good ones, and each way to fail.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    num::NonZeroUsize,
    path::Path,
    time::{Duration, Instant},
};

use common::write;
use slopbench_sandbox::{Error, Limit, Namespaces, Runtime, Sandbox, Solution};
use slopbench_tests::{CaseOutcome, Engine, Gate, Problem, Verdict, pytest::no_environments};

const PROBLEM: &str = r#"format = "slopbench.problem/2"
title = "Notes"
kind = "http"
entry = "server"

[server]
port_variable = "PORT"
ready = "/"
ready_ms = 4000
answer_ms = 1000

[limits]
wall_ms = 10000
memory_mb = 64

[[checkpoints]]
title = "Notes"
"#;

/// What every case begins with.
const CASE: &str = r#"format = "slopbench.case/1"
title = "Notes are kept"
category = "core"
"#;

/// Keeps notes in files: `POST /notes` answers `{"id": n}`, `GET /notes/n` what was posted, `POST /once` 200 for the first
/// to come and 409 for all others, `POST /die` nothing.
const SERVER: &str = r#"
import http.server, json, os, sys, threading

lock, first = threading.Lock(), []

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            self.answer(200, open("note" + self.path.partition("?")[0].rpartition("/")[2]).read())
        except OSError:
            self.answer(404, '{"error": "there is no such note"}')

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/die":
            os._exit(3)
        if self.path == "/abort":
            os.abort()
        with lock:
            if self.path == "/once":
                first.append(body)
                return self.answer(200 if len(first) == 1 else 409, "{}")
            number = len(os.listdir())
            open(f"note{number}", "w").write(body)
        self.answer(201, json.dumps({"id": number, "key": self.headers["Key"]}))

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in body:
            self.wfile.write(f"1\r\n{part}\r\n".encode())
        self.wfile.write(b"0\r\n\r\n")

http.server.ThreadingHTTPServer.request_queue_size = 64
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"#;

fn play(server: &str, steps: &str) -> CaseOutcome {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "problem.toml", PROBLEM);
    write(dir.path(), "checkpoint_1/spec.md", "Keep notes.");
    write(dir.path(), "checkpoint_1/cases/notes.toml", format!("{CASE}{steps}"));
    write(dir.path(), "solution/server.py", server);
    let problem = Problem::load(dir.path()).unwrap();
    let runtime = Runtime::python3().unwrap();
    let open = |solution: &Path, _: Option<&Path>| -> Result<Box<dyn Sandbox>, Error> {
        let solution =
            Solution { dir: solution.to_path_buf(), hide: vec![dir.path().to_path_buf()], ..Solution::default() };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    };
    let engine =
        Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
    let started = Instant::now();
    let outcome = engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &|_| {}).unwrap().remove(0);
    assert!(started.elapsed() < Duration::from_secs(11), "within the limit plus one second: {outcome:?}");
    assert_eq!(outcome.infrastructure, None);
    outcome
}

fn wrong(what: &[&str]) -> Verdict {
    Verdict::Fail { mismatches: what.iter().map(|what| (*what).to_owned()).collect() }
}

const POST: &str = r#"
[[steps]]
request = "POST /notes"
headers = { Key = "k" }
json = '{"text": "a"}'
capture = { note = "/id", key = "/key" }
expect.status = 201
expect.headers.Content-Type.pattern = '^application/json'
expect.headers.Location.absent = true
expect.body.json = '{"id": "${note}", "key": "k"}'
"#;

const GET: &str = r#"
[[steps]]
request = "GET /notes/${note}?key=${key}"
expect.status = 200
expect.body.json = '{"text": "a"}'
"#;

const RESTART: &str = "\n[[steps]]\nrestart = true\n";

#[test]
fn a_case_asks_captures_restarts_and_asks_again() {
    let steps = format!(
        "{POST}{RESTART}{}\n[expect.files.note0]\njson = '{{\"text\": \"a\"}}'\n",
        GET.replace("?key=${key}", "")
    );
    let outcome = play(SERVER, &steps);
    assert_eq!(outcome.verdict, Verdict::Pass, "{outcome:?}");
    assert!(outcome.details.is_empty());
}

#[test]
fn a_mismatch_names_the_step_and_what_differs_and_comes_with_the_log() {
    for (steps, what) in [
        (POST.replace("201", "200"), "step 1 status"),
        (POST.replace("\"k\"}'", "\"other\"}'"), "step 1 body"),
        (POST.replace("Location.absent = true", "Location.text = '/notes/1'"), "step 1 header location"),
        (POST.replace("\"/id\"", "\"/number\""), "step 1 capture note"),
        (format!("{POST}{RESTART}{}", GET.replace("\"a\"", "\"b\"")), "step 3 body"),
    ] {
        let outcome = play(SERVER, &steps);
        assert_eq!(outcome.verdict, wrong(&[what]), "{outcome:?}");
        let log = outcome.details.last().unwrap();
        assert_eq!(log.what, "the server's standard error");
        assert!(log.diff.contains("POST /notes"), "{log:?}");
    }
}

#[test]
fn requests_that_go_together_are_answered_in_any_order() {
    let steps = |first: u32, others: u32| {
        format!(
            r#"
[[steps]]
together = [
    {{ request = "POST /once", times = {first}, expect.status = 200 }},
    {{ request = "POST /once", times = {others}, expect.status = 409 }},
    {{ request = "GET /nothing", expect.status = 404 }},
]
"#
        )
    };
    assert_eq!(play(SERVER, &steps(1, 15)).verdict, Verdict::Pass);
    let outcome = play(SERVER, &steps(2, 3));
    assert_eq!(outcome.verdict, wrong(&["step 1.1 answers"]));
    assert!(outcome.details[0].detail.contains("[200, 409, 409, 409, 409]"), "{outcome:?}");
}

#[test]
fn a_server_that_ends_has_its_end_as_its_verdict() {
    let ask = |path: &str| format!("{POST}[[steps]]\nrequest = \"POST {path}\"\n{GET}");
    assert_eq!(play(SERVER, &ask("/die")).verdict, wrong(&["step 2"]));
    assert_eq!(play(SERVER, &ask("/abort")).verdict, Verdict::Crashed { signal: 6 });
    assert_eq!(play("raise SystemExit(1)", POST).verdict, wrong(&["start"]));
    let once = SERVER.replace(
        "lock, first",
        "open('lives', 'a').write('x')\nif len(open('lives').read()) > 1: os._exit(1)\nlock, first",
    );
    assert_eq!(play(&once, &format!("{POST}{RESTART}{GET}")).verdict, wrong(&["step 2 restart"]));
}

#[test]
fn hostile_servers_have_their_verdicts() {
    let raw = |code: &str| {
        let server = "server = socket.create_server(('127.0.0.1', int(os.environ['PORT'])), backlog=64)";
        format!("import os, socket, time\n{server}\nok = b'HTTP/1.0 200 OK\\r\\n\\r\\n'\n{code}\n")
    };
    // Is ready, then misbehaves.
    let then = |code: &str| {
        raw(&format!(
            "peer = server.accept()[0]; peer.recv(999); peer.sendall(ok); peer.close()\nwhile True:\n    peer = server.accept()[0]\n    {code}"
        ))
    };
    let head = "HTTP/1.1 200 OK\\r\\nContent-Length: 100000000\\r\\n\\r\\n";
    for (what, server, verdict) in [
        ("binds and never answers", raw("time.sleep(60)"), wrong(&["start"])),
        ("is ready and never answers", then("time.sleep(60)"), wrong(&["step 1 answer"])),
        (
            "listens on another port",
            raw("").replace("int(os.environ['PORT'])", "8765") + "time.sleep(60)",
            wrong(&["start"]),
        ),
        ("answers for ever", then("while True: peer.sendall(b'x')"), wrong(&["step 1 answer"])),
        (
            "drips",
            then(&format!("peer.sendall(b'{head}')\n    while True: peer.sendall(b'x'); time.sleep(.01)")),
            wrong(&["step 1 answer"]),
        ),
        (
            "100 MB",
            then(&format!("peer.sendall(b'{head}')\n    for _ in range(100): peer.sendall(b'x' * 1_000_000)")),
            wrong(&["step 1 answer"]),
        ),
        (
            "closes amid the body",
            then(&format!("peer.recv(999); peer.sendall(b'{head}half'); peer.close()")),
            wrong(&["step 1 answer"]),
        ),
        (
            "answers garbage",
            then("peer.recv(999); peer.sendall(b'garbage\\r\\n\\r\\n'); peer.close()"),
            wrong(&["step 1 answer"]),
        ),
        ("becomes a daemon", format!("import os\nif os.fork(): os._exit(0)\nos.setsid()\n{SERVER}"), wrong(&["start"])),
        ("prints for ever", raw("while True: print('x' * 1000)"), Verdict::Limit { limit: Limit::Output }),
        (
            "takes memory",
            raw("data = []\nwhile True: data.append(b'x' * 2**20)"),
            Verdict::Limit { limit: Limit::Memory },
        ),
    ] {
        let outcome = play(&server, POST);
        assert_eq!(outcome.verdict, verdict, "{what}: {outcome:?}");
    }
}

#[test]
fn the_wall_clock_limits_a_whole_case() {
    let slow =
        SERVER.replace("    def do_POST(self):\n", "    def do_POST(self):\n        __import__('time').sleep(.7)\n");
    let steps = format!("[limits]\nwall_ms = 3000\n{}", POST.repeat(10));
    assert_eq!(play(&slow, &steps).verdict, Verdict::Limit { limit: Limit::Wall });
}

/// A child that the first life left behind would keep the port, or answer in its place.
#[test]
fn a_child_does_not_outlive_a_restart() {
    let fork = SERVER.replace("lock, first", "if not os.path.exists('child'):\n    open('child', 'w')\n    if os.fork(): threading.Event().wait()\n    os.setsid()\nlock, first");
    assert_eq!(play(&fork, &format!("{POST}{RESTART}{GET}")).verdict, Verdict::Pass, "its child serves, then itself");
}

/// Invariant 1: a hidden expectation never enters a sandbox.
#[test]
fn nothing_that_is_expected_reaches_the_server() {
    let steps = POST.replace("'^application/json'", "'^SECRET'");
    let looks = SERVER.replace(
        "    def do_POST(self):\n",
        "    def do_POST(self):\n        found = [name for name in ('SECRET', 'pattern') if name in str(self.headers) + str(os.environ)]\n        found += [pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) not in (1, os.getpid())]\n        print(found, flush=True)\n",
    );
    let outcome = play(&looks, &steps);
    assert_eq!(outcome.verdict, wrong(&["step 1 header content-type"]));
    assert_eq!(outcome.details[1].diff, " []\n", "{outcome:?}");
}

#[test]
fn a_server_has_to_be_told_its_port() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "problem.toml", PROBLEM.replace("port_variable = \"PORT\"\n", ""));
    write(dir.path(), "checkpoint_1/spec.md", "Keep notes.");
    let case = "checkpoint_1/cases/notes.toml";
    for told in ["args = ['--port={port}']\n", "env = { LISTEN = 'localhost:{port}' }\n"] {
        write(dir.path(), case, format!("{CASE}{told}{POST}"));
        assert!(Problem::load(dir.path()).is_ok(), "{told}");
    }
    write(dir.path(), case, format!("{CASE}{POST}"));
    let error = Problem::load(dir.path()).unwrap_err().to_string();
    assert!(error.contains("notes.toml:2: the server is not told its port"), "{error}");
}

/// What is written into the case, and how the error must begin, after the file's name.
#[test]
fn every_flaw_names_its_line() {
    let load = |file: &str, content: &str| {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "problem.toml", PROBLEM);
        write(dir.path(), "checkpoint_1/spec.md", "Keep notes.");
        write(dir.path(), "checkpoint_1/cases/notes.toml", format!("{CASE}{POST}"));
        write(dir.path(), file, content);
        let error = Problem::load(dir.path()).unwrap_err().to_string();
        error.rsplit_once(".toml").unwrap().1.to_owned()
    };
    for (content, expected) in [
        (PROBLEM.replace("\"http\"", "\"cli\""), ":6: [server] goes with kind"),
        (
            PROBLEM.split("[server]").next().unwrap().to_owned() + "[[checkpoints]]\ntitle = \"a\"\n",
            ":3: kind \"http\" needs [server]",
        ),
        (PROBLEM.replace("\"/\"", "\"health\""), ":8: `health` is no path"),
        (PROBLEM.replace("\"PORT\"", "\"A=B\""), ":7: not the name of an environment variable"),
    ] {
        let error = load("problem.toml", &content);
        assert!(error.starts_with(expected), "{error}");
    }
    for (steps, expected) in [
        (String::new(), ":2: missing [[steps]]"),
        (format!("{POST}[expect]\nexit_code = 0\n"), ":14: a server has no exit code"),
        (POST.replace("POST /notes", "POST"), ":6: a request is a method and a path"),
        (POST.replace("POST /notes", "post /notes"), ":6: `post` is no method"),
        (POST.replace("/notes", "/a b"), ":6: `/a b` is no path"),
        (POST.replace("\"a\"}'", "\"a}'"), ":8: not JSON"),
        (POST.replace("note =", "Note ="), ":9: `Note` is no name"),
        (POST.replace("\"/id\"", "\"id\""), ":9: a JSON pointer"),
        (POST.replace("{note}", "{nose}"), ":13: `${nose}` was not captured before; captured: key, note"),
        (GET.to_owned(), ":6: `${note}` was not captured before"),
        (POST.replace("json = '{\"text", "body = ''\njson = '{\"text"), ":5: a request has `body` or `json`"),
        (format!("{RESTART}expect.status = 200\n"), ":5: beside `restart`"),
        ("\n[[steps]]\ntogether = []\n".to_owned(), ":5: 1 to 64 requests go together"),
        ("\n[[steps]]\nexpect.status = 200\n".to_owned(), ":5: a step has either"),
        (format!("stdin = 'a'\n{POST}"), ":4: a server is asked by [[steps]] and has no stdin"),
        (format!("signal = {{ name = 'SIGTERM', after_ms = 9 }}\n{POST}"), ":4: a server is stopped"),
        (format!("{POST}[expect]\nsignal = 'SIGTERM'\n"), ":14: a server has no exit code"),
        (format!("{POST}times = 2\n"), ":14: capture in a step of its own"),
    ] {
        let error = load("checkpoint_1/cases/notes.toml", &format!("{CASE}{steps}"));
        assert!(error.starts_with(expected), "expected {expected}, got {error}");
    }
}
