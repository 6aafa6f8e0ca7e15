//! What an environment of packages costs the cases of a suite, once it is built: two runs of one problem's references, one of
//! which declares a package, are graded again in turns.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use serde::Deserialize;
use walkdir::WalkDir;

use crate::{Failure, thin};

/// How often each is graded; the medians count.
const ROUNDS: usize = 7;

/// The problem, and what one of its two solutions declares: a package with native code and hundreds of modules.
const PROBLEM: &str = "code_search";
const PACKAGE: &str = "numpy==2.3.4";

/// The two solutions, by what their folders are called.
const SOLUTIONS: [(&str, &str); 2] = [("without", ""), ("with", PACKAGE)];

/// The most that the second may take of what the first does.
const GOAL: f64 = 1.05;

/// A grade's `usage.json`, as far as it matters.
#[derive(Deserialize)]
struct Usage {
    cases: BTreeMap<String, CaseTime>,
}

#[derive(Deserialize)]
struct CaseTime {
    seconds: f64,
}

/// Makes both runs and grades them in turns; exit code 1 where the goal is missed.
pub(crate) fn run(root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    let folder = root.join("target/bench-environment");
    drop(fs::remove_dir_all(&folder)); // What an earlier call left.
    for (name, requirements) in SOLUTIONS {
        let problems = folder.join(name).join("problems");
        thin::copy(&root.join("problems").join(PROBLEM), &problems.join(PROBLEM))?;
        for entry in fs::read_dir(problems.join(PROBLEM).join("solution/python"))? {
            fs::write(entry?.path().join("requirements.txt"), requirements)?;
        }
        slopbench_in(slopbench, &folder.join(name), &["run", "--agent", "reference", "--out", "run"])?;
    }
    let mut times = SOLUTIONS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((name, _), times) in SOLUTIONS.iter().zip(&mut times) {
            slopbench_in(slopbench, &folder.join(name), &["regrade", "run"])?;
            times.push(seconds(&folder.join(name).join("run/units"))?);
        }
    }
    let [without, with] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let (ratio, mark) = (with / without, if with / without <= GOAL { "" } else { "  MISSED" });
    writeln!(
        io::stdout(),
        "cases of {PROBLEM}: {without:.2} s without packages, {with:.2} s with {PACKAGE} (medians of {ROUNDS}): {ratio:.3} \
         times; the goal is {GOAL}{mark}"
    )?;
    Ok(ExitCode::from(u8::from(ratio > GOAL)))
}

/// Runs the binary on the problems of a folder, in there.
fn slopbench_in(slopbench: &Path, folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new(slopbench);
    command.args(["--problems", "problems"]).args(arguments).current_dir(folder).stdout(Stdio::null());
    match command.status()?.success() {
        true => Ok(()),
        false => Err(format!("{command:?} failed").into()),
    }
}

/// What all cases of a run took, from the programs' starts to their ends.
fn seconds(units: &Path) -> Result<f64, Failure> {
    let entries = WalkDir::new(units).into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let usages: Vec<PathBuf> = entries.filter(|path| path.file_name() == Some(OsStr::new("usage.json"))).collect();
    let mut sum = 0.0;
    for path in &usages {
        let usage: Usage = serde_json::from_slice(&fs::read(path)?)?;
        sum += usage.cases.values().map(|case| case.seconds).sum::<f64>();
    }
    match sum > 0.0 {
        true => Ok(sum),
        false => Err(format!("{} holds no usage.json with cases", units.display()).into()),
    }
}
