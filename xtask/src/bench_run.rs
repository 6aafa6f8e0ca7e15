//! What a run costs beside agents and solutions, and whether it endures being killed.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::Value;
use walkdir::{DirEntry, WalkDir};

use crate::Failure;

const PROBLEM: &str = "code_search";

/// The goal for a trajectory of five checkpoints.
const GOAL: Duration = Duration::from_secs(1);

/// How often the trajectory is timed; the median counts.
const ROUNDS: usize = 5;

/// Times the reference agent's trajectory with few cases, on one processor: the cases then run one after another, and what
/// the solution under test took of the time can be taken off.
pub(crate) fn overhead(root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    let scratch = root.join("target/bench-run");
    drop(fs::remove_dir_all(&scratch));
    let repository = scratch.join("repository");
    thin_out(&root.join("problems").join(PROBLEM), &repository.join("problems").join(PROBLEM))?;
    let (mut own, mut whole) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let out = scratch.join(format!("run-{round}"));
        let run = run(slopbench, &repository, &out, &["--agent", "reference"]);
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
    for entry in WalkDir::new(run.join("trajectories")) {
        let entry = entry?;
        if entry.file_name() == "usage.json" {
            let usage: Value = serde_json::from_slice(&fs::read(entry.path())?)?;
            let cases = usage["cases"].as_object().into_iter().flatten();
            seconds += cases.filter_map(|(_, case)| case["seconds"].as_f64()).sum::<f64>();
        }
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Copies a problem with the first core case of each checkpoint alone.
fn thin_out(problem: &Path, to: &Path) -> Result<(), Failure> {
    copy(problem, to)?;
    let definition = to.join("problem.toml");
    let mut table: toml::Table = toml::from_str(&fs::read_to_string(&definition)?)?;
    let checkpoints = table.get_mut("checkpoints").and_then(toml::Value::as_array_mut);
    for checkpoint in checkpoints.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
        checkpoint.remove("supersedes");
    }
    fs::write(definition, toml::to_string(&table)?)?;
    for entry in fs::read_dir(to)? {
        let cases = entry?.path().join("cases");
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&cases).into_iter().flatten().flatten().map(|case| case.path()).collect();
        paths.sort();
        let is_core = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("category = \"core\""));
        let kept = paths.iter().position(is_core);
        let others = paths.iter().enumerate().filter(|(index, _)| Some(*index) != kept);
        others.map(|(_, path)| path).try_for_each(fs::remove_file)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(target)?,
            false => fs::copy(entry.path(), target).map(drop)?,
        }
    }
    Ok(())
}

fn run(slopbench: &Path, repository: &Path, out: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(slopbench);
    command.arg("--root").arg(repository).args(["run", "--problems", PROBLEM, "--out"]).arg(out).args(options);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How much is endured.
#[derive(Args)]
pub(crate) struct EndureRun {
    /// How many trajectories.
    #[arg(long, default_value_t = 20)]
    trajectories: usize,
    /// How many at a time.
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// How often the harness is killed.
    #[arg(long, default_value_t = 10)]
    kills: usize,
    /// When.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl EndureRun {
    /// Exit code 1 where a killed and resumed run ends otherwise than an undisturbed one, or does a step twice.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let scratch = root.join("target/endure-run");
        drop(fs::remove_dir_all(&scratch));
        let (trajectories, jobs) = (self.trajectories.to_string(), self.jobs.to_string());
        let options = ["--agent", "reference", "--repeats", &trajectories, "--jobs", &jobs];
        let (calm, killed) = (scratch.join("calm"), scratch.join("killed"));
        let started = Instant::now();
        run(slopbench, root, &calm, &options).status()?;
        let whole = started.elapsed();

        let mut random = fastrand::Rng::with_seed(self.seed);
        let (mut steps, mut twice) = (BTreeMap::new(), 0);
        for _ in 0..self.kills {
            let mut child = run(slopbench, root, &killed, &options).spawn()?;
            // So that the last kill, too, meets a run that is not at its end.
            thread::sleep(whole.mul_f64(random.f64() / self.kills as f64));
            child.kill()?;
            child.wait()?;
            twice += count_again(&mut steps, &killed);
        }
        run(slopbench, root, &killed, &options).status()?;
        twice += count_again(&mut steps, &killed);
        let same = fs::read(calm.join("summary.json"))? == fs::read(killed.join("summary.json"))?;
        let left = killed.join("scratch").exists();
        let mut out = io::stdout();
        writeln!(out, "trajectories  {}, {} at a time in {:.0} s", self.trajectories, self.jobs, whole.as_secs_f64())?;
        writeln!(out, "killed        {} times", self.kills)?;
        writeln!(out, "summary       {}", if same { "equals the undisturbed run's" } else { "differs" })?;
        writeln!(out, "done twice    {twice} of {} files", steps.len())?;
        writeln!(out, "left          {}", if left { "scratch" } else { "nothing" })?;
        Ok(ExitCode::from(u8::from(!same || twice > 0 || left)))
    }
}

/// Takes the files of all finished steps into `known`; how many of those known are others now.
fn count_again(known: &mut BTreeMap<PathBuf, (u64, i64)>, run: &Path) -> usize {
    let entries = WalkDir::new(run.join("trajectories")).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    let again = |entry: &DirEntry| {
        let Ok(metadata) = entry.metadata() else { return false };
        let identity = (metadata.ino(), metadata.mtime_nsec());
        known.insert(entry.path().to_path_buf(), identity).is_some_and(|before| before != identity)
    };
    files.filter(again).count()
}
