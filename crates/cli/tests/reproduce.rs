//! Archiving and verifying, with the real binary, sandbox and analyzer, on the small problem in `tests/repository`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicBool, Ordering},
};

use common::copy;
use slopbench_digest::Listing;
use slopbench_sandbox::probe;
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

const RULES: &str = "crates/metrics/rules/python";
const ARTIFACT: &str = "artifacts/reference-echo";

/// A copy of the small repository, with the analyzer's own rules where the real one has them.
fn repository() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&here.join("tests/repository"), dir.path());
    copy(&here.join("../..").join(RULES), &dir.path().join(RULES));
    dir
}

fn slopbench(root: &Path, args: &[&str], env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
    command.arg("--root").arg(root).args(args).current_dir(root).envs(env.iter().copied());
    command.output().unwrap()
}

fn archive(root: &Path, env: &[(&str, &str)]) {
    let output = slopbench(root, &["archive", ARTIFACT], env);
    assert!(output.status.success(), "{output:?}");
}

fn verify(root: &Path) -> (i32, String) {
    let output = slopbench(root, &["verify"], &[]);
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), text.replace(&root.display().to_string(), "ROOT"))
}

#[test]
fn two_places_two_time_zones_two_languages_the_same_bytes() {
    let (here, there) = (repository(), repository());
    archive(here.path(), &[("TZ", "UTC"), ("LANG", "C")]);
    archive(there.path(), &[("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("PYTHONHASHSEED", "7")]);
    let list = |root: &Path| Listing::of_dir(&root.join("artifacts"), "").unwrap();
    let (here, there) = (list(here.path()), list(there.path()));
    assert_eq!(here, there);
    let names: Vec<_> = here.0.keys().map(|path| path.split_once('/').unwrap().1).collect();
    assert_eq!(
        names,
        [
            "artifact.toml",
            "checkpoint_1/quality.json",
            "checkpoint_1/verdicts.json",
            "checkpoint_2/quality.json",
            "checkpoint_2/verdicts.json",
            "manifest.json",
            "summary.json",
        ]
    );
}

#[test]
fn what_was_archived_verifies() {
    let root = repository();
    archive(root.path(), &[]);
    let (code, text) = verify(root.path());
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("All 3 claims hold."), "{text}");
}

/// Changing one byte, wherever it is, is a difference (exit code 1) that names the file and the claim.
#[test]
fn one_changed_byte_is_found_and_named() {
    let root = repository();
    archive(root.path(), &[]);
    let rule = first_rule(root.path());
    // A file, what stands in it, what to put there, and the claim that must fall.
    let changes: &[(&str, &str, &str, &str)] = &[
        ("problems/echo/checkpoint_1/spec.md", "Print", "print", "inputs"),
        ("problems/echo/checkpoint_1/cases/prints_a_word.toml", "hello\\n", "jello\\n", "strict"),
        ("problems/echo/checkpoint_1/cases/prints_a_word.toml", "[expect]", "[expect)", "inputs"),
        ("problems/echo/problem.toml", "3000", "3001", "inputs"),
        ("problems/echo/solution/python/checkpoint_1/echo.py", "sys.exit(1)", "sys.exit(2)", "strict"),
        ("problems/echo/solution/python/checkpoint_2/echo.py", "import sys", "import syx", "bytes"),
        (&rule, "message", "messagf", "inputs"),
        ("artifacts/reference-echo/artifact.toml", "Both", "both", "inputs"),
        ("artifacts/reference-echo/artifact.toml", "expected = 2", "expected = 3", "strict"),
        ("artifacts/reference-echo/artifact.toml", "[job]", "[job)", "inputs"),
        ("artifacts/reference-echo/manifest.json", "slopbench.manifest/1", "slopbench.manifest/2", "bytes"),
        ("artifacts/reference-echo/manifest.json", "sha256:", "sha257:", "inputs"),
        ("artifacts/reference-echo/manifest.json", "{", "[", "inputs"),
        ("artifacts/reference-echo/summary.json", "\"strict\": true", "\"strict\": trud", "bytes"),
        ("artifacts/reference-echo/checkpoint_1/verdicts.json", "\"pass\"", "\"fass\"", "bytes"),
        ("artifacts/reference-echo/checkpoint_2/quality.json", "\"loc\": ", "\"loc\":\t", "bytes"),
    ];
    for (file, from, to, claim) in changes {
        let path = root.path().join(file);
        let before = fs::read_to_string(&path).unwrap();
        assert_ne!(before.replacen(from, to, 1), before, "{file} holds {from}");
        fs::write(&path, before.replacen(from, to, 1)).unwrap();
        let (code, text) = verify(root.path());
        fs::write(&path, before).unwrap();
        assert_eq!(code, 1, "{file}: {text}");
        assert!(text.contains(file), "{file}: {text}");
        assert!(text.contains(&format!("reference-echo/{claim} does not hold")), "{file}, {claim}: {text}");
    }
    assert_eq!(verify(root.path()).0, 0, "everything was put back");
}

/// No job is done, so that it takes no sandbox and no time; authors' notes are no input.
#[test]
fn digests_alone_say_what_has_changed() {
    let root = repository();
    archive(root.path(), &[]);
    let digests = || {
        let output =
            slopbench(root.path(), &["verify", "--digests", "--sandbox", "docker"], &[("DOCKER_HOST", "none")]);
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), text)
    };
    fs::write(root.path().join("problems/echo/notes.md"), "Why in this order.\n").unwrap();
    let (code, text) = digests();
    assert!(code == 0 && text.contains("All 3 claims hold."), "{text}");
    let changes = [
        ("problems/echo/checkpoint_1/spec.md", "Print", "print", "inputs"),
        ("problems/echo/solution/python/checkpoint_2/echo.py", "import sys", "import syx", "inputs"),
        ("artifacts/reference-echo/checkpoint_1/verdicts.json", "\"pass\"", "\"fail\"", "bytes"),
        ("artifacts/reference-echo/artifact.toml", "expected = 2", "expected = 3", "strict"),
    ];
    for (file, from, to, claim) in changes {
        let path = root.path().join(file);
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, before.replacen(from, to, 1)).unwrap();
        let (code, text) = digests();
        fs::write(&path, before).unwrap();
        let named = text.contains(file) && text.contains(&format!("reference-echo/{claim} does not hold"));
        assert!(code == 1 && named, "{file}: {text}");
    }
}

/// What a study archives of a run comes out of the commands that made it; the judge is not asked again.
#[test]
fn an_archived_run_of_slump_verifies_and_each_changed_byte_is_named() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    const RUN: &str = "artifacts/slump-quay_crests";
    let root = repository();
    let dir = root.path().join(RUN);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(RUN), &dir);
    let verify = || {
        let output = slopbench(root.path(), &["verify", RUN], &[]);
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), text)
    };
    let (code, text) = verify();
    assert!(code == 0 && text.contains("All 7 claims hold."), "{text}");

    let judgement = Listing::of_dir(&dir, "").unwrap().0.into_keys().find(|path| path.contains("judgements/")).unwrap();
    // A file, what stands in it, what to put there, and the claims that must fall.
    let changes: &[(&str, &str, &str, &[&str])] = &[
        ("guard.toml", "slopbench.script/1", "slopbench.script/2", &["inputs", "bytes"]),
        ("artifact.toml", "forecast.py\"", "forecasts.py\"", &["inputs", "bytes"]),
        ("judged/scores.json", "0.5625", "0.5626", &["bytes"]),
        (&judgement, "slopbench.judgement/1", "slopbench.judgement/2", &["bytes"]),
    ];
    for (file, from, to, claims) in changes {
        let path = dir.join(file);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{file} holds {from}");
        fs::write(&path, before.replace(from, to)).unwrap();
        let (code, text) = verify();
        fs::write(&path, before).unwrap();
        assert_eq!(code, 1, "{file}: {text}");
        assert!(text.contains(&format!("{RUN}/{file}: ")), "{file}: {text}");
        for claim in *claims {
            assert!(text.contains(&format!("slump-quay_crests/{claim} does not hold")), "{file}, {claim}: {text}");
        }
    }
}

fn first_rule(root: &Path) -> String {
    let rules = fs::read_dir(root.join(RULES)).unwrap().map(|entry| entry.unwrap().path());
    let rules: Vec<PathBuf> =
        rules.filter(|path| path.extension().is_some_and(|extension| extension == "yml")).collect();
    format!("{RULES}/{}", rules.iter().min().unwrap().file_name().unwrap().to_str().unwrap())
}

#[test]
fn an_added_or_removed_file_is_named() {
    let root = repository();
    archive(root.path(), &[]);
    let extra = root.path().join("artifacts/reference-echo/checkpoint_9");
    fs::create_dir(&extra).unwrap();
    fs::write(extra.join("x"), "").unwrap();
    fs::remove_file(root.path().join("artifacts/reference-echo/summary.json")).unwrap();
    let (code, text) = verify(root.path());
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("checkpoint_9/x: archived, but not produced"), "{text}");
    assert!(text.contains("summary.json: produced, but not archived"), "{text}");
}

#[test]
fn an_infrastructure_failure_is_no_verdict() {
    let root = repository();
    archive(root.path(), &[]);
    let output = slopbench(root.path(), &["verify"], &[("SLOPBENCH_SANDBOX_WORKER", "/nowhere/worker")]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("/nowhere/worker"), "{message}");
}

#[test]
fn a_failing_solution_is_a_readable_difference() {
    let root = repository();
    let solution = "problems/echo/solution/python/checkpoint_1";
    let output = slopbench(root.path(), &["test", "echo", "--solution", solution, "--checkpoint", "2"], &[]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap(), @r#"
    FAIL  checkpoint_2/doubles_a_number (core)
        stdout: not JSON (EOF while parsing a value at line 1 column 0): ""

    category       passed
    core              0/1
    functionality     0/0
    error             0/0
    regression        1/1
    all               1/2

    not solved
    "#);
}

#[test]
fn checking_the_small_problem_finds_no_flaw_and_breaking_it_does() {
    let root = repository();
    let output = slopbench(root.path(), &["problems", "check"], &[]);
    assert!(output.status.success(), "{output:?}");
    let solution = root.path().join("problems/echo/solution/python");
    fs::copy(solution.join("checkpoint_2/echo.py"), solution.join("checkpoint_1/echo.py")).unwrap();
    let output = slopbench(root.path(), &["problems", "check", "echo"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let flaws: BTreeMap<bool, usize> = text.lines().fold(BTreeMap::new(), |mut counts, line| {
        *counts.entry(line.starts_with("  the solution of checkpoint 1")).or_default() += 1;
        counts
    });
    assert_eq!(flaws.get(&true), Some(&2), "{text}");
}

#[test]
fn a_new_problem_passes_its_check_and_its_audit() {
    let root = repository();
    let cache = root.path().join("cache").display().to_string();
    let ask = |args: &[&str]| slopbench(root.path(), args, &[("XDG_CACHE_HOME", &cache)]);
    assert!(ask(&["problems", "new", "notes_kept", "--kind", "http"]).status.success());
    let checked = ask(&["problems", "check", "notes_kept"]);
    assert!(checked.status.success(), "{checked:?}");

    let out = root.path().join("audit.json").display().to_string();
    let audit = ["problems", "audit", "notes_kept", "--checks", "distinct,growth", "--out", &out];
    let first = ask(&audit);
    assert!(first.status.success(), "{first:?}");
    let written = fs::read_to_string(&out).unwrap();
    assert!(
        written.contains("\"format\": \"slopbench.audit/1\"") && written.contains("\"state\": \"sound\""),
        "{written}"
    );
    let again = ask(&audit);
    assert!(String::from_utf8_lossy(&again.stderr).contains("notes_kept: distinct: sound (as before)"), "{again:?}");
    assert_eq!(fs::read_to_string(&out).unwrap(), written);

    let reports = root.path().join("reports");
    fs::create_dir(&reports).unwrap();
    fs::copy(&out, reports.join("notes_kept.json")).unwrap();
    let changed = ["problems", "audit", "notes_kept", "--checks", "distinct", "--changed-since", "reports"];
    let unchanged = ask(&changed);
    assert!(unchanged.status.success(), "{unchanged:?}");
    assert!(String::from_utf8_lossy(&unchanged.stderr).contains("notes_kept: as it was when it was audited"));
    assert!(!String::from_utf8_lossy(&unchanged.stderr).contains("distinct"), "{unchanged:?}");
    let more = ["problems", "audit", "notes_kept", "--checks", "distinct,sentences", "--changed-since", "reports"];
    let told = String::from_utf8_lossy(&ask(&more).stderr).into_owned();
    assert!(told.contains("notes_kept: sentences: sound"), "the report lacks a check: {told}");

    let example = root.path().join("problems/notes_kept/checkpoint_2/cases/example.toml");
    fs::copy(root.path().join("problems/notes_kept/checkpoint_1/cases/bad_notes.toml"), &example).unwrap();
    let text = fs::read_to_string(&example).unwrap();
    let text = text.replace("\"error\"\n", "\"core\"\n");
    let covers = "covers = [\"bad_note\", \"not_found\"]\n";
    assert!(text.contains(covers), "{text}");
    fs::write(&example, text.replace(covers, "")).unwrap();
    assert_eq!(ask(&changed).status.code(), Some(1), "it has changed, and is flawed");
    let flawed = ask(&audit);
    assert_eq!(flawed.status.code(), Some(1), "{flawed:?}");
    assert!(String::from_utf8_lossy(&flawed.stdout).contains("flaw: the reference solution of checkpoint 1 passes"));
}

/// A solution that somebody writes to while it is graded would get verdicts and figures of different snapshots.
#[test]
fn a_solution_that_changes_while_it_is_graded_gets_no_result() {
    let root = repository();
    let solution = root.path().join("solution");
    fs::create_dir(&solution).unwrap();
    let entry = solution.join("echo.py");
    fs::write(&entry, "import time\ntime.sleep(1)\n").unwrap();
    // Replaced all the time, and never the same twice: whenever grading begins and ends, something changed between. Written in
    // place, it would be empty for moments: a program that ends at once, and the same snapshot each time.
    let graded = AtomicBool::new(false);
    let next = root.path().join("next.py");
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            for change in 0.. {
                if graded.load(Ordering::Relaxed) {
                    break;
                }
                fs::write(&next, format!("import time\ntime.sleep(1)  # {change}\n")).unwrap();
                fs::rename(&next, &entry).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        });
        let output = slopbench(root.path(), &["test", "echo", "--solution", "solution", "--checkpoint", "1"], &[]);
        graded.store(true, Ordering::Relaxed);
        output
    });
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("changed while it was graded"));
}

/// What a solution prints could otherwise repaint the report that a person reads.
#[test]
fn control_characters_of_a_solution_are_shown_and_not_obeyed() {
    let root = repository();
    let solution = root.path().join("solution");
    fs::create_dir(&solution).unwrap();
    fs::write(solution.join("echo.py"), "import sys\nsys.exit('\\x1b[2J \\u202eall cases pass')\n").unwrap();
    let output = slopbench(root.path(), &["test", "echo", "--solution", "solution", "--checkpoint", "1"], &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
    assert!(text.contains("\\u{202e}all") && !text.contains('\u{202e}'), "{text}");
    // In an error, too, and in the name of a file.
    let output = slopbench(root.path(), &["measure", "no\u{202e}where\u{1b}"], &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no\\u{202e}where\\u{1b}") && !said.contains('\u{202e}'), "{said}");
}

/// Whoever is graded could otherwise silence what they are measured by.
#[test]
fn a_solution_has_no_say_in_how_it_is_measured() {
    let root = repository();
    let solution = root.path().join("problems/echo/solution/python/checkpoint_1");
    fs::write(solution.join("slopbench.toml"), "exclude = ['**']\n[rules]\npath = 'nowhere'\n").unwrap();
    // A repository in which all is ignored, by the solution and around it.
    let init = Command::new("git").args(["init", "--quiet"]).current_dir(root.path()).status().unwrap();
    assert!(init.success());
    for ignoring in [solution.join(".gitignore"), root.path().join(".gitignore"), root.path().join(".git/info/exclude")]
    {
        fs::write(ignoring, "*\n").unwrap();
    }
    archive(root.path(), &[]);
    let quality = fs::read_to_string(root.path().join(ARTIFACT).join("checkpoint_1/quality.json")).unwrap();
    assert!(quality.contains("\"path\": \"echo.py\"") && !quality.contains("\"overrides\""), "{quality}");
}

/// A solution that holds the cases would carry them into its own sandbox.
#[test]
fn a_folder_with_hidden_cases_in_it_is_no_solution() {
    let root = repository();
    for folder in [".", "problems/echo"] {
        let solution = root.path().join(folder);
        fs::write(solution.join("echo.py"), "print('x')\n").unwrap();
        let output = slopbench(root.path(), &["test", "echo", "--solution", folder], &[]);
        assert_eq!(output.status.code(), Some(2), "{folder}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("which no program may see"), "{message}");
    }
}
