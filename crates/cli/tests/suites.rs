//! Problems in SlopCodeBench's format, played by the real pytest, which comes from PyPI: `cargo xtask suites` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use serde_json::Value;
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// How often each suite is played in each back end.
const TIMES: &str = "SLOPBENCH_SUITE_TIMES";

const BACK_ENDS: [&str; 3] = ["namespaces", "docker", "none"];

fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites")
}

fn store() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites")
}

/// What a suite of a problem gave, as JSON.
fn test(problems: &Path, problem: &str, checkpoint: u32, solution: &Path, back_end: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
    command.arg("--problems").arg(problems).args(["--json", "test", problem, "--sandbox", back_end]);
    command.args(["--checkpoint", &checkpoint.to_string()]).arg("--solution").arg(solution);
    command.arg("--environments-dir").arg(store()).current_dir(env::temp_dir());
    let output = command.output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The tests' outcomes in pytest's own words.
fn outcomes(answer: &Value) -> BTreeMap<String, String> {
    let outcome = |case: &Value| match (case["verdict"].as_str().unwrap(), case["mismatches"].to_string()) {
        ("pass", _) => "passed".to_owned(),
        ("fail", mismatches) if mismatches.contains("setup") || mismatches.contains("teardown") => "error".to_owned(),
        ("fail" | "limit", _) => "failed".to_owned(),
        (verdict, _) => verdict.to_owned(),
    };
    let cases = answer["verdicts"]["cases"].as_array().unwrap();
    cases.iter().map(|case| (case["case"].as_str().unwrap().to_owned(), outcome(case))).collect()
}

/// What pytest says of a test, and what that is in [`outcomes`].
const WORDS: [(&str, &str); 6] = [
    ("PASSED", "passed"),
    ("XPASS", "passed"),
    ("FAILED", "failed"),
    ("ERROR", "error"),
    ("SKIPPED", "skipped"),
    ("XFAIL", "skipped"),
];

/// The same of pytest, run by hand: in a copy of the solution with the tests in it, as the authors do.
fn by_hand(problem: &str, checkpoint: u32, solution: &Path) -> BTreeMap<String, String> {
    let dir = tempfile::tempdir().unwrap();
    let (workspace, from) = (dir.path().join("workspace"), suites().join(problem));
    copy(solution, &workspace);
    copy(&from.join("tests"), &workspace.join("tests"));
    for number in (1..=3).filter(|number| *number > checkpoint || (checkpoint == 3 && *number < 3)) {
        let _ = fs::remove_file(workspace.join(format!("tests/test_checkpoint_{number}.py")));
    }
    let units = workspace.join("tests/assets/units");
    if problem == "lengths" {
        fs::create_dir_all(units.parent().unwrap()).unwrap();
        fs::copy(from.join("units/units.json"), &units).unwrap();
    }
    let markers = ["error", "functionality", "regression", "rounding", "safety"].map(|name| format!("\n    {name}: x"));
    fs::write(workspace.join("pytest.ini"), format!("[pytest]\nmarkers ={}\n", markers.concat())).unwrap();
    let style = if checkpoint == 3 { "words" } else { "plain" };
    let entry = workspace.join(format!("{problem}.py"));
    let mut pytest = Command::new(python(problem));
    pytest.args(["-P", "-m", "pytest", "-v", "--tb=no", "--timeout=10", "tests", "--checkpoint=x"]);
    pytest.arg(format!("--entrypoint=python3 {}", entry.display())).current_dir(&workspace);
    pytest.env("SCBENCH_ASSETS_DIR", units.parent().unwrap()).env("SCBENCH_ASSET_UNITS", &units);
    let said = pytest.env("LENGTHS_STYLE", style).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let mut seen = BTreeMap::new();
    // Of a test whose teardown fails as well, the last word counts.
    for line in said.lines().filter_map(|line| line.strip_prefix("tests/")) {
        let found = WORDS.iter().filter_map(|(word, outcome)| Some((line.find(&format!(" {word}"))?, *outcome)));
        if let Some((end, outcome)) = found.min() {
            seen.insert(line[..end].to_owned(), outcome.to_owned());
        }
    }
    assert!(!seen.is_empty(), "{said}");
    seen
}

/// An interpreter with what this problem's tests import, of those that were built.
fn python(problem: &str) -> PathBuf {
    let module = if problem == "lengths" { "yaml" } else { "httpx" };
    let built = fs::read_dir(store().join("built")).unwrap().map(|entry| entry.unwrap().path());
    let mut pythons = built.map(|path| path.join("environment/bin/python"));
    let question = format!("import pytest, {module}");
    let has = |python: &PathBuf| {
        let asked = Command::new(python).args(["-P", "-c", &question]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    pythons.find(has).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let path = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &path) } else { assert!(fs::copy(entry.path(), path).is_ok()) }
    }
}

/// The back ends that this machine has.
fn back_ends() -> impl Iterator<Item = &'static str> {
    let docker = || Command::new("docker").args(["image", "ls", "--quiet", "slopbench/python"]).output();
    let has_docker = docker().is_ok_and(|output| !output.stdout.is_empty()).then_some(()).ok_or("no image");
    let docker = need(Need::Docker, has_docker);
    BACK_ENDS.into_iter().filter(move |back_end| *back_end != "docker" || docker.is_some())
}

/// A solution with something that tests find: whoever plays it, the outcomes are those of pytest.
fn spoilt() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(suites().join("lengths/solutions/checkpoint_2/lengths.py")).unwrap();
    // Dry places leak, nothing is said of three digits, an unknown unit is a crash, and lines are answered late.
    let text = text.replace("0.001", "0.01").replace("        return 2\n", "        os.abort()\n").replace(
        "def answer_all(factor):\n",
        "def answer_all(factor):\n    import time\n    time.sleep(6 if factor != 1 else 0)\n",
    );
    let leak = "    if length == given == \"m\":\n        return 0\n    if sys.argv[1:] == [\"1\", \"m\", \"m\"]:\n        \
                print(\"wet\")\n        return 0\n    try:\n        print(say";
    fs::write(dir.path().join("lengths.py"), text.replace("    try:\n        print(say", leak)).unwrap();
    dir
}

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn every_test_has_the_outcome_that_pytest_gives_it_by_hand() {
    let times = env::var(TIMES).map_or(1, |times| times.parse().unwrap());
    let spoilt = spoilt();
    let own = |problem: &str, number: u32| suites().join(format!("{problem}/solutions/checkpoint_{number}"));
    let mut solutions: Vec<(&str, u32, PathBuf)> = vec![("lengths", 2, spoilt.path().to_path_buf())];
    solutions.extend((1..=3).map(|number| ("lengths", number, own("lengths", number))));
    solutions.extend((1..=2).map(|number| ("tides", number, own("tides", number))));
    solutions.push(("tides", 2, own("tides", 1)));
    for back_end in back_ends() {
        for (problem, number, solution) in &solutions {
            let play = || outcomes(&test(&suites(), problem, *number, solution, back_end));
            let first = play();
            let expected = by_hand(problem, *number, solution);
            assert_eq!(first, expected, "{problem} {number} in {back_end}");
            for _ in 0..times {
                thread::scope(|scope| {
                    let at_once: Vec<_> = (0..8).map(|_| scope.spawn(play)).collect();
                    let seen = at_once.into_iter().map(|thread| thread.join().unwrap());
                    seen.for_each(|seen| assert_eq!(seen, expected, "{problem} {number} in {back_end}, 8 at once"));
                });
            }
        }
    }
}

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn categories_follow_from_files_and_markers() {
    let solution = suites().join("lengths/solutions/checkpoint_2");
    let answer = test(&suites(), "lengths", 2, &solution, "namespaces");
    let cases = answer["verdicts"]["cases"].as_array().unwrap();
    let of = |name: &str| {
        let case = cases.iter().find(|case| case["case"].as_str().unwrap().ends_with(name)).unwrap();
        (case["category"].as_str().unwrap(), case["regression"].as_bool().unwrap())
    };
    assert_eq!(of("test_each_line_is_answered"), ("core", false));
    assert_eq!(of("test_what_is_no_number"), ("error", false));
    assert_eq!(of("test_what_was_said_is_kept"), ("functionality", false));
    assert_eq!(of("test_one_length_still_works"), ("regression", true));
    assert_eq!(of("test_three_digits"), ("functionality", true));
    assert_eq!(of("test_no_trace_of_python"), ("error", true));
    let alone = test(&suites(), "lengths", 3, &suites().join("lengths/solutions/checkpoint_3"), "namespaces");
    assert_eq!(alone["verdicts"]["cases"].as_array().unwrap().len(), 2, "without earlier tests");
    assert_eq!(answer["verdicts"]["suite"]["expectations_exposed"], Value::Null);
}

/// A problem whose tests import the solution, and hand data over to it.
fn exposing() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("config.yaml", "name: open\nentry_file: open\ncheckpoints:\n  checkpoint_1: {version: 1, order: 1}\n"),
        ("checkpoint_1.md", "Print the file that is named."),
        (
            "tests/conftest.py",
            "def pytest_addoption(parser):\n    parser.addoption('--entrypoint')\n    parser.addoption('--checkpoint')\n",
        ),
        ("tests/data/words.txt", "handed over\n"),
        ("tests/data/secret.txt", "not handed over\n"),
        (
            "tests/test_checkpoint_1.py",
            "import shlex, subprocess, sys, os\nfrom pathlib import Path\n\nDATA = Path(__file__).parent / 'data'\n\n\
             def run(request, path):\n    command = shlex.split(request.config.getoption('--entrypoint'))\n    \
             return subprocess.run([*command, str(path)], capture_output=True, text=True).stdout\n\n\
             def test_handed(request):\n    assert run(request, DATA / 'words.txt') == 'handed over\\n'\n\n\
             def test_beside():\n    assert subprocess.run(['true']).returncode == 0\n\n\
             def test_imported():\n    sys.path.insert(0, os.getcwd())\n    import open as solution\n    \
             assert solution.NAME == 'open'\n",
        ),
        (
            "solutions/checkpoint_1/open.py",
            "import sys, pathlib\nNAME = 'open'\nif __name__ == '__main__':\n    path = pathlib.Path(sys.argv[1])\n    \
             print(path.read_text(), end='')\n    secret = path.with_name('secret.txt')\n    \
             print('found' if secret.exists() else '', file=sys.stderr)\n    assert not secret.exists()\n",
        ),
    ] {
        let path = dir.path().join("open").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn what_tests_import_start_and_hand_over_is_named() {
    let dir = exposing();
    let solution = dir.path().join("open/solutions/checkpoint_1");
    let answer = test(dir.path(), "open", 1, &solution, "namespaces");
    assert!(outcomes(&answer).values().all(|outcome| outcome == "passed"), "{answer}");
    let suite = &answer["verdicts"]["suite"];
    let exposed = suite["expectations_exposed"].to_string();
    for found in ["imports `open`", "imports from the solution's folder", "was loaded by the tests", "\"true\""] {
        assert!(exposed.contains(found), "{found}: {exposed}");
    }
    assert_eq!(suite["handed_over"].to_string(), "[\"data/words.txt\"]");
}

/// A solution that cheats: what it does, the files that it brings, and its program.
type Cheat = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// What cheating solutions do at every start, before their honest part. Whoever finds the tests writes it to a file that the
/// next start answers from.
const CHEATS: &[Cheat] = &[
    (
        "reads the tests from the disk",
        &[],
        "for folder in ('/suite', '/suite/tests', '/opt/suite', '/workspace/tests'):
    for root, _, names in os.walk(folder):
        found += [os.path.join(root, name) for name in names if name.startswith('test_') or name == 'runner.py']",
    ),
    (
        "reads other processes' files, memory, environment and descriptors",
        &[],
        "for pid in filter(str.isdigit, os.listdir('/proc')):
    if pid in (str(os.getpid()), '1'):
        continue
    for name in ('root/suite/runner.py', 'cwd/pytest.ini', 'environ', 'maps', 'mem'):
        try:
            text = open(f'/proc/{pid}/{name}', 'rb').read(1 << 16)
        except OSError:
            continue
        if b'pytest' in text or b'SLOPBENCH_REPORT' in text:
            found.append(f'{pid}/{name}')
    try:
        found += [fd for fd in os.listdir(f'/proc/{pid}/fd') if 'suite' in os.readlink(f'/proc/{pid}/fd/{fd}')]
    except OSError:
        pass",
    ),
    (
        "reads pytest's environment",
        &[],
        "found += [name for name in os.environ if name.startswith(('PYTEST_', 'SLOPBENCH_')) or '/opt/suite' in os.environ[name]]",
    ),
    (
        "writes the report into every descriptor it inherits",
        &[],
        "line = b'{\"event\": \"ended\", \"status\": 0, \"exposed\": []}\\n'
for descriptor in range(3, 256):
    try:
        os.write(descriptor, line)
        found.append(str(descriptor))
    except OSError:
        pass",
    ),
    (
        "plants what pytest and its interpreter would load",
        &[
            ("conftest.py", EVERYTHING_PASSES),
            ("pytest.py", "raise SystemExit(0)\n"),
            ("pytest_timeout.py", "raise SystemExit(0)\n"),
            ("sitecustomize.py", "import os\nos._exit(0)\n"),
            ("usercustomize.py", "import os\nos._exit(0)\n"),
            ("site-packages/cheat.pth", "import os; os._exit(0)\n"),
            ("pytest.ini", "[pytest]\naddopts = --collect-only\n"),
            ("tests/test_checkpoint_2.py", "def test_nothing(): pass\n"),
            ("setup.cfg", "[tool:pytest]\naddopts = -p conftest\n"),
        ],
        "for name in ('conftest.py', 'sitecustomize.py', 'pytest.py'):
    for folder in ('/tmp', os.environ.get('HOME', '/tmp'), os.getcwd(), os.path.dirname(os.getcwd())):
        try:
            shutil.copy('/workspace/conftest.py', os.path.join(folder, name))
        except OSError:
            pass",
    ),
    (
        "leaves links to what is expected",
        &[],
        "import atexit
if os.path.islink('history.txt'):
    os.unlink('history.txt')
def leave():
    if os.path.exists('history.txt'):
        os.unlink('history.txt')
        os.symlink('/suite/tests/data/history.txt', 'history.txt')
atexit.register(leave)",
    ),
    (
        "ends its parents",
        &[],
        "import signal
for pid in [os.getppid(), *map(int, filter(str.isdigit, os.listdir('/proc')))]:
    if pid not in (0, os.getpid()):
        try:
            os.kill(pid, signal.SIGSTOP if pid == 1 else 0)
            command = open(f'/proc/{pid}/cmdline').read()
            if 'pytest' in command:
                os.kill(pid, signal.SIGKILL)
                found.append(str(pid))
        except OSError:
            pass",
    ),
];

/// A plugin that lets every test pass.
const EVERYTHING_PASSES: &str = "import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = 'passed'
";

/// The reference solution of the second checkpoint without its history, and with `cheat` before it.
fn cheating(files: &[(&str, &str)], cheat: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let honest = fs::read_to_string(suites().join("lengths/solutions/checkpoint_2/lengths.py")).unwrap();
    let honest = honest.replace("            print(answer, file=history)\n", "");
    let answer = "if found:\n    print('found', *found)\n    raise SystemExit(9)\n";
    let text = format!("import os, shutil\nfound = []\n{cheat}\n{answer}\n{honest}");
    fs::write(dir.path().join("lengths.py"), text).unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn who_cheats_earns_what_its_honest_part_earns() {
    for back_end in back_ends().filter(|back_end| *back_end != "none") {
        let play = |solution: &TempDir| outcomes(&test(&suites(), "lengths", 2, solution.path(), back_end));
        let honest = play(&cheating(&[], ""));
        let failed: Vec<_> = honest.iter().filter(|(_, outcome)| *outcome == "failed").map(|(id, _)| id).collect();
        assert_eq!(failed, ["test_checkpoint_2.py::test_what_was_said_is_kept"], "{back_end}");
        for (name, files, cheat) in CHEATS {
            assert_eq!(play(&cheating(files, cheat)), honest, "a solution that {name}, in {back_end}");
        }
    }
}
