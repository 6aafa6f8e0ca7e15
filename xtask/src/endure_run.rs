//! Whether a run endures being killed again and again. Its problem has one case per checkpoint, so that kills meet sessions,
//! measurements and the moments between them rather than long suites.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Instant,
};

use clap::Args;
use walkdir::{DirEntry, WalkDir};

use crate::{Failure, thin, traces::Traces};

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
        let repository = thin::repository(root, &scratch)?;
        let (calm, killed, temporary) = (scratch.join("calm"), scratch.join("killed"), scratch.join("tmp"));
        fs::create_dir(&temporary)?;
        let run = |out: &Path| {
            let mut command = thin::run(slopbench, &repository, out, &options);
            command.env("TMPDIR", &temporary);
            command
        };
        let before = Traces::of(&temporary)?;
        let started = Instant::now();
        run(&calm).status()?;
        let whole = started.elapsed();

        let mut random = fastrand::Rng::with_seed(self.seed);
        let (mut steps, mut twice) = (BTreeMap::new(), 0);
        for _ in 0..self.kills {
            let mut child = run(&killed).spawn()?;
            // So that the last kill, too, meets a run that is not at its end.
            thread::sleep(whole.mul_f64(random.f64() / self.kills as f64));
            child.kill()?;
            child.wait()?;
            twice += count_again(&mut steps, &killed);
        }
        run(&killed).status()?;
        twice += count_again(&mut steps, &killed);
        let same = fs::read(calm.join("summary.json"))? == fs::read(killed.join("summary.json"))?;
        let mut left = before.left_after(&temporary)?;
        left.extend(killed.join("scratch").exists().then(|| "scratch in the run's folder".to_owned()));
        let mut out = io::stdout();
        writeln!(out, "trajectories  {}, {} at a time in {:.0} s", self.trajectories, self.jobs, whole.as_secs_f64())?;
        writeln!(out, "killed        {} times", self.kills)?;
        writeln!(out, "summary       {}", if same { "equals the undisturbed run's" } else { "differs" })?;
        writeln!(out, "done twice    {twice} of {} files", steps.len())?;
        writeln!(out, "left          {} things", left.len())?;
        left.iter().try_for_each(|trace| writeln!(out, "              {trace}"))?;
        Ok(ExitCode::from(u8::from(!same || twice > 0 || !left.is_empty())))
    }
}

/// Takes the files of all finished steps into `known`; how many of those known are others now.
pub(crate) fn count_again(known: &mut BTreeMap<PathBuf, (u64, i64)>, run: &Path) -> usize {
    let entries = WalkDir::new(run.join("units")).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    let again = |entry: &DirEntry| {
        let Ok(metadata) = entry.metadata() else { return false };
        let identity = (metadata.ino(), metadata.mtime_nsec());
        known.insert(entry.path().to_path_buf(), identity).is_some_and(|before| before != identity)
    };
    files.filter(again).count()
}
