//! What suites are run with: pytest, and what tests import.

use std::path::PathBuf;

use slopbench_digest::Sha256;

/// What every suite is run with: names, versions and digests, as `requirements.txt` says them.
pub const BASE_LOCK: &str = include_str!("base.lock");

/// An environment for suites that is built.
#[derive(Clone, Debug)]
pub struct SuiteEnvironment {
    /// Its folder: `bin/python` imports what is locked.
    pub dir: PathBuf,
    /// The digest of its lock.
    pub lock: Sha256,
}

/// Gives the environment that [`BASE_LOCK`] and these packages make, or says why it cannot be had.
pub type SuiteEnvironments<'a> = dyn Fn(&[String]) -> Result<SuiteEnvironment, String> + Sync + 'a;

/// No environment at all: for problems whose cases need none.
///
/// # Errors
///
/// Always.
pub fn no_environments(_: &[String]) -> Result<SuiteEnvironment, String> {
    Err("nobody said where environments of tests come from".to_owned())
}

/// The packages of [`BASE_LOCK`], by name; those of other systems are left out.
pub(super) fn base_modules() -> impl Iterator<Item = &'static str> {
    base_pins().filter_map(|pin| Some(pin.split_once("==")?.0))
}

/// What [`BASE_LOCK`] pins, as requirements of exact versions.
pub fn base_requirements() -> impl Iterator<Item = String> {
    base_pins().map(str::to_owned)
}

fn base_pins() -> impl Iterator<Item = &'static str> {
    let packages = BASE_LOCK.lines().filter(|line| line.contains("==") && !line.starts_with([' ', '#']));
    let here = packages.filter(|line| !line.contains("win32"));
    here.filter_map(|line| line.split([' ', ';']).next())
}

/// Whether the file with this digest may be installed as the package `name`: one of [`BASE_LOCK`] has its own files.
pub fn is_in_base_lock(name: &str, file: &Sha256) -> bool {
    let begins = format!("{name}==");
    let mut lines = BASE_LOCK.lines().skip_while(|line| !line.starts_with(&begins));
    match lines.next() {
        None => true,
        Some(_) => lines.take_while(|line| line.starts_with(' ')).any(|line| line.contains(&file.to_string())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_the_base_lock_has_the_files_that_are_locked() {
        let pins: Vec<_> = base_requirements().collect();
        // The last is a program that tests start: whoever runs them by uv has it.
        for name in ["pytest-timeout==", "uv=="] {
            assert!(pins.iter().any(|pin| pin.starts_with(name)), "{name} {pins:?}");
        }
        assert!(pins.iter().all(|pin| !pin.starts_with("colorama")), "{pins:?}");
        let line = BASE_LOCK.lines().skip_while(|line| !line.starts_with("pluggy==")).nth(1).unwrap();
        let locked: Sha256 = line.trim().trim_end_matches(" \\").trim_start_matches("--hash=").parse().unwrap();
        assert!(is_in_base_lock("pluggy", &locked));
        assert!(!is_in_base_lock("pytest", &locked), "another package's");
        assert!(is_in_base_lock("numpy", &locked), "no package of the base");
    }
}
