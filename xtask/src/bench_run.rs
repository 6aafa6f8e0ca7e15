//! What a run costs beside agents and solutions.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use walkdir::WalkDir;

use crate::{Failure, thin};

/// The goal for a trajectory of five checkpoints.
const GOAL: Duration = Duration::from_secs(1);

/// How often the trajectory is timed; the median counts.
const ROUNDS: usize = 5;

/// Times the reference agent's trajectory with few cases, on one processor: the cases then run one after another, and what
/// the solution under test took of the time can be taken off.
pub(crate) fn overhead(root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    let scratch = root.join("target/bench-run");
    drop(fs::remove_dir_all(&scratch));
    let repository = thin::repository(root, &scratch)?;
    let (mut own, mut whole) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let out = scratch.join(format!("run-{round}"));
        let run = thin::run(slopbench, &repository, &out, &["--agent", "reference"]);
        let started = Instant::now();
        let status = on_one_processor(&run).status()?;
        let took = started.elapsed();
        if !status.success() {
            return Err(format!("the run in {} failed", out.display()).into());
        }
        own.push(took.saturating_sub(solution_time(&out)?));
        whole.push(took);
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times[ROUNDS / 2]
    };
    let (own, whole) = (median(own), median(whole));
    writeln!(
        io::stdout(),
        "five checkpoints: {own:.2?} of {whole:.2?} are ours (medians of {ROUNDS}); the goal is {GOAL:?}"
    )?;
    Ok(ExitCode::from(u8::from(own > GOAL)))
}

fn on_one_processor(command: &Command) -> Command {
    let mut pinned = Command::new("taskset");
    pinned.args(["--cpu-list", "0"]).arg(command.get_program()).args(command.get_args());
    pinned.stdout(Stdio::null()).stderr(Stdio::null());
    pinned
}

/// How long the programs of all cases of a run ran.
fn solution_time(run: &Path) -> Result<Duration, Failure> {
    let mut seconds = 0.0;
    for entry in WalkDir::new(run.join("units")) {
        let entry = entry?;
        if entry.file_name() == "usage.json" {
            let usage: Value = serde_json::from_slice(&fs::read(entry.path())?)?;
            let cases = usage["cases"].as_object().into_iter().flatten();
            seconds += cases.filter_map(|(_, case)| case["seconds"].as_f64()).sum::<f64>();
        }
    }
    Ok(Duration::from_secs_f64(seconds))
}
