//! Endurance: many suites, several at a time, some of their harnesses killed at random. Nothing may be left behind, every
//! result must be whole and the same, and the next run must find a clean machine.
//! See [`Traces`] for what is watched.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use clap::Args;

use crate::{Failure, traces::Traces};

/// What each suite is: small enough to be run hundreds of times.
const SUITE: [&str; 7] = ["--json", "test", "code_search", "--checkpoint", "1", "--jobs", "1"];

/// How much, and where.
#[derive(Args)]
pub(crate) struct Endure {
    /// Where solutions run: `namespaces` or `docker`.
    #[arg(long, default_value = "namespaces")]
    sandbox: String,
    /// How many suites.
    #[arg(long, default_value_t = 200)]
    suites: usize,
    /// How many at a time.
    #[arg(long, default_value_t = 8)]
    at_once: usize,
    /// How many of them are killed.
    #[arg(long, default_value_t = 20)]
    kills: usize,
    /// Which, and when.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What became of a suite.
enum End {
    /// It printed this.
    Whole(Vec<u8>),
    /// It was killed after having printed this.
    Killed(Vec<u8>),
}

impl Endure {
    /// Exit code 1 where something is left, or a result is another.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let scratch = root.join("target/endure");
        drop(fs::remove_dir_all(&scratch));
        fs::create_dir_all(&scratch)?;
        let suite = |killed_after| self.suite(root, slopbench, &scratch, killed_after);
        let started = Instant::now();
        let End::Whole(undisturbed) = suite(None)? else { return Err("the first suite was killed".into()) };
        let whole = started.elapsed();
        let before = Traces::of(&scratch)?;
        let (ends, took) = self.all(whole, &suite)?;
        let left = before.left_after(&scratch)?;
        let End::Whole(next) = suite(None)? else { return Err("the last suite was killed".into()) };
        let after_next = before.left_after(&scratch)?;

        let killed = ends.iter().filter(|end| matches!(end, End::Killed(_))).count();
        // What is printed is printed whole or not at all.
        let differ = ends.iter().filter(|end| match end {
            End::Whole(text) => *text != undisturbed,
            End::Killed(text) => !text.is_empty() && *text != undisturbed,
        });
        let differ = differ.count();
        let mut out = io::stdout();
        writeln!(
            out,
            "suites      {}, {} at a time in {:.0} s; one alone {whole:.1?}",
            ends.len(),
            self.at_once,
            took.as_secs_f64()
        )?;
        writeln!(out, "killed      {killed} in the middle")?;
        writeln!(out, "different   {differ} of {} results", ends.len())?;
        writeln!(out, "next run    {}", if next == undisturbed { "equals the undisturbed one" } else { "differs" })?;
        writeln!(out, "left        {} things; after the next run {}", left.len(), after_next.len())?;
        left.iter().chain(&after_next).try_for_each(|trace| writeln!(out, "            {trace}"))?;
        // The names of volumes may wait for the next run, which sweeps: they hold nothing.
        let only_volumes = left.iter().all(|trace| trace.starts_with("volume "));
        let good = differ == 0 && next == undisturbed && only_volumes && after_next.is_empty() && killed == self.kills;
        Ok(ExitCode::from(u8::from(!good)))
    }

    /// All suites, by several threads.
    fn all(
        &self,
        whole: Duration,
        suite: &(dyn Fn(Option<Duration>) -> Result<End, io::Error> + Sync),
    ) -> Result<(Vec<End>, Duration), Failure> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let chosen: BTreeSet<_> = random.choose_multiple(0..self.suites, self.kills).into_iter().collect();
        // Several at a time take longer than one alone: so that some of them are killed late, too.
        let cores = thread::available_parallelism()?.get();
        let longest = whole.mul_f64(self.at_once as f64 / cores as f64);
        let kill: Vec<_> =
            (0..self.suites).map(|n| chosen.contains(&n).then(|| longest.mul_f64(random.f64()))).collect();
        let (next, ends) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let started = Instant::now();
        thread::scope(|scope| {
            let work = || -> Result<(), io::Error> {
                while let Some(mut kill) = kill.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
                    let mut more = true;
                    while more {
                        let end = suite(kill)?;
                        // Who was faster than its killer is one suite more, and the killer tries again, earlier.
                        more = kill.is_some() && matches!(end, End::Whole(_));
                        kill = kill.map(|after| after / 2);
                        ends.lock().unwrap_or_else(PoisonError::into_inner).push(end);
                    }
                }
                Ok(())
            };
            let threads: Vec<_> = (0..self.at_once).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        Ok((ends.into_inner().unwrap_or_else(PoisonError::into_inner), started.elapsed()))
    }

    fn suite(&self, root: &Path, slopbench: &Path, scratch: &Path, kill: Option<Duration>) -> Result<End, io::Error> {
        let solution = root.join("problems/code_search/solution/python/checkpoint_1");
        let mut command = Command::new(slopbench);
        command.args(SUITE).args(["--sandbox", &self.sandbox, "--solution"]).arg(solution);
        command.current_dir(root).env("TMPDIR", scratch).stdin(Stdio::null()).stderr(Stdio::inherit());
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let killed = match kill {
            Some(after) => kill_after(&mut child, after)?,
            None => false,
        };
        let output = child.wait_with_output()?;
        match (killed, output.status.success()) {
            (true, _) => Ok(End::Killed(output.stdout)),
            (false, true) => Ok(End::Whole(output.stdout)),
            (false, false) => Err(io::Error::other(format!("`slopbench {}` gave {}", SUITE.join(" "), output.status))),
        }
    }
}

/// Kills the child unless it ends before; its few kilobytes of output fit into the pipe meanwhile.
fn kill_after(child: &mut Child, after: Duration) -> io::Result<bool> {
    let started = Instant::now();
    while started.elapsed() < after {
        if child.try_wait()?.is_some() {
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().map(|()| true)
}
