//! Solutions in other languages than Python: built, run and measured by the real binary.
//!
//! A track whose toolchain is not on this machine is skipped, saying so.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use common::{Bench, copy, states};
use serde_json::Value;
use slopbench_test_support::{Need, need};

/// The fixture of a track, which solves both checkpoints' words and numbers.
fn fixture(track: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tracks").join(track)
}

/// A bench, if this machine has the track's toolchain.
fn bench(track: &str) -> Option<Bench> {
    static DOCTOR: OnceLock<Value> = OnceLock::new();
    let bench = Bench::new();
    let found = DOCTOR.get_or_init(|| serde_json::from_slice(&bench.slopbench(&["--json", "doctor"]).stdout).unwrap());
    let name = format!("track {track}");
    let row = found.as_array().unwrap().iter().find(|row| row["name"] == *name).unwrap().clone();
    let state = if row["found"] == true { Ok(()) } else { Err(row["detail"].to_string()) };
    need(Need::Toolchain, state).map(|()| bench)
}

/// What `test` says of a solution in this track, at the second checkpoint.
fn test(bench: &Bench, track: &str, solution: &Path, code: i32) -> Value {
    let solution = solution.display().to_string();
    let output = bench
        .command(&["--json", "test", "echo", "--track", track, "--solution", &solution, "--jobs", "1"])
        .env("XDG_CACHE_HOME", bench.path("cache"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same of the track's fixture, once `change` was made to a copy of it; all cases have `verdict`.
fn changed(track: &str, verdict: &str, change: impl FnOnce(&Path)) -> Option<String> {
    let bench = bench(track)?;
    let solution = bench.path("changed");
    copy(&fixture(track), &solution);
    change(&solution);
    let answer = test(&bench, track, &solution, i32::from(verdict != "pass"));
    let verdicts = answer["verdicts"]["cases"].as_array().unwrap();
    assert!(verdicts.iter().all(|case| case["verdict"] == verdict), "{answer}");
    assert_eq!(answer["verdicts"]["track"], track);
    // What was at work is gone.
    let scratch = fs::read_dir(bench.path("cache/slopbench/environments/scratch")).into_iter().flatten();
    assert_eq!(scratch.count(), 0);
    Some(answer["verdicts"]["build_failed"].as_str().unwrap_or_default().to_owned())
}

fn solves(track: &str) {
    let Some(bench) = bench(track) else { return };
    let answer = test(&bench, track, &fixture(track), 0);
    assert_eq!((&answer["verdicts"]["track"], &answer["verdicts"]["solve"]["strict"]), (&track.into(), &true.into()));
}

#[test]
fn javascript_runs_as_it_is_written() {
    solves("javascript");
}

#[test]
fn go_is_built() {
    solves("go");
}

#[test]
fn rust_is_built() {
    solves("rust");
}

#[test]
fn java_is_built() {
    solves("java");
}

/// A run's plan and results name the track, agents are told of it, and each checkpoint is solved by the track's references.
#[test]
fn a_run_is_in_one_track() {
    let Some(bench) = bench("javascript") else { return };
    let solution = "repository/problems/echo/solution/javascript";
    for number in [1, 2] {
        copy(&fixture("javascript"), &bench.path(&format!("{solution}/checkpoint_{number}")));
    }
    let first = "\"use strict\";\n\nconst word = process.argv[2];\nif (/^[0-9]+$/.test(word)) {\n  process.exit(1);\n}\nconsole.log(word);\n";
    fs::write(bench.path(&format!("{solution}/checkpoint_1/echo.js")), first).unwrap();
    let script = "printf '%s' \"$1\" > prompt.txt";
    let told = bench.summary(
        &[
            "run",
            "--track",
            "javascript",
            "--agent",
            "command",
            "--out",
            "told",
            "--",
            "/bin/sh",
            "-c",
            script,
            "sh",
            "{prompt}",
        ],
        0,
    );
    assert_eq!(told["track"], "javascript");
    let unit = fs::read_dir(bench.path("told/units")).unwrap().next().unwrap().unwrap().path();
    let prompt = fs::read_to_string(bench.path("told/plan.json")).unwrap();
    assert!(prompt.contains("\"track\": \"javascript\""), "{prompt}");
    let diff = bench.slopbench(&["show", "told", &unit.file_name().unwrap().to_string_lossy(), "1"]);
    let shown = String::from_utf8_lossy(&diff.stdout).into_owned();
    assert!(shown.contains("`node echo.js`") && !shown.contains("requirements.txt"), "{shown}");

    let solved = bench.summary(&["run", "--track", "javascript", "--agent", "reference", "--out", "solved"], 0);
    assert_eq!(states(&solved), [("done".to_owned(), 2), ("done".to_owned(), 2)], "{solved}");
    assert!(solved["instrument"].to_string().contains("toolchain"), "{}", solved["instrument"]);
    let again = bench.slopbench(&["regrade", "solved"]);
    assert!(again.status.success(), "{again:?}");
}

#[test]
fn what_the_compiler_says_is_the_verdict() {
    let broken = [
        ("go", "main.go", "package main\n\nfunc main() { undefined() }\n", "main.go:3:15: undefined: undefined"),
        ("rust", "src/main.rs", "fn main() { undefined() }\n", "error[E0425]: cannot find function `undefined`"),
        ("java", "Main.java", "class Main { int x = \"\"; }\n", "Main.java:1: error: incompatible types"),
    ];
    for (track, file, text, said) in broken {
        let failed = changed(track, "build_failed", |solution| fs::write(solution.join(file), text).unwrap());
        assert!(failed.as_ref().is_none_or(|failed| failed.contains(said)), "{track}: {failed:?}");
    }
}

#[test]
fn a_build_that_leaves_no_program_says_what_to_do() {
    let failed = changed("rust", "build_failed", |solution| {
        let manifest = "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        fs::write(solution.join("Cargo.toml"), manifest).unwrap();
    });
    let expected =
        "its build ends well and leaves no `target/release/echo`: a binary of the package has to have this name";
    assert!(failed.as_ref().is_none_or(|failed| failed == expected), "{failed:?}");
}

/// What lay in the product's place is neither measured nor run.
#[test]
fn what_the_build_makes_is_made_anew() {
    changed("rust", "pass", |solution| {
        fs::create_dir_all(solution.join("target/release")).unwrap();
        fs::write(solution.join("target/release/echo"), "#!/bin/sh\necho planted\n").unwrap();
    });
}

#[test]
fn a_solution_without_the_tracks_file_is_named() {
    let Some(bench) = bench("go") else { return };
    let solution = bench.path("empty");
    fs::create_dir(&solution).unwrap();
    let error = bench.error(&["test", "echo", "--track", "go", "--solution", "empty"], 2);
    assert_eq!(error, "error: empty/go.mod is not a file; a solution of echo in go has it");
}

#[test]
fn a_problem_without_references_in_a_track_says_so() {
    let Some(bench) = bench("javascript") else { return };
    let checked = bench.slopbench(&["problems", "check", "echo", "--track", "javascript"]);
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(checked.status.code(), Some(1), "{said}");
    let flaws = [1, 2].map(|number| format!("there is no reference solution of checkpoint {number} in javascript"));
    assert!(said.contains("2 flaws:") && flaws.iter().all(|flaw| said.contains(flaw)), "{said}");
}

#[test]
fn a_track_that_there_is_not_is_named() {
    let error = Bench::new().slopbench(&["test", "echo", "--track", "cobol", "--solution", "x"]);
    let said = String::from_utf8_lossy(&error.stderr).into_owned();
    assert_eq!(error.status.code(), Some(2));
    assert!(said.contains("expected one of python, javascript, go, rust, java"), "{said}");
}

/// Whoever lacks a toolchain is told what to install, and no solution is blamed.
#[test]
fn a_missing_toolchain_is_the_infrastructures() {
    let bench = Bench::new();
    let system = bench.path("system");
    // A system with Python and without Go.
    fs::create_dir_all(system.join("usr/bin")).unwrap();
    std::os::unix::fs::symlink("/nowhere", system.join("usr/bin/python3")).unwrap();
    let fixture = fixture("go").display().to_string();
    let args = ["test", "echo", "--track", "go", "--solution", &fixture, "--system", "system"];
    let error = bench.error(&args, 3);
    assert!(error.starts_with("error: the track go cannot be had here: `go version` does not answer"), "{error}");
    assert!(error.contains("apt-get install golang-go"), "{error}");
}
