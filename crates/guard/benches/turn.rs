//! What a guard takes of a turn without a model, on 500 files and with 200 records: the state opened, the code read, everything written; from a folder
//! and from a commit. The goal is a median of at most 200 ms; exit code 1 where it is missed.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and it prints")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use slopbench_guard::{FinishedTurn, Guard, GuardSettings, SessionLoad, SourceTree};

const FILES: usize = 500;
const RECORDS: usize = 200;
const TURNS: usize = 31;
const CHANGED: usize = 10;
const GOAL: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    let scratch = tempfile::tempdir().unwrap();
    let code = scratch.path().join("code");
    (0..FILES).for_each(|number| write(&code, number, 0));
    git(&code, &["init", "--quiet"]);
    commit(&code);
    let revision = SourceTree::Revision { repository: code.clone(), revision: "HEAD".to_owned() };
    let mut slowest = Duration::ZERO;
    for (name, tree) in [("folder", SourceTree::Folder(code.clone())), ("revision", revision)] {
        let state = scratch.path().join(name);
        let begun = Instant::now();
        Guard::create(&state, &GuardSettings::default()).unwrap().read_code(&tree).unwrap();
        let first = begun.elapsed();
        (0..RECORDS).for_each(|number| record(&state, number));
        let mut times: Vec<_> =
            (1..=TURNS).map(|turn| update(&code, &state, &tree, turn + name.len() * 1000)).collect();
        times.sort();
        let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
        slowest = slowest.max(median);
        let size = Guard::open(&state).unwrap().size().unwrap().kilobytes();
        println!(
            "{name:9} {FILES} files, {CHANGED} of them changed: median {median:?}, worst {worst:?} of {TURNS} turns"
        );
        println!("          all of them for the first time: {first:?}; the state takes {size:.1} kB");
    }
    println!("goal      {GOAL:?}");
    ExitCode::from(u8::from(slowest > GOAL))
}

/// One turn: files change, a process opens the state and brings it up to date.
fn update(code: &Path, state: &Path, tree: &SourceTree, turn: usize) -> Duration {
    (0..CHANGED).for_each(|number| write(code, (turn * CHANGED + number) % FILES, turn));
    commit(code);
    let begun = Instant::now();
    let mut guard = Guard::open(state).unwrap();
    guard.after(&FinishedTurn { request: "Go on.", answer: "" }, tree).unwrap();
    guard.before("Go on with module_7.py.", SessionLoad::default()).unwrap();
    begun.elapsed()
}

/// A module of some 150 lines that imports two others.
fn write(code: &Path, number: usize, turn: usize) {
    let others = [(number * 7 + 1) % FILES, (number * 13 + 5) % FILES];
    let imports = others.map(|other| format!("from pkg{}.module_{other} import Worker_{other}\n", other % 20)).concat();
    let methods = (0..20).map(|method| {
        format!("    def step_{method}(self, first: int, second: str = \"x\") -> int:\n        value = first + {turn}\n        if second:\n            value += 1\n        return value\n\n")
    });
    let class = format!("class Worker_{number}:\n    \"\"\"Works.\"\"\"\n\n{}", methods.collect::<String>());
    let functions =
        (0..5).map(|function| format!("def run_{function}(a, *, b={turn}):\n    return a\n\n")).collect::<String>();
    let path = code.join(format!("pkg{}/module_{number}.py", number % 20));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("\"\"\"Module {number}.\"\"\"\n\n{imports}\n\n{class}\n{functions}")).unwrap();
}

/// A decision of a paragraph that refines another.
fn record(state: &Path, number: usize) {
    let text = "What is computed here is computed once, and nobody else computes it again. ".repeat(5);
    let record = format!("---\ntitle: Decision number {number}\nstatus: committed\nturns: {number}\n---\n\n{text}\n");
    fs::create_dir_all(state.join("decision")).unwrap();
    fs::write(state.join(format!("decision/decision-{number}.md")), record).unwrap();
    let relation = |number: usize| format!("decision-{number},refines,decision-{}\n", number - 1);
    let relations: String = (1..=number).map(relation).collect();
    fs::write(state.join("edges.csv"), format!("from,relation,to\n{relations}")).unwrap();
}

fn commit(code: &Path) {
    git(code, &["add", "--all"]);
    git(
        code,
        &[
            "-c",
            "user.name=bench",
            "-c",
            "user.email=bench@localhost",
            "commit",
            "--quiet",
            "--allow-empty",
            "--message",
            "turn",
        ],
    );
}

fn git(folder: &Path, args: &[&str]) {
    let status = Command::new("git").args(args).current_dir(folder).status().expect("git can be started");
    assert!(status.success(), "git {args:?} failed");
}
