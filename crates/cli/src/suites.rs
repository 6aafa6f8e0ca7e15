//! Environments for suites of tests: pytest and what the tests import, built once in the user's cache.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use slopbench_digest::Sha256;
use slopbench_tests::pytest::{BASE_LOCK, SuiteEnvironment};

use crate::setup;

/// Asks an interpreter which one it is, and of which version: that behind a virtual environment.
const QUESTION: &str = "import sys; print(getattr(sys, '_base_executable', sys.executable)); print(sys.version)";

/// The environment of [`BASE_LOCK`] and `packages` for the interpreter `python`.
pub(crate) fn environment(python: &Path, packages: &[String]) -> Result<SuiteEnvironment, String> {
    let cache = setup::cache("suites").ok_or("the user has no cache folder: set HOME, or XDG_CACHE_HOME")?;
    let answer = said(Command::new(python).args(["-I", "-c", QUESTION]))?;
    let (python, version) = answer.split_once('\n').ok_or_else(|| format!("{} says nothing", python.display()))?;
    let python = Path::new(python);
    let lock = lock(python, &cache, packages)?;
    let digest = Sha256::of(lock.as_bytes());
    let dir = cache.join(Sha256::of(format!("{version}{lock}").as_bytes()).short());
    if !dir.is_dir() {
        build(python, &cache, &dir, &lock)?;
    }
    Ok(SuiteEnvironment { dir, lock: digest })
}

/// What is locked: the base, and what `packages` add to it, which is resolved when it is first asked for.
fn lock(python: &Path, cache: &Path, packages: &[String]) -> Result<String, String> {
    if packages.is_empty() {
        return Ok(BASE_LOCK.to_owned());
    }
    let pins = BASE_LOCK.lines().filter(|line| line.contains("==")).map(|line| line.trim_end_matches(" \\"));
    let wanted: String = pins.chain(packages.iter().map(String::as_str)).map(|line| format!("{line}\n")).collect();
    let path = cache.join(format!("{}.lock", Sha256::of(wanted.as_bytes()).short()));
    if let Ok(lock) = fs::read_to_string(&path) {
        return Ok(lock);
    }
    let scratch = scratch(cache)?;
    let input = scratch.path().join("requirements.in");
    fs::write(&input, &wanted).map_err(|error| error.to_string())?;
    let options = ["pip", "compile", "-q", "--universal", "--generate-hashes", "--no-annotate", "--no-header"];
    let mut uv = Command::new("uv");
    let lock = said(uv.args(options).arg("--python").arg(python).arg(&input))?;
    fs::write(scratch.path().join("lock"), &lock).map_err(|error| error.to_string())?;
    fs::rename(scratch.path().join("lock"), &path).map_err(|error| error.to_string())?;
    Ok(lock)
}

/// Beside its place, then renamed: whoever comes second finds it whole.
fn build(python: &Path, cache: &Path, dir: &Path, lock: &str) -> Result<(), String> {
    let scratch = scratch(cache)?;
    let (made, pinned) = (scratch.path().join("made"), scratch.path().join("requirements.txt"));
    fs::write(&pinned, lock).map_err(|error| error.to_string())?;
    said(Command::new("uv").args(["venv", "-q", "--relocatable", "--python"]).arg(python).arg(&made))?;
    let install = ["pip", "install", "-q", "--require-hashes", "--compile-bytecode", "--link-mode=copy", "--python"];
    said(Command::new("uv").args(install).arg(made.join("bin/python")).arg("-r").arg(&pinned))?;
    match fs::rename(&made, dir) {
        Err(_) if dir.is_dir() => Ok(()),
        renamed => renamed.map_err(|error| format!("{}: {error}", dir.display())),
    }
}

fn scratch(cache: &Path) -> Result<tempfile::TempDir, String> {
    let made = fs::create_dir_all(cache).and_then(|()| tempfile::tempdir_in(cache));
    made.map_err(|error| format!("{}: {error}", cache.display()))
}

/// What a program prints, or why it failed.
fn said(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } = command.output().map_err(|error| format!("{program}: {error}"))?;
    match status.success() {
        true => Ok(String::from_utf8_lossy(&stdout).into_owned()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&stderr).trim())),
    }
}
