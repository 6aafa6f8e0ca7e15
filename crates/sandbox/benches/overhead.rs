//! What a sandbox costs: the median time of a task on the machine itself and in namespaces, and the
//! difference.
//!
//! The bar of the whole harness is 25 ms a case; the sandbox may take 10 of them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::time::{Duration, Instant};

use slopbench_sandbox::{End, Host, Limits, Namespaces, Runtime, Sandbox, Solution, Task};

const RUNS: usize = 100;

const LIMITS: Limits = Limits {
    wall: Duration::from_secs(10),
    cpu: Duration::from_secs(10),
    memory: 512 << 20,
    processes: 32,
    file_size: 32 << 20,
    disk: 64 << 20,
    output: 4 << 20,
};

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let runtime = Runtime::python3()?;
    let solution = Solution { dir: dir.path().to_owned(), hide: Vec::new() };
    let started = Instant::now();
    let mut namespaces = Namespaces::open(&solution, &runtime)?;
    println!("opening a sandbox: {:.2} ms", milliseconds(started.elapsed()));
    let mut host = Host::open(dir.path())?;

    let python =
        runtime.path.iter().map(|folder| folder.join("python3")).find(|path| path.is_file()).ok_or("no python3")?;
    let python = python.to_str().ok_or("a path that is no text")?;
    println!("{:<20} {:>10} {:>14} {:>14}", format!("median of {RUNS}, ms"), "bare", "namespaces", "difference");
    for (name, argv) in [("true", vec!["/bin/true"]), ("python3 -S -c pass", vec![python, "-S", "-c", "pass"])] {
        let task = Task::new(argv, LIMITS);
        // By turns, so that a busy moment of the machine falls on both.
        let (mut bare, mut boxed) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            bare.push(time(&mut host, &task)?);
            boxed.push(time(&mut namespaces, &task)?);
        }
        let (bare, boxed) = (median(bare), median(boxed));
        println!("{name:<20} {bare:>10.2} {boxed:>14.2} {:>14.2}", boxed - bare);
    }
    Ok(())
}

fn time(sandbox: &mut dyn Sandbox, task: &Task) -> Result<Duration, Box<dyn Error>> {
    let started = Instant::now();
    let observation = sandbox.run(task)?;
    let took = started.elapsed();
    if observation.end == End::Exited(0) { Ok(took) } else { Err(format!("{observation:?}").into()) }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    milliseconds(times.get(times.len() / 2).copied().unwrap_or_default())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
