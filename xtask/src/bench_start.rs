//! How long `slopbench measure` takes from start to end: for a project of one file, which is all start, and for a package.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use slopbench_sdist::Sdist;

use crate::Failure;

/// How often each is timed; the medians count.
const ROUNDS: usize = 21;

/// The package, and the folder of its archive that is measured.
const NAME: &str = "flask";
const VERSION: &str = "3.0.3";
const SHA256: &str = "ceb27b0af3823ea2737928a4d99d125a06175b8512c445cbd9a9ce200ef76842";
const FOLDER: &str = "src/flask";

/// A project of one file.
const PROGRAM: &str = "import sys\n\n\ndef main():\n    print(\"hello\", sys.argv)\n";

/// The most milliseconds for the project and for the package.
const GOALS: [u64; 2] = [40, 100];

/// Fetches the package and times both; exit code 1 where a goal is missed.
pub(crate) fn run(root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    let folder = root.join("target/bench-start");
    let project = folder.join("project");
    fs::create_dir_all(&project)?;
    fs::write(project.join("main.py"), PROGRAM)?;
    let package = fetch(root, &folder)?;
    let mut is_missed = false;
    for ((what, sources), goal) in [("a file", project), ("flask", package)].into_iter().zip(GOALS) {
        let goal = Duration::from_millis(goal);
        let took = median(slopbench, &sources)?;
        let mark = if took <= goal { "" } else { "  MISSED" };
        writeln!(io::stdout(), "{what:<10} {took:>8.1?} (median of {ROUNDS}); the goal is {goal:?}{mark}")?;
        is_missed |= took > goal;
    }
    Ok(ExitCode::from(u8::from(is_missed)))
}

fn median(slopbench: &Path, sources: &Path) -> Result<Duration, Failure> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let mut measure = Command::new(slopbench);
        measure.arg("measure").arg(sources).stdout(Stdio::null());
        let start = Instant::now();
        let status = measure.status()?;
        times.push(start.elapsed());
        if !status.success() {
            return Err(format!("{measure:?} failed: {status}").into());
        }
    }
    times.sort();
    Ok(times[ROUNDS / 2])
}

/// The package's sources.
fn fetch(root: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let sdist = Sdist { name: NAME.to_owned(), version: VERSION.to_owned(), sha256: SHA256.to_owned() };
    let sources = folder.join(sdist.label());
    if !sources.is_dir() {
        let part = sources.with_added_extension("part");
        drop(fs::remove_dir_all(&part)); // What an interrupted call left.
        sdist.fetch(&root.join("target/sdists"))?.unpack(&part, &[])?;
        // Renamed into place, so that a package that is there is there whole.
        fs::rename(&part, &sources)?;
    }
    Ok(sources.join(FOLDER))
}
