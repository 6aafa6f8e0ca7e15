//! The report of a made-up study of the paper's size: what it takes, and whether its figures are what pandas and SciPy make of the
//! same run folders.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use xshell::{Shell, cmd};

use crate::{Failure, plain, status, target};

/// How often the report is made; the median time and the most memory count.
const ROUNDS: &str = "5";

/// The goals: seconds, and megabytes (1e6 bytes) of memory.
const GOALS: [f64; 2] = [5.0, 500.0];

/// Runs a command so often; prints the median of its seconds, and the most megabytes that were resident.
const TIMED: &str = "
import resource, statistics, subprocess, sys, time
def seconds():
    start = time.monotonic()
    subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start
took = statistics.median(seconds() for _ in range(int(sys.argv[1])))
print(took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6)
";

/// Where the second program and what it needs are.
const FIXTURES: &str = "crates/analysis/tests/fixtures";

#[derive(clap::Args)]
pub(crate) struct BenchReport {
    /// Also compare every figure with pandas' and SciPy's: takes minutes, and fetches them with pip.
    #[arg(long)]
    expected: bool,

    /// CPython 3.11 or newer, for that.
    #[arg(long, default_value = "python3", value_name = "PROGRAM")]
    python: String,
}

impl BenchReport {
    /// Writes the study, and times its report; exit code 1 where a goal is missed or a figure differs.
    pub(crate) fn run(&self, shell: &Shell, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let folder = target(root).join("bench-report");
        let runs = folder.join("runs");
        shell.remove_path(&runs)?;
        let made = cmd!(shell, "cargo run --quiet --release --package slopbench-synthetic -- --out {runs}");
        plain(made).quiet().run()?;
        let folders = shell.read_dir(&runs)?;
        let is_missed = is_missed(shell, slopbench, &folders)?;
        let compared = if self.expected { self.compare(shell, root, &folder, &folders)? } else { ExitCode::SUCCESS };
        Ok(if is_missed { ExitCode::from(1) } else { compared })
    }

    /// Has every figure computed anew; exit code 1 where one differs.
    fn compare(&self, shell: &Shell, root: &Path, folder: &Path, runs: &[PathBuf]) -> Result<ExitCode, Failure> {
        let (python, fixtures) = (&self.python, root.join(FIXTURES));
        let (venv, requirements) = (folder.join("venv"), fixtures.join("requirements.txt"));
        let inside = venv.join("bin/python");
        if !inside.is_file() {
            cmd!(shell, "{python} -m venv {venv}").quiet().run()?;
        }
        cmd!(shell, "{inside} -m pip install --quiet --disable-pip-version-check --requirement {requirements}")
            .quiet()
            .run()?;
        let (script, expected) = (fixtures.join("expected.py"), folder.join("expected.json"));
        shell.write_file(&expected, cmd!(shell, "{inside} {script} {runs...}").quiet().read()?)?;
        let test = ["--package", "slopbench-analysis", "--test", "it", "every_figure_of_given_runs"];
        let test = cmd!(shell, "cargo test --quiet --release {test...} -- --ignored --nocapture");
        status(plain(test).env("SLOPBENCH_RUNS", folder.join("runs")).env("SLOPBENCH_EXPECTED", &expected))
    }
}

/// Times the report of all tables, and the page, and says what they took.
fn is_missed(shell: &Shell, slopbench: &Path, runs: &[PathBuf]) -> Result<bool, Failure> {
    let mut is_missed = false;
    for (what, form) in [("all tables", "text"), ("the page", "html")] {
        let report = ["report", "--format", form];
        let took = cmd!(shell, "python3 -c {TIMED} {ROUNDS} {slopbench} {report...} {runs...}").quiet().read()?;
        let took: Vec<f64> = took.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [seconds, megabytes] = took[..] else { return Err(format!("{what}: cannot be timed").into()) };
        let [most_seconds, most_megabytes] = GOALS;
        let has_missed = seconds > most_seconds || megabytes > most_megabytes;
        let mark = if has_missed { "  MISSED" } else { "" };
        writeln!(
            io::stdout(),
            "{what:<10}  {seconds:.2} s (median of {ROUNDS}), {megabytes:.0} MB; the goals are {most_seconds} s and \
             {most_megabytes} MB{mark}"
        )?;
        is_missed |= has_missed;
    }
    Ok(is_missed)
}
