//! Problems in SlopCodeBench's format: loading, and judging what a session reported.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Mutex,
};

use common::write;
use slopbench_digest::Sha256;
use slopbench_sandbox::{
    Error, Limit, Observation, Play, ProgramEnd, ResourceUsage, Sandbox, Service, Task,
    suite::{Suite, SuiteLayout, SuiteObservation},
};
use slopbench_tests::{
    CaseOutcome, Category, Engine, Gate, PlayedCheckpoint, Problem, Selection, Verdict,
    pytest::{SuiteEnvironment, SuiteError},
};
use tempfile::TempDir;

const CONFIG: &str = "name: words
entry_file: words
timeout: 3
static_assets:
  list: {path: data/list.txt}
markers:
  slow: {description: takes long, group: FUNCTIONALITY}
checkpoints:
  second:
    version: 1
    order: 2
  first:
    version: 1
    order: 1
    timeout: 7
";

/// A problem of two checkpoints that loads, in a folder of its name.
fn problem() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in [
        ("config.yaml", CONFIG),
        ("first.md", "# Say words\n\nOne a line."),
        ("second/spec.md", "Say them twice."),
        ("data/list.txt", "a\n"),
        ("tests/conftest.py", ""),
        ("tests/test_first.py", "def test_a(): pass\nclass TestB:\n    def test_b(self): pass\ndef helper(): pass\n"),
        ("tests/test_second.py", "import json, words\n"),
        ("solutions/first/words.py", ""),
        ("solutions/second/words.py", ""),
    ] {
        write(&dir.path().join("words"), path, content);
    }
    dir
}

fn load(dir: &TempDir) -> Problem {
    Problem::load(&dir.path().join("words")).unwrap()
}

#[test]
fn a_folder_of_the_format_is_a_problem_like_any_other() {
    let dir = problem();
    let problem = load(&dir);
    let suite = problem.harness.pytest().unwrap();
    assert_eq!(
        (problem.name.as_str(), problem.title.as_str(), problem.entry.file().as_str()),
        ("words", "words", "words.py")
    );
    let titles: Vec<_> = problem.checkpoints.iter().map(|one| (one.number, one.title.as_str())).collect();
    assert_eq!(titles, [(1, "Say words"), (2, "second")], "by their order, not as they are listed");
    assert_eq!(problem.checkpoint(2).unwrap().spec, "Say them twice.");
    assert_eq!((suite.functions(1), suite.functions(2), problem.size(2, Selection::Suite)), (2, 0, 2));
    assert!(problem.reference(2).ends_with("solutions/second"));
    let how: Vec<_> = suite.exposed().iter().map(|at| format!("{} {}", at.place, at.how)).collect();
    assert_eq!(how, ["test_second.py line 1 imports `words`"]);
}

#[test]
fn a_problems_digest_is_of_all_but_its_solutions() {
    let dir = problem();
    let digest = || load(&dir).digest().unwrap();
    let before = digest();
    write(&dir.path().join("words"), "solutions/first/words.py", "print()");
    assert_eq!(digest(), before);
    write(&dir.path().join("words"), "tests/test_first.py", "def test_a(): assert 1");
    assert_ne!(digest(), before);
}

#[test]
fn every_flaw_names_file_line_and_key() {
    let config = |from: &str, to: &str| CONFIG.replace(from, to);
    let flaws: &[(String, &str)] = &[
        (config("timeout: 3", "timout: 3"), "config.yaml:3: unknown field `timout`"),
        (config("timeout: 3", "timeout: 0.5"), "config.yaml:3: timeout 0.5 is not a whole number of seconds"),
        (config("timeout: 3", "timeout: soon"), "config.yaml:3: "),
        (config("name: words", "name: other"), "config.yaml:1: name is `other`, but the folder is called `words`"),
        (config("entry_file: words", "entry_file: ../w"), "config.yaml:2: entry_file `../w` is not a relative path"),
        (config("entry_file: words\n", ""), "missing field `entry_file`"),
        (config("order: 2", "order: 1"), "order 1 is another checkpoint's"),
        (config("FUNCTIONALITY", "SLOW"), "config.yaml:7: group `SLOW` is none of CORE"),
        (config("data/list.txt", "data/none.txt"), "config.yaml:5: there is no `data/none.txt`"),
        (config("data/list.txt", "/etc/passwd"), "config.yaml:5: `/etc/passwd` is not a relative path"),
        (config("  second:", "  third:"), "tests/test_third.py: config.yaml lists third"),
        (config("timeout: 3", "env: {A: [1]}"), "config.yaml:3: "),
        (config("timeout: 3", "test_dependencies: ['./x']"), "config.yaml:3: `./x` is not the name of a package"),
        (config("    order: 1\n    timeout", "    order: 1\n    state: Done\n    timeout"), "unknown variant `Done`"),
        (format!("{CONFIG}name: words\n"), "config.yaml:16: duplicate"),
    ];
    for (content, expected) in flaws {
        let dir = problem();
        write(&dir.path().join("words"), "config.yaml", content);
        let error = Problem::load(&dir.path().join("words")).expect_err(expected).to_string();
        assert!(error.contains(expected) && error.contains("/words/"), "{expected}: {error}");
    }
}

/// What a session does: how its program ends, and what was reported of it.
type Session = (ProgramEnd, String);

/// Plays one session after the other, and notes what was staged for each.
struct Fake<'a> {
    sessions: &'a Mutex<Vec<Session>>,
    settings: &'a Mutex<Vec<String>>,
}

impl Sandbox for Fake<'_> {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run_series(&mut self, _: &[Task]) -> Result<Vec<Observation>, Error> {
        Err(Error::Task("no test of it has a task".into()))
    }

    fn serve(&mut self, _: &Service, _: &mut Play<'_>) -> Result<Observation, Error> {
        Err(Error::Task("no test of it has a service".into()))
    }

    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        let launcher = ["/start".to_owned()];
        let (folder, environment, workspace) = (Path::new("/suite"), Path::new("/opt/suite"), Path::new("/workspace"));
        let argv = command(&SuiteLayout { folder, environment, workspace, launcher: &launcher });
        assert!(argv.contains(&"--entrypoint=/start python3 /workspace/words.py".to_owned()), "{argv:?}");
        assert!(
            argv.contains(&"--timeout=7".to_owned()) && argv.contains(&"--checkpoint=first".to_owned()),
            "{argv:?}"
        );
        assert_eq!(suite.shared, [PathBuf::from("tests/assets/list")]);
        assert!(
            suite.folder.join("tests/test_first.py").is_file() && !suite.folder.join("tests/test_second.py").exists()
        );
        let settings = std::fs::read_to_string(suite.folder.join("settings.json")).unwrap();
        self.settings.lock().unwrap().push(settings);
        let (end, report) = self.sessions.lock().unwrap().remove(0);
        let (stdout, stderr) = (Vec::new(), b"what it said".to_vec());
        Ok(SuiteObservation { end, stdout, stderr, report: report.into_bytes(), usage: ResourceUsage::default() })
    }
}

/// Plays these sessions at checkpoint 1; all of them have to be asked for.
fn play(sessions: Vec<Session>) -> (Vec<CaseOutcome>, Vec<String>) {
    let dir = problem();
    let problem = load(&dir);
    let (sessions, settings) = (Mutex::new(sessions), Mutex::new(Vec::new()));
    let open = |_: &Path, _: Option<&Path>| -> Result<Box<dyn Sandbox + '_>, Error> {
        Ok(Box::new(Fake { sessions: &sessions, settings: &settings }))
    };
    let environments = |_: &[String]| Ok(SuiteEnvironment { dir: PathBuf::new(), lock: Sha256::of(b"") });
    let engine = Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &environments, gate: &Gate::default() };
    let played = engine.play_checkpoint(&problem, 1, Selection::Suite, &problem.reference(1), None, &|_| {});
    let PlayedCheckpoint { outcomes, .. } = played.map_err(|error: SuiteError| error.to_string()).unwrap();
    assert!(sessions.lock().unwrap().is_empty());
    (outcomes, settings.into_inner().unwrap())
}

fn collected(id: &str, markers: &[&str]) -> String {
    serde_json::json!({"event": "collected", "id": format!("tests/{id}"), "markers": markers}).to_string() + "\n"
}

fn started(id: &str) -> String {
    serde_json::json!({"event": "started", "id": format!("tests/{id}")}).to_string() + "\n"
}

fn phase(id: &str, when: &str, outcome: &str, text: &str) -> String {
    let id = format!("tests/{id}");
    let line = serde_json::json!({
        "event": "phase", "id": id, "when": when, "outcome": outcome, "late": text.contains("pytest-timeout"),
        "seconds": 0.5, "message": text, "text": text,
    });
    line.to_string() + "\n"
}

/// A test with these outcomes of its setup, call and teardown; an empty one is left out.
fn test(id: &str, [setup, call, teardown]: [&str; 3], text: &str) -> String {
    let phases = [("setup", setup), ("call", call), ("teardown", teardown)];
    let told = phases.into_iter().filter(|(_, outcome)| !outcome.is_empty());
    started(id) + &told.map(|(when, outcome)| phase(id, when, outcome, text)).collect::<String>()
}

fn ended(status: i32) -> String {
    format!("{}\n", serde_json::json!({"event": "ended", "status": status, "exposed": []}))
}

const PASS: [&str; 3] = ["passed"; 3];

fn fail(what: &[&str]) -> Verdict {
    Verdict::Fail { mismatches: what.iter().map(|what| (*what).to_owned()).collect() }
}

const A: &str = "test_first.py::test_a";
const B: &str = "test_first.py::test_b";
const C: &str = "test_first.py::test_c";

#[test]
fn each_outcome_of_pytests_is_a_verdict() {
    for (phases, text, expected) in [
        (PASS, "", Verdict::Pass),
        (["passed", "failed", "passed"], "assert 1 == 2", fail(&["call"])),
        (["failed", "", "passed"], "no fixture", fail(&["setup"])),
        (["passed", "passed", "failed"], "no end", fail(&["teardown"])),
        (["passed", "failed", "failed"], "both", fail(&["call", "teardown"])),
        (["skipped", "", "passed"], "", Verdict::Skipped),
        (["passed", "skipped", "passed"], "", Verdict::Skipped),
        (["passed", "failed", "passed"], "Timeout (>7.0s) from pytest-timeout.", Verdict::Limit { limit: Limit::Wall }),
    ] {
        let report = collected(A, &[]) + &test(A, phases, text) + &ended(1);
        let (outcomes, _) = play(vec![(ProgramEnd::Exited(1), report)]);
        assert_eq!(outcomes.len(), 1);
        assert_eq!((outcomes[0].id.as_str(), &outcomes[0].verdict), (A, &expected), "{phases:?}");
    }
}

#[test]
fn a_category_follows_from_the_file_then_the_markers() {
    for (id, markers, expected) in [
        (A, &["slow", "functionality"][..], Category::Functionality),
        (A, &["regression", "error"], Category::Error),
        (A, &["slow", "regression"], Category::Regression),
        (A, &["unknown"], Category::Core),
        ("data/test_more.py::test_a", &[], Category::Regression),
    ] {
        let report = collected(id, markers) + &test(id, PASS, "") + &ended(0);
        let (outcomes, _) = play(vec![(ProgramEnd::Exited(0), report)]);
        assert_eq!(outcomes[0].category, expected, "{id} {markers:?}");
    }
}

#[test]
fn a_file_that_cannot_be_collected_has_every_test_of_it_failed() {
    let uncollected = serde_json::json!({
        "event": "uncollected", "id": "tests/test_first.py", "message": "ImportError: words", "text": "ImportError: words",
    });
    let broken = || (ProgramEnd::Exited(1), format!("{uncollected}\n") + &ended(1));
    let clean = collected(A, &[]) + &collected(B, &["error"]) + &ended(0);
    let (outcomes, _) = play(vec![broken(), (ProgramEnd::Exited(0), clean)]);
    let verdicts: Vec<_> = outcomes.iter().map(|one| (one.id.as_str(), one.category, &one.verdict)).collect();
    let failed = fail(&["collection"]);
    assert_eq!(verdicts, [(A, Category::Core, &failed), (B, Category::Error, &failed)]);
    assert_eq!(outcomes[0].details[0].detail, "ImportError: words");

    let (outcomes, _) = play(vec![broken(), broken()]);
    assert_eq!((outcomes.len(), outcomes[0].id.as_str(), &outcomes[0].verdict), (1, "test_first.py", &failed));
}

#[test]
fn a_limit_is_the_verdict_of_the_test_that_hit_it_and_the_others_are_played_again() {
    let all = collected(A, &[]) + &collected(B, &[]) + &collected(C, &[]);
    let first = all + &test(A, PASS, "") + &started(B) + &phase(B, "setup", "passed", "");
    let second = collected(C, &[]) + &test(C, PASS, "") + &ended(0);
    let memory = ProgramEnd::Limit(Limit::Memory);
    let (outcomes, settings) = play(vec![(memory, first), (ProgramEnd::Exited(0), second)]);
    let verdicts: Vec<_> = outcomes.iter().map(|one| one.verdict.clone()).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Limit { limit: Limit::Memory }, Verdict::Pass]);
    assert!(settings[1].contains(&format!("\"done\":[\"tests/{A}\",\"tests/{B}\"]")), "{}", settings[1]);
}

#[test]
fn a_session_that_is_lost_is_the_infrastructures_and_played_again() {
    let lost = || (ProgramEnd::Signalled(9), collected(A, &[]) + &started(A));
    let whole = (ProgramEnd::Exited(0), collected(A, &[]) + &test(A, PASS, "") + &ended(0));
    assert_eq!(play(vec![lost(), lost(), whole]).0[0].verdict, Verdict::Pass);

    for broken in [lost, || (ProgramEnd::Exited(3), ended(3)), || (ProgramEnd::Exited(0), "no report\n".to_owned())] {
        let (outcomes, _) = play(vec![broken(), broken(), broken()]);
        assert_eq!((outcomes[0].id.as_str(), &outcomes[0].verdict), ("test_first.py", &Verdict::Infrastructure));
        assert!(outcomes[0].infrastructure.is_some());
    }
}

#[test]
fn a_test_that_a_session_leaves_out_has_failed() {
    let report = collected(A, &[]) + &collected(B, &[]) + &test(A, PASS, "") + &ended(2);
    let (outcomes, _) = play(vec![(ProgramEnd::Exited(2), report)]);
    assert_eq!((&outcomes[0].verdict, &outcomes[1].verdict), (&Verdict::Pass, &fail(&["session"])));
}
