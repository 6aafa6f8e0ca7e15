//! Runs of solutions that declare packages, with the real binary and an index that is a folder of wheels made here.
//!
//! Skipped, saying why, where there are no namespaces, uv is not to be had, or no engine has the images.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Bench, states};
use serde_json::Value;
use slopbench_environments::{EnvironmentStore, PackageIndex};
use slopbench_sandbox::{docker::ContainerEngine, probe};
use slopbench_test_support::{
    Need, need,
    package_index::{MockIndex, write_npm_packages},
    wheels::write_wheels,
};

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
    /// The folder of wheels as an index, where agents are to reach it.
    index: Option<MockIndex>,
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
        need(Need::Index, EnvironmentStore(fetched).export(&[], &[], &PackageIndex::default(), &uv))?;
        fs::create_dir(bench.path("index")).unwrap();
        write_wheels(&bench.path("index"), &["greet|1.0|py3-none-any"]);
        let packages = Self { bench, backend, index: None };
        packages.done(&["environments", "import", "uv"]);
        Some(packages)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bench.command(args);
        command.env("XDG_CACHE_HOME", self.bench.path("cache"));
        match &self.index {
            None => command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", self.bench.path("index")),
            Some(index) => command
                .env("PIP_FIND_LINKS", "")
                .env("PIP_INDEX_URL", index.python())
                .env("npm_config_registry", index.npm()),
        };
        command
    }

    /// The same with an index that agents reach.
    fn served(backend: &'static str) -> Option<Self> {
        let packages = Self::new(backend)?;
        let folder = packages.bench.path("index");
        write_wheels(&folder, &["more|1.0|py3-none-any"]);
        write_npm_packages(&folder, &["hello|1.0.0"]);
        Some(Self { index: Some(MockIndex::serve(&folder)), ..packages })
    }

    /// A run of an agent that does this at each checkpoint, told its prompt.
    fn does(&self, options: &[&str], script: &str) -> Value {
        let run = ["run", "--agent", "command", "--sandbox", self.backend, "--out", "run"];
        self.done(&[&run, options, &["--", "sh", "-c", script, "sh", "{prompt}"]].concat())
    }

    /// A file of the session at a checkpoint.
    fn session(&self, checkpoint: u32, file: &str) -> String {
        let session = format!("run/units/echo--command--just-solve--1/checkpoint_{checkpoint}/session");
        fs::read_to_string(self.bench.path(&session).join(file)).unwrap()
    }

    /// The gateway's log of that session, as JSON.
    fn log(&self, checkpoint: u32) -> Vec<Value> {
        let log = self.session(checkpoint, "gateway.jsonl");
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
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

/// Says what it finds and what it can install, and solves.
const LOOKS: &str = r#"case "$1" in
*double*) say='2 * int(word) if word.isdigit() else word'
    python -c 'import greet, sys; print(greet.__file__, sys.prefix)'
    for program in python pip greet; do command -v $program; done
    greet
    bash -lc greet
    pip install -q more && python -c 'import greet, more; more.main()'
    pip install -q nosuch 2> /dev/null || echo no such package
    touch /environment/mine 2> /dev/null || echo read-only ;;
*) say='sys.exit(1) if word.isdigit() else word'
    echo "${VIRTUAL_ENV-none}"
    python3 -m venv .venv && .venv/bin/pip install -q more && .venv/bin/python -c 'import more; more.main()' ;;
esac
printf 'import greet, sys\n\nword = sys.argv[1]\nprint(%s)\n' "$say" > echo.py
echo greet > requirements.txt"#;

fn next_agent_goes_on(backend: &'static str) {
    let Some(packages) = Packages::served(backend) else { return };
    let summary = packages.does(&[], LOOKS);
    assert!(all_pass(&summary), "{summary}: {}", packages.session(2, "stderr"));
    assert_eq!(packages.session(1, "events"), "none\nmore 1.0\n", "{}", packages.session(1, "stderr"));
    let said = packages.session(2, "events");
    let (found, said) = said.split_once(" /home/agent/.venv\n").unwrap();
    assert!(found.starts_with("/environment/lib/python3.") && found.ends_with("/site-packages/greet.py"), "{found}");
    let programs = ["python", "pip", "greet"].map(|name| format!("/home/agent/.venv/bin/{name}\n")).concat();
    let expected = programs + "greet 1.0\ngreet 1.0\nmore 1.0\nno such package\nread-only\n";
    assert_eq!(said, expected, "{}", packages.session(2, "stderr"));

    let told = [1, 2].map(|checkpoint| packages.session(checkpoint, "prompt.md").contains("is active: go on with it"));
    assert_eq!(told, [false, true]);
    let targets: Vec<_> =
        packages.log(2).into_iter().map(|entry| (entry["target"].clone(), entry["status"].clone())).collect();
    for (target, status) in [
        ("/packages/python/simple/more/", 200),
        ("/packages/python/files/more/more-1.0-py3-none-any.whl", 200),
        ("/packages/python/simple/nosuch/", 404),
    ] {
        assert!(targets.contains(&(target.into(), status.into())), "{target}: {targets:?}");
    }
    let record: Value = serde_json::from_str(&packages.session(2, "session.json")).unwrap();
    assert_eq!((&record["packages"]["requests"], &record["packages"]["failed"]), (&3.into(), &0.into()));
    // Neither the environment nor what was installed beside it is part of a snapshot.
    let trees = files(&packages.bench.path("run/trees"));
    let mut names: Vec<_> = trees.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["echo.py", "echo.py", "requirements.txt", "requirements.txt"]);

    let before = packages.results();
    let nowhere = Packages { index: None, ..packages };
    fs::remove_dir_all(nowhere.bench.path("index")).unwrap();
    nowhere.done(&["regrade", "run", "--sandbox", backend]);
    assert_eq!(nowhere.results(), before);
}

#[test]
fn the_next_agent_goes_on_with_its_packages_and_installs_more() {
    next_agent_goes_on("namespaces");
}

#[test]
fn the_next_agent_in_a_container_goes_on_with_its_packages_and_installs_more() {
    next_agent_goes_on("docker");
}

#[test]
fn an_agent_installs_from_npm() {
    let npm = Command::new("npm").arg("--version").output();
    if need(Need::Npm, npm).is_none() {
        return;
    }
    let Some(packages) = Packages::served("namespaces") else { return };
    let script = "npm install --silent hello && node -e 'require(\"hello\")' && cat package-lock.json";
    let summary = packages.does(&[], script);
    let (said, log) = (packages.session(1, "events"), packages.session(1, "gateway.jsonl"));
    assert!(said.starts_with("hello 1.0.0\n") && !said.contains("127.0.0.1"), "{said} {log} {summary}");
    assert!(log.contains("/packages/npm/hello/-/hello-1.0.0.tgz"), "{log}");
    let asked = packages.index.unwrap().asked();
    assert!(
        asked[0].starts_with("GET /npm/hello ") && asked[1].starts_with("GET /files/hello-1.0.0.tgz "),
        "{asked:?}"
    );
}

/// Asks the gateway for a page, and says how that went.
const ASKS: &str = "python3 -c '
import urllib.error, urllib.request
try: print(urllib.request.urlopen(\"http://127.0.0.1:17890/packages/python/simple/greet/\").status)
except urllib.error.HTTPError as error: print(error.code)
'; echo ${PIP_INDEX_URL-nowhere}";

#[test]
fn offline_no_index_is_reached_and_an_outage_is_in_the_record() {
    let Some(packages) = Packages::served("namespaces") else { return };
    let plan = |packages: &Packages| {
        let run = packages.bench.path("run");
        let plan: Value = serde_json::from_slice(&fs::read(run.join("plan.json")).unwrap()).unwrap();
        (plan["design"]["package_indexes"] == true, run)
    };
    packages.does(&["--offline"], ASKS);
    assert_eq!(packages.session(1, "events"), "403\nnowhere\n");
    let reason = "the package indexes are closed to this session";
    assert_eq!((&packages.log(1)[0]["outcome"], &packages.log(1)[0]["reason"]), (&"refused".into(), &reason.into()));
    assert!(!packages.session(1, "session.json").contains("packages"));
    let (is_open, run) = plan(&packages);
    assert!(!is_open);
    fs::remove_dir_all(run).unwrap();
    packages.does(&["--record"], ASKS);
    assert!(!plan(&packages).0, "a replay could not have the same packages");
    fs::remove_dir_all(plan(&packages).1).unwrap();
    assert_eq!(packages.index.as_ref().unwrap().asked(), [""; 0]);

    let down = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command =
        packages.command(&["--json", "run", "--agent", "command", "--out", "run", "--", "sh", "-c", ASKS]);
    let output = command.env("PIP_INDEX_URL", format!("http://{down}/simple/")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(packages.session(1, "events"), "503\nhttp://127.0.0.1:17890/packages/python/simple/\n");
    assert!(plan(&packages).0);
    let record: Value = serde_json::from_str(&packages.session(1, "session.json")).unwrap();
    assert_eq!(record["packages"], serde_json::json!({"requests": 1, "bytes": 0, "failed": 1}));
    assert_eq!(packages.log(1)[0]["outcome"], "unreached");
}

#[test]
fn packages_that_end_the_interpreter_are_the_agents_own_affair() {
    let Some(packages) = Packages::served("namespaces") else { return };
    write_wheels(&packages.bench.path("index"), &["spoils|1.0|py3-none-any"]);
    let script = "python -c 1; echo $?; ls ~/.venv/bin/pip; echo spoils > requirements.txt; echo 1 >> echo.py";
    let summary = packages.does(&[], script);
    assert_eq!(states(&summary).iter().map(|(state, _)| state.as_str()).collect::<Vec<_>>(), ["done", "done"]);
    assert_eq!(packages.session(2, "events"), "9\n/home/agent/.venv/bin/pip\n");
}
