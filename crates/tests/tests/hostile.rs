//! Hostile solutions, from the case to the verdict, in each back end. (What happens to each inside is tested where the
//! sandbox is; here it is about what the score says.)
//!
//! Each file in `hostile` is a solution that says what it tries and, case by case, the verdict that it must get:
//!
//! - `echo` expects a word of its arguments to be printed, `file` to be written to a file;
//! - `secret` expects what nobody can know who has not seen the case.
//!
//! The three are played in this order in one sandbox, so what an attack leaves behind is there for the next one to find:
//! an attack that comes to something prints `cheated`, and fails. Numbers of system calls are those of x86-64.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says that it was skipped")]

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_sandbox::{
    Error, Namespaces, Runtime, Sandbox, Solution,
    docker::{ContainerEngine as Containers, Docker},
    probe,
};
use slopbench_test_support::{Need, need};
use slopbench_tests::{Engine, Gate, Problem, Verdict, pytest::no_environments};
use tempfile::TempDir;

const PROBLEM: &str = r#"format = "slopbench.problem/2"
title = "Echo"
kind = "cli"
entry = "echo"

[limits]
wall_ms = 3000
cpu_ms = 1000
memory_mb = 64
processes = 8
disk_mb = 8
file_mb = 4
output_kb = 64

[[checkpoints]]
title = "Words"
"#;

/// How much later than its limit a program may end.
const GRACE: Duration = Duration::from_secs(1);

const WALL: Duration = Duration::from_secs(3);

/// What no solution can know: the process number and the time, in a form that is easily searched for.
fn secret() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    format!("secret-{:08x}{:08x}", std::process::id(), now.subsec_nanos())
}

/// The problem, with `source` as its solution beside it.
fn problem(source: &Path) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let case = |args: &str, expected: &str| {
        let head = "format = \"slopbench.case/1\"\ntitle = \"A word\"\ncategory = \"core\"\n";
        format!("{head}args = {args}\n\n[expect]\nexit_code = 0\n\n[expect.{expected}\"\n")
    };
    let hello = r#"text = "hello\n"#;
    let word = format!("text = \"{}\\n", secret());
    let solution = dir.path().join("elsewhere");
    for (path, content) in [
        ("problem/problem.toml", PROBLEM),
        ("problem/checkpoint_1/spec.md", "Echo words."),
        ("problem/checkpoint_1/cases/echo.toml", &case(r#"["hello"]"#, &format!("stdout]\n{hello}"))),
        (
            "problem/checkpoint_1/cases/file.toml",
            &case(r#"["hello", "out.txt"]"#, &format!("files.\"out.txt\"]\n{hello}")),
        ),
        ("problem/checkpoint_1/cases/secret.toml", &case(r#"["hello"]"#, &format!("stdout]\n{word}"))),
        ("problem/solution/python/checkpoint_1/echo.py", ""),
        ("elsewhere/echo.py", &fs::read_to_string(source).unwrap()),
        ("elsewhere/honest.py", include_str!("hostile/honest.py")),
    ] {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    (dir, solution)
}

/// As in the heads of the files.
fn text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Pass => "pass".to_owned(),
        Verdict::Fail { mismatches } => format!("fail {}", mismatches.join(", ")),
        Verdict::Crashed { signal } => format!("crashed {signal}"),
        Verdict::Limit { limit } => format!("limit {}", serde_json::to_value(limit).unwrap().as_str().unwrap()),
        Verdict::Missing => "missing".to_owned(),
        Verdict::Skipped => "skipped".to_owned(),
        Verdict::NoEnvironment => "no environment".to_owned(),
        Verdict::BuildFailed => "build failed".to_owned(),
        Verdict::Infrastructure => "infrastructure".to_owned(),
    }
}

/// What the head of a hostile solution says that it must get.
fn expected(source: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(source).unwrap();
    let head = text.lines().map_while(|line| line.strip_prefix("# ")).skip(1);
    head.filter_map(|line| line.split_once(": ")).map(|(case, verdict)| (case.into(), verdict.into())).collect()
}

/// Every hostile solution, by name.
fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut sources: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| !path.ends_with("honest.py"));
    sources.sort();
    sources
}

/// What the head of a hostile solution says that it tries.
fn attempt(source: &Path) -> String {
    let text = fs::read_to_string(source).unwrap();
    let first = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap();
    first.trim_end_matches('.').to_owned()
}

/// Plays every hostile solution in the sandboxes that `open` gives, and compares what each gets with what it must get.
fn play(open: impl Fn(&Solution) -> Result<Box<dyn Sandbox>, Error> + Sync) {
    let sources = sources();
    let mut wrong = String::new();
    for source in &sources {
        let (dir, solution) = problem(source);
        let problem = Problem::load(&dir.path().join("problem")).unwrap();
        let hide = vec![problem.dir.clone()];
        let open = |dir: &Path, _: Option<&Path>| {
            open(&Solution { dir: dir.to_path_buf(), hide: hide.clone(), ..Solution::default() })
        };
        let engine =
            Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
        let outcomes = engine.run(&problem, &problem.suite(1), &solution, &|_| {}).unwrap();
        let short = |id: &str| id.trim_start_matches("checkpoint_1/").to_owned();
        let seen = outcomes.iter().map(|outcome| (short(outcome.id.as_str()), text(&outcome.verdict))).collect();
        let late = outcomes.iter().filter_map(|outcome| outcome.usage).any(|usage| usage.wall > WALL + GRACE);
        let name = source.file_stem().unwrap().to_string_lossy();
        if expected(source) != seen || late {
            let details: Vec<_> = outcomes.iter().map(|outcome| (&outcome.details, &outcome.infrastructure)).collect();
            wrong += &format!("{name}: expected {:?}, got {seen:?}, late: {late}: {details:?}\n", expected(source));
        }
    }
    assert!(sources.len() > 30 && wrong.is_empty(), "{wrong}");
}

#[test]
fn in_namespaces() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let runtime = Runtime::python3().unwrap();
    play(|solution| Ok(Box::new(Namespaces::open(solution, &runtime)?)));
}

#[test]
fn in_containers() {
    let image = Containers::connect().and_then(|engine| engine.find_image("slopbench/python"));
    let Some(image) = need(Need::Docker, image) else { return };
    play(|solution| Ok(Box::new(Docker::open(solution, &image)?)));
}

#[test]
fn the_table_in_the_docs_is_the_heads_of_the_files() {
    let row = |source: &PathBuf| {
        let verdicts = expected(source);
        let name = source.file_stem().unwrap().to_string_lossy().into_owned();
        let [echo, file, secret] = ["echo", "file", "secret"].map(|case| verdicts[case].clone());
        format!("| `{name}` | {} | {echo} | {file} | {secret} |\n", attempt(source))
    };
    let table: String = sources().iter().map(row).collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/hostile-solutions.md");
    let text = fs::read_to_string(page).unwrap();
    let (_, written) = text.split_once("| --- | --- | --- | --- | --- |\n").unwrap();
    assert!(written == table, "write this into docs/src/hostile-solutions.md:\n{table}");
}
