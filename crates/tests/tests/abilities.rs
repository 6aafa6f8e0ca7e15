//! A problem that uses all that a case can say, in every back end: what a good solution gets, and a bad one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{collections::BTreeMap, fs, num::NonZeroUsize, path::Path};

use common::write;
use slopbench_sandbox::{
    Error, Host, Namespaces, Runtime, Sandbox, Solution,
    docker::{ContainerEngine, Docker},
    probe,
};
use slopbench_test_support::{Need, need};
use slopbench_tests::{Engine, Gate, Problem, Verdict, pytest::no_environments};
use tempfile::TempDir;

const PROBLEM: &str = r#"format = "slopbench.problem/2"
title = "Words"
kind = "cli"
entry = "main"
assets = "known"

[limits]
memory_mb = 64

[[checkpoints]]
title = "Words"
limits = { wall_ms = 12000 }
"#;

const GOOD: &str = include_str!("abilities/good.py");

/// What a bad solution does instead, and the case that finds it out, with what differs there.
const FLAWS: &[(&str, &str, &str, &[&str])] = &[
    ("return 3", "return 0", "refused", &["step 1 exit code"]),
    ("unknown: {' '.join(unknown)}", "unknown", "refused", &["step 1 stderr"]),
    (
        "[word for word in words if word not in known(path)]",
        "[]",
        "refused",
        &["step 1 exit code", "step 1 stderr", "step 1 file words.db"],
    ),
    ("SET count = count + 1", "SET count = count + 2", "rows", &["step 2 file words.db"]),
    ("DATABASE = \"words.db\"", "DATABASE = \"other.db\"", "rows", &["step 2 file words.db"]),
    ("\"version\": \"1.2\"", "\"version\": 1.2", "rows", &["step 3 stdout"]),
    ("count / total", "count / total + 0.11", "rows", &["step 3 stdout"]),
    ("ORDER BY word", "ORDER BY word DESC", "packed", &["step 2 file words.zip"]),
    ("\"w:gz\" if name.endswith(\".gz\") else \"w\"", "\"w\"", "packed", &["step 4 file words.tar.gz"]),
    ("\"./words/all.txt\"", "\"./words/any.txt\"", "packed", &["step 3 file words.tar"]),
    (
        "    with open(\"ready\", \"w\"):",
        "    sys.exit(0)\n    with open(\"ready\", \"w\"):",
        "stopped",
        &["signal", "file stopped"],
    ),
    ("by signal", "somehow", "stopped", &["file stopped"]),
    ("if polite:", "if False:", "stopped", &[]),
    ("if polite:", "if True:", "killed", &["step 1 signal", "step 1 file stopped"]),
    ("lambda *_: sys.exit(5)", "lambda *_: sys.exit(0)", "killed", &["step 2 exit code"]),
];

/// A server that is told its port by an argument, and whose answers hold a file of the assets.
const SERVER: &str = r#"
import http.server, json, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"known": open(sys.argv[4]).read().split(), "path": self.path}).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)

assert sys.argv[1] == "--port" and sys.argv[3] == "--known"
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
"#;

const SERVICE: &str = r#"format = "slopbench.case/1"
title = "The server listens where its arguments say"
category = "core"
args = ["--port", "{port}", "--known", "{assets}/known.txt"]

[[steps]]
request = "GET /words"
expect.status = 200
expect.body.json = '{"known": {"?unordered": ["pear", "apple"]}, "path": {"?pattern": "^/words"}}'

[[steps]]
restart = true

[[steps]]
request = "GET /again"
expect.body.json = '{"?subset": {"path": "/again"}}'
"#;

/// The problem, with a solution in `solution/main.py`.
fn problem(solution: &str) -> TempDir {
    let (dir, own) = (tempfile::tempdir().unwrap(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abilities"));
    write(dir.path(), "problem/problem.toml", PROBLEM);
    write(dir.path(), "problem/checkpoint_1/spec.md", "Keep words.");
    write(dir.path(), "problem/known/known.txt", fs::read(own.join("assets/known.txt")).unwrap());
    for case in fs::read_dir(own.join("cases")).unwrap() {
        let case = case.unwrap();
        let name = case.file_name().into_string().unwrap();
        write(dir.path(), &format!("problem/checkpoint_1/cases/{name}"), fs::read(case.path()).unwrap());
    }
    write(dir.path(), "solution/main.py", solution);
    dir
}

fn server() -> TempDir {
    let dir = problem(SERVER);
    fs::remove_dir_all(dir.path().join("problem/checkpoint_1/cases")).unwrap();
    let file = PROBLEM.replace("\"cli\"", "\"http\"").replace("[limits]", "[server]\nready = \"/\"\n[limits]");
    write(dir.path(), "problem/problem.toml", file);
    write(dir.path(), "problem/checkpoint_1/cases/service.toml", SERVICE);
    dir
}

type Open<'a> = dyn Fn(&Solution) -> Result<Box<dyn Sandbox>, Error> + Sync + 'a;

/// The verdict on each case whose name `wanted` takes.
fn verdicts(dir: &TempDir, open: &Open<'_>, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Verdict> {
    let problem = Problem::load(&dir.path().join("problem")).unwrap();
    let open = |solution: &Path, assets: Option<&Path>| {
        let (dir, assets) = (solution.to_path_buf(), assets.map(Path::to_path_buf));
        open(&Solution { dir, hide: vec![problem.dir.join("checkpoint_1")], assets, ..Solution::default() })
    };
    let engine =
        Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
    let mut cases = problem.suite(1);
    cases.retain(|case| wanted(case.id.as_str().trim_start_matches("checkpoint_1/")));
    let outcomes = engine.run(&problem, &cases, &dir.path().join("solution"), &|_| {}).unwrap();
    let verdict = |outcome: slopbench_tests::CaseOutcome| {
        assert_eq!(outcome.infrastructure, None);
        (outcome.id.as_str().trim_start_matches("checkpoint_1/").to_owned(), outcome.verdict)
    };
    outcomes.into_iter().map(verdict).collect()
}

fn good_passes(open: &Open<'_>) {
    let expected = ["killed", "packed", "refused", "rows", "stopped"].map(|case| (case.to_owned(), Verdict::Pass));
    assert_eq!(verdicts(&problem(GOOD), open, |_| true), expected.into());
    let served = verdicts(&server(), open, |_| true);
    assert_eq!(served, BTreeMap::from([("service".to_owned(), Verdict::Pass)]));
}

fn bad_fails(open: &Open<'_>) {
    for (good, bad, case, what) in FLAWS {
        assert_eq!(GOOD.matches(good).count(), 1, "{good}");
        let seen = verdicts(&problem(&GOOD.replace(good, bad)), open, |name| name == *case);
        let mismatches = what.iter().map(|what| (*what).to_owned()).collect();
        // A program without a handler ends by the signal, which was not expected.
        let expected = if what.is_empty() { Verdict::Crashed { signal: 15 } } else { Verdict::Fail { mismatches } };
        assert_eq!(seen, BTreeMap::from([((*case).to_owned(), expected)]), "{bad}");
    }
}

fn namespaces() -> Option<Box<Open<'static>>> {
    need(Need::Namespaces, probe::available())?;
    let runtime = Runtime::python3().unwrap();
    Some(Box::new(move |solution| Ok(Box::new(Namespaces::open(solution, &runtime)?))))
}

fn containers() -> Option<Box<Open<'static>>> {
    let image = ContainerEngine::connect().and_then(|engine| engine.find_image("slopbench/python"));
    let image = need(Need::Docker, image)?;
    Some(Box::new(move |solution| Ok(Box::new(Docker::open(solution, &image)?))))
}

fn host() -> Option<Box<Open<'static>>> {
    Some(Box::new(|solution| Ok(Box::new(Host::open(solution)?))))
}

#[test]
fn a_good_solution_passes_in_namespaces() {
    namespaces().iter().for_each(|open| good_passes(open));
}

#[test]
fn a_good_solution_passes_in_containers() {
    containers().iter().for_each(|open| good_passes(open));
}

#[test]
fn a_good_solution_passes_on_the_machine_itself() {
    host().iter().for_each(|open| good_passes(open));
}

#[test]
fn each_flaw_is_found_in_namespaces() {
    namespaces().iter().for_each(|open| bad_fails(open));
}

#[test]
fn each_flaw_is_found_in_containers() {
    containers().iter().for_each(|open| bad_fails(open));
}

#[test]
fn each_flaw_is_found_on_the_machine_itself() {
    host().iter().for_each(|open| bad_fails(open));
}

/// Beside the reading, which the cases above do.
#[test]
fn assets_are_read_only_and_nothing_else_of_the_problem_is_there() {
    let look = r#"
import os, sys
found = sorted(os.path.join(folder, name) for folder, _, names in os.walk("/assets") for name in names)
for attempt in lambda: open("/assets/x", "w"), lambda: os.remove("/assets/known.txt"), lambda: os.chmod("/assets/known.txt", 0o666):
    try: attempt(); found.append("CHANGED")
    except OSError: pass
print(found, os.environ["ASSETS"], file=sys.stderr)
sys.exit(7)
"#;
    for open in [namespaces(), containers()].into_iter().flatten() {
        let dir = problem(look);
        let case = "format = \"slopbench.case/1\"\ntitle = \"x\"\ncategory = \"core\"\n[expect]\nexit_code = 7\n";
        let seen = "[expect.stderr]\ntext = \"['/assets/known.txt'] /assets\\n\"\n";
        write(dir.path(), "problem/checkpoint_1/cases/rows.toml", format!("{case}{seen}"));
        assert_eq!(verdicts(&dir, &open, |name| name == "rows")["rows"], Verdict::Pass);
    }
}
