//! What a sandbox costs: the median time of a task on the machine itself, in namespaces and in a
//! container, and the differences.
//!
//! The bar of the whole harness is 25 ms a case in namespaces, of which the sandbox may take 10, and
//! 120 ms in a container. Without an engine and its image, the last column is missing.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::time::{Duration, Instant};

use slopbench_sandbox::docker::{Docker, Engine};
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
    let mut docker = docker(&solution).inspect_err(|error| eprintln!("without containers: {error}")).ok();

    let python =
        runtime.path.iter().map(|folder| folder.join("python3")).find(|path| path.is_file()).ok_or("no python3")?;
    let python = python.to_str().ok_or("a path that is no text")?;
    // The container has a Python of its own.
    let mut places: Vec<(&str, &mut dyn Sandbox, &str)> =
        vec![("bare", &mut host, python), ("namespaces", &mut namespaces, python)];
    places.extend(docker.as_mut().map(|docker| ("docker", docker as &mut dyn Sandbox, "/usr/bin/python3")));
    for (name, arguments) in [("true", vec![]), ("python3 -S -c pass", vec!["-S", "-c", "pass"])] {
        let mut times = vec![Vec::new(); places.len()];
        for run in 0..=RUNS {
            // By turns, so that a busy moment of the machine falls on all.
            for ((_, sandbox, python), times) in places.iter_mut().zip(&mut times) {
                let program = if arguments.is_empty() { "/bin/true" } else { *python };
                let took = time(*sandbox, &Task::new([&[program], arguments.as_slice()].concat(), LIMITS))?;
                // The first one starts the container.
                times.extend((run > 0).then_some(took));
            }
        }
        let medians: Vec<_> = times.into_iter().map(median).collect();
        let bare = medians.first().copied().unwrap_or_default();
        for ((place, ..), median) in places.iter().zip(medians) {
            println!("{name:<20} {place:<12} median of {RUNS}: {median:8.2} ms, {:8.2} over bare", median - bare);
        }
    }
    Ok(())
}

fn docker(solution: &Solution) -> Result<Docker, slopbench_sandbox::Error> {
    Docker::open(solution, &Engine::connect()?.find_image("slopbench/python")?)
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
