//! Runs and archives of problems in SlopCodeBench's format, with the real binary and the real pytest, which comes from PyPI:
//! `cargo xtask suites` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::copy;
use serde_json::Value;
use slopbench_sandbox::{docker::ContainerEngine, probe};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// Problems in a folder of their own, no clone of the repository anywhere near.
struct Away {
    dir: TempDir,
    /// The environments of tests, which other tests share unless they say otherwise.
    store: PathBuf,
    /// Whether there is no package index.
    is_offline: bool,
}

impl Away {
    fn new(back_end: &str) -> Option<Self> {
        match back_end {
            "docker" => {
                let found = ContainerEngine::connect().and_then(|engine| {
                    engine.find_image("slopbench/python")?;
                    engine.find_image("slopbench/build")
                });
                need(Need::Docker, found).map(drop)?;
            }
            _ => need(Need::Namespaces, probe::available())?,
        }
        let dir = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites"), &dir.path().join("theirs"));
        fs::create_dir(dir.path().join("here")).unwrap();
        let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites");
        Some(Self { dir, store, is_offline: false })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("here").join(name)
    }

    fn output(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
        command.arg("--json").args(args).current_dir(self.path(""));
        command.env("XDG_CONFIG_HOME", self.path("configuration"));
        if self.is_offline {
            command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", "");
        }
        command.output().unwrap()
    }

    /// With their problems and this test's environments.
    fn done(&self, args: &[&str], options: &[&str], code: i32) -> Value {
        let store = self.store.display().to_string();
        let (before, after): (&[&str], &[&str]) = match args.iter().position(|word| *word == "--") {
            Some(at) => args.split_at(at),
            None => (args, &[]),
        };
        let own = ["--problems", "../theirs", "--environments-dir", &store];
        self.answer(&[before, &own, options, after].concat(), code)
    }

    fn answer(&self, args: &[&str], code: i32) -> Value {
        let output = self.output(args);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    fn error(&self, args: &[&str], code: i32) -> String {
        let output = self.output(args);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn read(&self, path: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(path)).unwrap()).unwrap()
    }

    /// All that grading gave, by path.
    fn results(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let wanted = ["verdicts.json", "quality.json", "summary.json"];
        let named = files(&self.path("run")).into_iter().filter(|path| wanted.iter().any(|name| path.ends_with(name)));
        named.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

const BACK_ENDS: [&str; 2] = ["namespaces", "docker"];

/// What a program of the agent `command` does: it looks for what it is to find, and leaves the solution of the checkpoint.
const SOLVE: &str = r#"test "$ASSETS $SCBENCH_ASSETS_DIR $SCBENCH_ASSET_UNITS" = "/assets /assets /assets/units" || exit 4
test -s /assets/units || exit 4
(: > /assets/units) 2> /dev/null && exit 6
ls /suite /opt/suite 2> /dev/null && exit 5
case "$1" in
*by\ their\ names*) printf '%s' "$4" > lengths.py ;;
*standard\ input*) printf '%s' "$3" > lengths.py ;;
*) printf '%s' "$2" > lengths.py ;;
esac"#;

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn a_run_of_their_problems_is_planned_resumed_and_graded_again() {
    for back_end in BACK_ENDS {
        let Some(away) = Away::new(back_end) else { continue };
        let sandbox = ["--sandbox", back_end];
        let solution = |number: u32| {
            let path = format!("../theirs/lengths/solutions/checkpoint_{number}/lengths.py");
            fs::read_to_string(away.path(&path)).unwrap()
        };
        let solutions = [1, 2, 3].map(solution);
        let [first, second, third] = solutions.each_ref().map(String::as_str);
        let run = ["run", "--agent", "command", "--problem", "lengths", "--out", "run", "--"];
        let agent = ["sh", "-c", SOLVE, "sh", "{prompt}", first, second, third];
        let summary = away.done(&[&run[..], &agent].concat(), &sandbox, 0);
        let checkpoints = summary["trajectories"][0]["checkpoints"].as_array().unwrap();
        assert!(checkpoints.iter().all(|row| row["state"] == "done"), "{back_end}: {summary}");
        // Some of its tests skip themselves.
        let verdicts: Vec<Value> = files(&away.path("run/units"))
            .into_iter()
            .filter(|path| path.ends_with("verdicts.json"))
            .map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
            .collect();
        let cases: Vec<_> = verdicts.iter().flat_map(|one| one["cases"].as_array().unwrap()).collect();
        assert_eq!((verdicts.len(), cases.len()), (3, 13 + 18 + 2));
        assert!(cases.iter().all(|case| case["verdict"] == "pass" || case["verdict"] == "skipped"), "{cases:?}");

        // Plan, summary and verdicts name one lock, which the run keeps.
        let plan = away.read("run/plan.json");
        let lock = plan["instrument"]["tests of lengths"].as_str().unwrap();
        assert_eq!(summary["instrument"]["tests of lengths"], lock);
        let verdicts = away.read("run/units/lengths--command--just-solve--1/checkpoint_2/grade/verdicts.json");
        assert_eq!(verdicts["suite"]["lock"], lock);
        let kept = away.read(&format!("run/suites/{}.json", lock.replace(':', "-")));
        assert_eq!(
            kept["resolution"]["locked"]["pyyaml"]["file"].as_str().map(|file| file.ends_with(".whl")),
            Some(true)
        );

        // From the middle, with the lock that it has, and the same bytes.
        let before = away.results();
        fs::remove_file(away.path("run/summary.json")).unwrap();
        fs::remove_dir_all(away.path("run/units/lengths--command--just-solve--1/checkpoint_3/grade")).unwrap();
        let refused = away.error(&["resume", "run"], 2);
        assert!(refused.contains("--problems"), "{refused}");
        away.done(&["resume", "run"], &sandbox, 0);
        assert_eq!(away.results(), before, "{back_end}");
        away.done(&["regrade", "run"], &sandbox, 0);
        assert_eq!(away.results(), before, "{back_end}");

        let shown = away.answer(&["show", "run", "lengths--command--just-solve--1", "2"], 0);
        assert_eq!(shown["verdicts"]["suite"]["lock"], lock);
        let tables = away.answer(&["report", "run"], 0);
        assert!(tables.to_string().contains("command"), "{tables}");

        // Another lock is another instrument.
        let name = format!("run/suites/{}.json", lock.replace(':', "-"));
        let text = fs::read_to_string(away.path(&name)).unwrap();
        fs::write(away.path(&name), text.replace("pytest==", "pytest>=")).unwrap();
        let changed = away.output(&["--problems", "../theirs", "regrade", "run", "--sandbox", back_end]);
        let said = String::from_utf8(changed.stderr).unwrap();
        assert!(changed.status.code() == Some(2) && said.contains("it is not the lock"), "{said}");
    }
}

#[test]
#[ignore = "installs from PyPI: cargo xtask suites"]
fn references_of_their_problems_are_archived_and_verified_without_an_index() {
    let Some(mut away) = Away::new("namespaces") else { return };
    fs::create_dir(away.path("tides-reference")).unwrap();
    let definition = "format = \"slopbench.artifact/1\"\ntitle = \"Tides\"\nclaims = [{ id = \"strict\", statement = \"All are \
                      solved\", file = \"summary.json\", pointer = \"/solved/strict\", expected = 2 }]\n[job]\nkind = \
                      \"reference\"\nproblem = \"tides\"\n";
    fs::write(away.path("tides-reference/artifact.toml"), definition).unwrap();
    away.done(&["archive", "tides-reference"], &[], 0);
    let manifest = away.read("tides-reference/manifest.json");
    assert!(manifest["inputs"]["problems/tides/tests/test_checkpoint_1.py"].is_string(), "{manifest}");
    assert!(manifest["outputs"]["suite.json"].is_string(), "{manifest}");

    // On a machine that has never seen the problem, and has no index.
    let store = away.store.display().to_string();
    let export = ["environments", "export", "--out", "exported", "tides-reference", "--environments-dir", &store];
    assert!(away.output(&export).status.success());
    (away.store, away.is_offline) = (away.path("store"), true);
    let store = away.store.display().to_string();
    assert!(away.output(&["environments", "import", "exported", "--environments-dir", &store]).status.success());
    let verified = away.done(&["verify", "tides-reference"], &[], 0);
    assert_eq!(verified[0]["claims"].as_array().unwrap().len(), 3, "{verified}");

    // A test that is changed is an input that is.
    let test = away.path("../theirs/tides/tests/test_checkpoint_1.py");
    let text = fs::read_to_string(&test).unwrap();
    fs::write(&test, format!("{text}\n# changed\n")).unwrap();
    let verified = away.done(&["verify", "tides-reference"], &[], 1);
    let differences = verified[0]["claims"][0]["differences"].to_string();
    assert!(differences.contains("problems/tides/tests/test_checkpoint_1.py: changed since"), "{verified}");
    fs::write(away.path("../theirs/tides/config.yaml"), "name: [\n").unwrap();
    let verified = away.done(&["verify", "tides-reference"], &[], 1);
    assert!(verified[0]["claims"][0]["differences"].to_string().contains("problems/tides/config.yaml"), "{verified}");
}
