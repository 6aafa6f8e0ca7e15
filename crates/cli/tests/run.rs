//! Bench runs with the real binary, sandbox and analyzer, on the small problem in `tests/repository`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Stdio,
    thread::sleep,
    time::Duration,
};

use common::{Bench, states};
use serde_json::Value;
use slopbench_digest::Listing;

/// A solution that is written by `sh`, checkpoint 1 or 2 as the specification says, after a while.
const SOLVE: &str = r#"sleep 0.1
case "$1" in
*double*) say='2 * int(word) if word.isdigit() else word' ;;
*) say='sys.exit(1) if word.isdigit() else word' ;;
esac
printf 'import sys\n\nword = sys.argv[1]\nprint(%s)\n' "$say" > echo.py
"#;

#[test]
fn the_reference_solves_every_checkpoint_and_the_same_command_does_nothing_twice() {
    let bench = Bench::new();
    let args = ["run", "--agent", "reference", "--repeats", "2", "--jobs", "2", "--out", "out"];
    let summary = bench.summary(&args, 0);
    assert_eq!(states(&summary), [("done".to_owned(), 2), ("done".to_owned(), 2)]);
    for rates in ["planned", "produced"] {
        let expected =
            serde_json::json!({"checkpoints": 4, "strict": 1.0, "isolated": 1.0, "core": 1.0, "partial": 1.0});
        assert_eq!(summary["groups"][0][rates], expected);
    }
    assert_eq!(summary["groups"][0]["fully_solved"], 2);
    assert!(summary["usage"]["groups"][0]["minutes"].is_number(), "{summary}");
    assert_eq!(summary["trajectories"][1]["id"], "echo--reference--just-solve--2");
    assert!(summary["trajectories"][0]["erosion_slope"].is_number());

    let before = Listing::of_dir(&bench.path("out"), "").unwrap();
    assert_eq!(bench.summary(&args, 0), summary);
    assert_eq!(Listing::of_dir(&bench.path("out"), "").unwrap(), before);
    let written: Value = serde_json::from_slice(&fs::read(bench.path("out/summary.json")).unwrap()).unwrap();
    let mut verified = summary;
    verified.as_object_mut().unwrap().remove("usage").unwrap();
    assert_eq!(written, verified, "clocks stand beside the summary, not in it");
    // Two repeats of two checkpoints leave two workspaces.
    assert_eq!(fs::read_dir(bench.path("out/trees")).unwrap().count(), 2);
}

#[test]
fn every_end_of_a_session_has_its_own_name_and_is_no_silent_zero() {
    let fails_at_two = format!("case \"$1\" in *double*) exit 7;; esac\n{SOLVE}");
    let ends: [(&str, &[(&str, u64)]); 5] = [
        (SOLVE, &[("done", 2), ("done", 2)]),
        ("exit 3", &[("crashed", 0), ("not-reached", 0)]),
        ("true", &[("unchanged", 0), ("unchanged", 0)]),
        ("kill -SEGV $$", &[("killed", 0), ("not-reached", 0)]),
        // What is left at the failure is graded as it is: a number is not doubled, a word is printed.
        (&fails_at_two, &[("done", 2), ("crashed", 1)]),
    ];
    let bench = Bench::new();
    for (number, (script, expected)) in ends.iter().enumerate() {
        let out = format!("out-{number}");
        let code = ["run", "--agent", "command", "--out", &out, "--", "sh", "-c", script, "sh", "{prompt}"];
        let expected: Vec<_> = expected.iter().map(|(state, passed)| ((*state).to_owned(), *passed)).collect();
        assert_eq!(states(&bench.summary(&code, 0)), expected, "{script}");
    }
    let hangs = ["run", "--agent", "command", "--time-limit", "1", "--out", "hangs", "--", "sleep", "60"];
    assert_eq!(states(&bench.summary(&hangs, 0))[0].0, "timed-out");
    let nothing = bench.summary(&["run", "--agent", "noop", "--out", "noop"], 0);
    assert_eq!(nothing["trajectories"][0]["checkpoints"][0]["quality"], Value::Null);
}

#[test]
fn only_the_workspace_is_carried_over() {
    let script = r#"ls -A . "$HOME"; echo 1 > kept; mkdir -p .venv; echo 1 > .venv/x; echo 1 > "$HOME/secret""#;
    let bench = Bench::new();
    bench.summary(&["run", "--agent", "command", "--out", "out", "--", "sh", "-c", script], 0);
    let session = "out/units/echo--command--just-solve--1/checkpoint_2/session";
    let seen = fs::read_to_string(bench.path(session).join("events")).unwrap();
    assert!(seen.contains("kept") && !seen.contains(".venv") && !seen.contains("secret"), "{seen}");
}

#[test]
fn one_shot_is_told_everything_and_graded_at_the_end() {
    let bench = Bench::new();
    let args = ["run", "--agent", "command", "--one-shot", "--out", "out", "--", "sh", "-c", SOLVE, "sh", "{prompt}"];
    let summary = bench.summary(&args, 0);
    assert_eq!(states(&summary), [("done".to_owned(), 2)]);
    // What was never asked apart cannot regress: the last checkpoint's own cases say how far it is solved.
    let forgets = r#"printf 'import sys\n\nword = sys.argv[1]\nprint(2 * int(word)) if word.isdigit() else sys.exit(1)\n' > echo.py"#;
    let forgetful =
        bench.summary(&["run", "--agent", "command", "--one-shot", "--out", "forgetful", "--", "sh", "-c", forgets], 0);
    let row = &forgetful["trajectories"][0]["checkpoints"][0];
    assert_eq!(row["counts"]["regression"], serde_json::json!({"passed": 0, "total": 1}));
    assert_eq!((&row["solve"]["strict"], &row["rates"]["strict"]), (&true.into(), &1.0.into()), "{row}");
    assert_eq!(row["rates"]["regression"], 0.0);
    assert_eq!(forgetful["groups"][0]["pass_rates"]["regression"], 0.0);
    let prompt = bench.path("out/units/echo--command--just-solve--1/checkpoint_2/session/prompt.md");
    let prompt = fs::read_to_string(prompt).unwrap();
    let spec = |number: u32| {
        let path = bench.path(&format!("repository/problems/echo/checkpoint_{number}/spec.md"));
        fs::read_to_string(path).unwrap().trim().to_owned()
    };
    assert!(prompt.trim().ends_with(&format!("{}\n\n{}", spec(1), spec(2))), "nothing tells of checkpoints: {prompt}");
    assert!(prompt.contains("Work in a virtual environment"), "there is nothing to go on with: {prompt}");
}

#[test]
fn killed_at_any_moment_and_resumed_a_run_ends_in_the_same_bytes() {
    let bench = Bench::new();
    let plan = ["run", "--agent", "reference", "--agent", "command", "--repeats", "3", "--jobs", "4"];
    let mark = bench.dir.path().file_name().unwrap().to_str().unwrap();
    let program = ["--", "sh", "-c", SOLVE, "sh", "{prompt}", mark];
    let args = |out| [&plan[..], &["--out", out], &program].concat();
    bench.summary(&args("undisturbed"), 0);
    let expected = fs::read(bench.path("undisturbed/summary.json")).unwrap();

    // Odd delays reach into sessions, grades and the moments between them.
    let mut seen = BTreeMap::new();
    for delay in [40, 130, 210, 330, 470, 90, 610] {
        let mut command = bench.command(&args("disturbed"));
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Before there is a plan there is nothing to resume; a busy machine takes its time to get there.
        while !bench.path("disturbed/plan.json").exists() && run.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(delay));
        run.kill().unwrap();
        run.wait().unwrap();
        nothing_lives_on(mark);
        let now = steps(&bench.path("disturbed"));
        assert!(seen.iter().all(|(step, file)| now.get(step) == Some(file)), "no step is done twice");
        seen = now;
    }
    bench.summary(&["resume", "disturbed", "--jobs", "4"], 0);
    assert_eq!(fs::read(bench.path("disturbed/summary.json")).unwrap(), expected);
    let now = steps(&bench.path("disturbed"));
    assert!(seen.iter().all(|(step, file)| now.get(step) == Some(file)), "no step is done twice");
    let left: Vec<_> = fs::read_dir(bench.path("disturbed")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "lock, plan.json, summary.json, trees, units: {left:?}");
}

/// `cargo xtask endure-units` has more of it.
#[test]
fn trajectories_done_by_processes_of_their_own_end_in_the_same_bytes() {
    let bench = Bench::new();
    let plan = ["run", "--agent", "reference", "--repeats", "3", "--out"];
    bench.summary(&[&plan[..], &["undisturbed"]].concat(), 0);
    assert!(bench.slopbench(&[&plan[..], &["units", "--plan-only"]].concat()).status.success());
    let unit = |repeat: u32| format!("echo--reference--just-solve--{repeat}");
    let start = |repeat: u32| {
        let mut command = bench.command(&["run-unit", "units", &unit(repeat)]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    // Killed somewhere; then twice at once, of which one does it and the other may find it leased.
    let mut killed = start(1);
    sleep(Duration::from_millis(150));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let mut both = [start(1), start(1), start(2)];
    let codes = both.each_mut().map(|child| child.wait().unwrap().code());
    assert!(codes[..2].contains(&Some(0)) && codes[2] == Some(0), "{codes:?}");
    let done = steps(&bench.path("units"));
    assert!(bench.error(&["run-unit", "units", "nobody"], 2).contains("the run has no unit \"nobody\""));
    assert!(!bench.path("units/summary.json").exists(), "that is the coordinator's");
    bench.summary(&["resume", "units"], 0);
    let expected = fs::read(bench.path("undisturbed/summary.json")).unwrap();
    assert_eq!(fs::read(bench.path("units/summary.json")).unwrap(), expected);
    let now = steps(&bench.path("units"));
    assert!(done.iter().all(|(step, file)| now.get(step) == Some(file)), "no step is done twice");
    let left: Vec<_> = fs::read_dir(bench.path("units")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "lock, plan.json, summary.json, trees, units: {left:?}");
}

/// Waits until there is no process and no mount that has `mark` in its arguments or in the folders that it sees: a killed
/// run takes its workers, agents and solutions with it, each within moments.
fn nothing_lives_on(mark: &str) {
    let has_mark = |file: &Path| fs::read(file).is_ok_and(|text| String::from_utf8_lossy(&text).contains(mark));
    let left = || -> Vec<PathBuf> {
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let files = processes.flat_map(|process| ["cmdline", "mountinfo"].map(|file| process.join(file)));
        files.filter(|file| has_mark(file)).collect()
    };
    for _ in 0..2000 {
        if left().is_empty() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("left behind: {:?}", left());
}

/// Every step that is done, by its place, with what tells one file from another.
fn steps(run: &Path) -> BTreeMap<String, (u64, i64)> {
    let Ok(listing) = Listing::of_dir(&run.join("units"), "") else { return BTreeMap::new() };
    let identity = |path: &str| fs::metadata(run.join("units").join(path)).map(|file| (file.ino(), file.mtime_nsec()));
    listing.0.into_keys().filter_map(|path| identity(&path).ok().map(|identity| (path, identity))).collect()
}

#[test]
fn what_somebody_changed_is_noticed() {
    let bench = Bench::new();
    bench.summary(&["run", "--agent", "reference", "--out", "out"], 0);
    let session = "out/units/echo--reference--just-solve--1/checkpoint_1/session/session.json";
    let tree = fs::read_dir(bench.path("out/trees")).unwrap().next().unwrap().unwrap().path();
    let edits: [(PathBuf, [&str; 2], &[&str], &str); 3] = [
        (
            bench.path(session),
            ["\"done\"", "\"silent\""],
            &["status", "out"],
            "session.json: the file was changed, and not by slopbench",
        ),
        (
            tree.join("echo.py"),
            ["main", "mein"],
            &["regrade", "out"],
            "its files are not those that were kept, and not by slopbench",
        ),
        (bench.path("out/plan.json"), ["7200", "7201"], &["status", "out"], "it is of another plan or another stage"),
    ];
    for (path, [from, to], args, expected) in edits {
        let before = fs::read(&path).unwrap();
        let changed = String::from_utf8(before.clone()).unwrap().replace(from, to);
        assert_ne!(changed.as_bytes(), before);
        fs::write(&path, changed).unwrap();
        let error = bench.error(args, 2);
        assert!(error.contains(expected), "{error}");
        fs::write(&path, before).unwrap();
    }
    bench.summary(&["regrade", "out"], 0);
}

#[test]
fn regrading_gives_the_same_bytes_and_asks_nobody() {
    let bench = Bench::new();
    let script = "echo 'print(1)' > echo.py";
    bench.summary(&["run", "--agent", "command", "--out", "out", "--", "sh", "-c", script], 0);
    let before = fs::read(bench.path("out/summary.json")).unwrap();
    let sessions = |steps: BTreeMap<String, _>| steps.into_iter().filter(|(path, _)| path.contains("/session/"));
    let asked: Vec<_> = sessions(steps(&bench.path("out"))).collect();
    bench.summary(&["regrade", "out"], 0);
    assert_eq!(fs::read(bench.path("out/summary.json")).unwrap(), before);
    assert_eq!(sessions(steps(&bench.path("out"))).collect::<Vec<_>>(), asked);
}

#[test]
fn a_problem_that_changed_is_another_problem() {
    let bench = Bench::new();
    bench.summary(&["run", "--agent", "reference", "--out", "out"], 0);
    fs::write(bench.path("repository/problems/echo/checkpoint_1/spec.md"), "Do something else.\n").unwrap();
    let error = bench.error(&["resume", "out"], 2);
    assert!(error.starts_with("error: the problem echo is not the one that was planned"), "{error}");
}

#[test]
fn another_instrument_is_refused_part_by_part_and_what_is_accepted_is_named() {
    let bench = Bench::new();
    bench.summary(&["run", "--agent", "reference", "--out", "out"], 0);
    let before = fs::read(bench.path("out/summary.json")).unwrap();
    let again = ["run", "--agent", "reference", "--out", "out", "--sandbox", "none"];
    for args in [&["resume", "out", "--sandbox", "none"][..], &["regrade", "out", "--sandbox", "none"], &again] {
        let error = bench.error(args, 2);
        let expected =
            "error: DIR/out was planned with another instrument: back end (planned namespaces, now none); restore it";
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(fs::read(bench.path("out/summary.json")).unwrap(), before, "nothing is done before it is accepted");
    }
    let accepted = bench.summary(&["regrade", "out", "--sandbox", "none", "--accept-difference"], 0);
    let difference = serde_json::json!([{"part": "back end", "planned": "namespaces", "found": "none"}]);
    assert_eq!(accepted["accepted_differences"], difference);
    // Once accepted, it is known; and every grade names what it was made with.
    assert_eq!(bench.summary(&["resume", "out", "--sandbox", "none"], 0), accepted);
    let step = bench.path("out/units/echo--reference--just-solve--1/checkpoint_1");
    let back_end = |part: &str, file: &str| {
        let file: Value = serde_json::from_slice(&fs::read(step.join(part).join(file)).unwrap()).unwrap();
        file["instrument"]["back end"].clone()
    };
    assert_eq!(back_end("grade", "seal.json"), "none");
    assert_eq!(back_end("session", "seal.json"), "namespaces");
    let plan: Value = serde_json::from_slice(&fs::read(bench.path("out/plan.json")).unwrap()).unwrap();
    for part in ["tool", "rules", "interpreter"] {
        assert!(plan["instrument"][part].as_str().is_some_and(|value| !value.is_empty()), "{plan}");
    }
}

#[test]
fn regrading_that_is_killed_leaves_no_summary_and_ends_in_the_same_bytes() {
    let bench = Bench::new();
    bench.summary(&["run", "--agent", "reference", "--repeats", "3", "--out", "out"], 0);
    let summary = bench.path("out/summary.json");
    let before = fs::read(&summary).unwrap();
    let mut command = bench.command(&["regrade", "out"]);
    let mut regrade = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let first = bench.path("out/units/echo--reference--just-solve--1/checkpoint_1/grade");
    while first.exists() && regrade.try_wait().unwrap().is_none() {
        sleep(Duration::from_micros(100));
    }
    regrade.kill().unwrap();
    regrade.wait().unwrap();
    assert!(!summary.exists(), "there is no summary of grades that are not all there");
    assert_eq!(bench.summary(&["status", "out"], 0)["complete"], false);
    bench.summary(&["resume", "out"], 0);
    assert_eq!(fs::read(&summary).unwrap(), before);
}

/// What a worker leaves in its workspace or home is its own affair: the run ends, and nothing is done twice.
#[test]
fn whatever_is_left_in_the_workspace_is_the_workers_outcome_and_no_session_is_repeated() {
    let deep = "import os\nfor _ in range(COUNT):\n    os.mkdir('d'); os.chdir('d')\nopen('f', 'w')";
    let deep = deep.replace("COUNT", "1100");
    let long = "import os\nfor _ in range(16):\n    os.mkdir('x' * 250); os.chdir('x' * 250)\nopen('y' * 70, 'w')";
    let wide = "import os\nfor n in range(2000): os.mkdir(str(n))";
    let rewritten = "import os, random\nrandom.seed(os.path.exists('data'))\nopen('data', 'w').write(\n                         ''.join(f'{random.randrange(9)}\\n' for _ in range(150000)))";
    let home = format!("import os\nos.chdir(os.environ['HOME'])\n{deep}");
    let bench = Bench::new();
    for (name, script) in [("deep", &*deep), ("long", long), ("wide", wide), ("rewritten", rewritten), ("home", &home)]
    {
        let script = format!("open('echo.py', 'a').write('#')\n{script}");
        let args = ["run", "--agent", "command", "--out", name, "--", "python3", "-c", &script];
        let summary = bench.summary(&args, 0);
        assert_eq!(states(&summary).len(), 2, "{name}");
        let sessions = |run: &str| {
            let steps = steps(&bench.path(run)).into_iter();
            steps.filter(|(path, _)| path.contains("/session/")).collect::<BTreeMap<_, _>>()
        };
        let before = sessions(name);
        assert_eq!(bench.summary(&["resume", name], 0), summary, "{name}");
        assert_eq!(sessions(name), before, "{name}");
        let left: Vec<_> = fs::read_dir(bench.path(name)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|entry| entry == "ended" || entry == "scratch"), "{name}: {left:?}");
    }
}
