//! Runs of solutions that declare packages, with the real binary and an index that is a folder of wheels made here.
//!
//! Skipped, saying why, where there are no namespaces, uv is not to be had, or no engine has the images.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Bench, states};
use serde_json::Value;
use slopbench_environments::{EnvironmentStore, PackageIndex};
use slopbench_sandbox::{docker::ContainerEngine, probe};
use slopbench_test_support::{Need, need, wheels::write_wheels};

/// A solution of the checkpoint that the prompt asks for, which needs the package `greet` and says so in its requirements:
/// the second argument.
const SOLVE: &str = r#"case "$1" in
*double*) say='2 * int(word) if word.isdigit() else word' ;;
*) say='sys.exit(1) if word.isdigit() else word' ;;
esac
printf 'import greet, sys\n\nword = sys.argv[1]\nprint(%s)\n' "$say" > echo.py
printf "$2" > requirements.txt"#;

struct Packages {
    bench: Bench,
    backend: &'static str,
}

impl Packages {
    fn new(backend: &'static str) -> Option<Self> {
        match backend {
            "docker" => {
                let found = ContainerEngine::connect().and_then(|engine| {
                    engine.find_image("slopbench/python")?;
                    engine.find_image("slopbench/build")
                });
                need(Need::Docker, found).map(drop)?;
            }
            _ => need(Need::Namespaces, probe::available())?,
        }
        let bench = Bench::new();
        let (fetched, uv) = (Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments"), bench.path("uv"));
        need(Need::Index, EnvironmentStore(fetched).export(&[], &PackageIndex::default(), &uv))?;
        fs::create_dir(bench.path("index")).unwrap();
        write_wheels(&bench.path("index"), &["greet|1.0|py3-none-any"]);
        let packages = Self { bench, backend };
        packages.done(&["environments", "import", "uv"]);
        Some(packages)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bench.command(args);
        command.env("XDG_CACHE_HOME", self.bench.path("cache"));
        command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", self.bench.path("index"));
        command
    }

    fn done(&self, args: &[&str]) -> Value {
        let output = self.command(&[&["--json"], args].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn run(&self, requirements: &str) -> Value {
        let options = ["run", "--agent", "command", "--sandbox", self.backend, "--out", "run", "--"];
        self.done(&[&options[..], &["sh", "-c", SOLVE, "sh", "{prompt}", requirements]].concat())
    }

    /// All that grading gave, by path.
    fn results(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let wanted = ["verdicts.json", "quality.json", "summary.json"];
        let paths = files(&self.bench.path("run"));
        let named = paths.into_iter().filter(|path| wanted.iter().any(|name| path.ends_with(name)));
        named.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    fn verdicts(&self) -> Vec<Value> {
        let results = self.results().into_iter().filter(|(path, _)| path.ends_with("verdicts.json"));
        results.map(|(_, bytes)| serde_json::from_slice(&bytes).unwrap()).collect()
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Each checkpoint's cases in `tests/repository`, all passed.
fn all_pass(summary: &Value) -> bool {
    let checkpoints = summary["trajectories"][0]["checkpoints"].as_array().unwrap();
    checkpoints.iter().all(|row| row["solve"]["strict"] == true && row["environment"]["digest"].is_string())
}

fn is_graded_again_offline(backend: &'static str) {
    let Some(packages) = Packages::new(backend) else { return };
    let summary = packages.run("greet\\n");
    assert!(all_pass(&summary), "{summary}");
    let before = packages.results();
    let record =
        files(&packages.bench.path("run")).into_iter().find(|path| path.ends_with("environment.json")).unwrap();
    let record: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    assert_eq!(record["resolution"]["locked"]["greet"]["version"], "1.0");
    assert_eq!(record["requirements"][0], "requirements.txt:1: greet");
    let listed = packages.done(&["environments", "list"]);
    assert_eq!(listed[0]["packages"][0], "greet 1.0");

    // A newer version, which another session would get, is none of this run's.
    write_wheels(&packages.bench.path("index"), &["greet|2.0|py3-none-any"]);
    packages.done(&["regrade", "run", "--sandbox", backend]);
    assert_eq!(packages.results(), before);

    assert_eq!(packages.done(&["environments", "export", "--out", "exported", "run"])["wheels"], 2);
    fs::remove_dir_all(packages.bench.path("index")).unwrap();
    packages.done(&["environments", "prune"]);
    let output = packages.command(&["regrade", "run", "--sandbox", backend]).output().unwrap();
    let error = packages.bench.last_words(&output, 3);
    assert!(error.contains("the package index gave no answer"), "{error}");
    assert_eq!(packages.done(&["environments", "import", "exported"])["wheels"], 2);
    packages.done(&["regrade", "run", "--sandbox", backend]);
    assert_eq!(packages.results(), before);
}

#[test]
fn a_run_with_packages_is_graded_again_without_an_index() {
    is_graded_again_offline("namespaces");
}

#[test]
fn a_run_with_packages_in_containers_is_graded_again_without_an_index() {
    is_graded_again_offline("docker");
}

#[test]
fn what_cannot_be_had_is_a_verdict_and_a_sentence() {
    let Some(packages) = Packages::new("namespaces") else { return };
    let summary = packages.run("greet\\nnosuch\\n");
    assert!(states(&summary).iter().all(|(state, passed)| state == "done" && *passed == 0), "{summary}");
    let verdicts = packages.verdicts();
    assert!(!verdicts.is_empty());
    for verdicts in verdicts {
        let refused = "requirements.txt:2: the package index has no package `nosuch`";
        assert_eq!(verdicts["environment"]["refused"], refused);
        assert!(verdicts["cases"].as_array().unwrap().iter().all(|case| case["verdict"] == "no_environment"));
    }
}

#[test]
fn a_solution_is_tested_with_its_packages_on_the_machine_itself_too() {
    let Some(packages) = Packages::new("namespaces") else { return };
    let solution = packages.bench.path("solution");
    fs::create_dir(&solution).unwrap();
    fs::write(solution.join("requirements.txt"), "greet\n").unwrap();
    let program = "import greet, sys\n\nword = sys.argv[1]\nprint(sys.exit(1) if word.isdigit() else word)\n";
    fs::write(solution.join("echo.py"), program).unwrap();
    for backend in ["namespaces", "none"] {
        let test = ["test", "echo", "--checkpoint", "1", "--solution", "solution", "--sandbox", backend];
        let tested = packages.done(&test);
        assert_eq!(tested["verdicts"]["solve"]["strict"], true, "{backend}: {tested}");
    }
}
