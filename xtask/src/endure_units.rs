//! Whether trajectories endure being done by processes of their own that are killed again and again: two hands start
//! `slopbench run-unit` on one run's folder, in any order, often on the same trajectory.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use clap::Args;

use crate::{Failure, endure_run::count_again, thin, traces::Traces};

/// How much is endured.
#[derive(Args)]
pub(crate) struct EndureUnits {
    /// How many trajectories.
    #[arg(long, default_value_t = 12)]
    trajectories: usize,
    /// How many hands start processes.
    #[arg(long, default_value_t = 2)]
    hands: u64,
    /// One process in so many is left to its end; the others are killed.
    #[arg(long, default_value_t = 4)]
    spared: u64,
    /// When.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How processes ended.
#[derive(Default)]
struct Ends {
    done: AtomicUsize,
    killed: AtomicUsize,
    /// Because another process did the same trajectory.
    leased: AtomicUsize,
    failed: AtomicUsize,
}

/// The exit code of a process that leaves a trajectory to another one.
const LEASED: i32 = 3;

/// A run's folder that hands work on.
struct Field<'a> {
    slopbench: &'a Path,
    repository: &'a Path,
    run: &'a Path,
    temporary: &'a Path,
    units: Vec<String>,
    ends: Ends,
}

impl EndureUnits {
    /// Exit code 1 where the run ends otherwise than an undisturbed one, a step is done twice, or something is left.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let scratch = root.join("target/endure-units");
        drop(fs::remove_dir_all(&scratch));
        let repeats = self.trajectories.to_string();
        let options = ["--agent", "reference", "--repeats", &repeats];
        let repository = thin::repository(root, &scratch)?;
        let (calm, killed, temporary) = (scratch.join("calm"), scratch.join("killed"), scratch.join("tmp"));
        fs::create_dir(&temporary)?;
        let before = Traces::of(&temporary)?;
        thin::run(slopbench, &repository, &calm, &options).env("TMPDIR", &temporary).status()?;
        let planned = [&options[..], &["--plan-only"]].concat();
        thin::run(slopbench, &repository, &killed, &planned).env("TMPDIR", &temporary).status()?;
        let field = Field {
            slopbench,
            repository: &repository,
            run: &killed,
            temporary: &temporary,
            units: units(&killed)?,
            ends: Ends::default(),
        };
        let started = Instant::now();
        let twice = self.disturb(&field)?;
        let took = started.elapsed();
        field.command(&["resume"], &[]).status()?;
        let same = fs::read(calm.join("summary.json"))? == fs::read(killed.join("summary.json"))?;
        let mut left = before.left_after(&temporary)?;
        let workplaces = ["scratch", "ended", "leases", "attempts"].into_iter();
        left.extend(
            workplaces.filter(|name| killed.join(name).exists()).map(|name| format!("{name} in the run's folder")),
        );
        let mut out = io::stdout();
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let Ends { done, killed, leased, failed } = &field.ends;
        writeln!(out, "trajectories  {} by {} hands in {:.0} s", self.trajectories, self.hands, took.as_secs_f64())?;
        writeln!(
            out,
            "processes     {} done, {} killed, {} met another's lease",
            count(done),
            count(killed),
            count(leased)
        )?;
        writeln!(out, "failed        {}", count(failed))?;
        writeln!(out, "summary       {}", if same { "equals the undisturbed run's" } else { "differs" })?;
        writeln!(out, "done twice    {twice} files")?;
        writeln!(out, "left          {} things", left.len())?;
        left.iter().try_for_each(|trace| writeln!(out, "              {trace}"))?;
        let is_well = same && twice == 0 && left.is_empty() && count(failed) == 0;
        Ok(ExitCode::from(u8::from(!is_well)))
    }

    /// Has every hand see every trajectory done; how many files were written twice.
    fn disturb(&self, field: &Field<'_>) -> Result<usize, Failure> {
        let seen = Mutex::new((BTreeMap::new(), 0));
        let hand = |number: u64| -> io::Result<()> {
            let mut random = fastrand::Rng::with_seed(self.seed + number);
            let mut missing = field.units.clone();
            random.shuffle(&mut missing);
            while let Some(unit) = missing.pop() {
                let kill_after = (random.u64(0..self.spared) > 0).then(|| Duration::from_millis(random.u64(20..1500)));
                if !field.one(&unit, kill_after)? {
                    let place = random.usize(0..=missing.len());
                    missing.insert(place, unit);
                }
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                let (steps, twice) = &mut *seen;
                *twice += count_again(steps, field.run);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let hands: Vec<_> = (0..self.hands).map(|number| scope.spawn(move || hand(number))).collect();
            hands.into_iter().try_for_each(|hand| hand.join().unwrap_or_else(|_| Err(io::Error::other("a hand broke"))))
        })?;
        Ok(seen.into_inner().unwrap_or_else(PoisonError::into_inner).1)
    }
}

impl Field<'_> {
    /// Starts one process, and kills it after that time; whether the trajectory is done.
    fn one(&self, unit: &str, kill_after: Option<Duration>) -> io::Result<bool> {
        let mut child = self.command(&["run-unit"], &[unit]).spawn()?;
        if let Some(time) = kill_after {
            thread::sleep(time);
            child.kill()?;
        }
        let code = child.wait()?.code();
        let counter = match code {
            Some(0) => &self.ends.done,
            None => &self.ends.killed,
            Some(LEASED) => &self.ends.leased,
            Some(_) => &self.ends.failed,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(code == Some(0))
    }

    fn command(&self, before: &[&str], after: &[&str]) -> Command {
        let mut command = Command::new(self.slopbench);
        command.arg("--root").arg(self.repository).args(before).arg(self.run).args(after);
        command.env("TMPDIR", self.temporary).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// The trajectories of a planned run.
fn units(run: &Path) -> Result<Vec<String>, Failure> {
    let plan: serde_json::Value = serde_json::from_slice(&fs::read(run.join("plan.json"))?)?;
    let trajectories = plan["design"]["trajectories"].as_array().into_iter().flatten();
    Ok(trajectories.filter_map(|trajectory| trajectory["id"].as_str()).map(str::to_owned).collect())
}
