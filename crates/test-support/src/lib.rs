//! What tests of several crates share.
//!
//! [`need`] ends a test early where the machine lacks what it is about. Such a skip is never silent: `SLOPBENCH_REQUIRE`
//! turns it into a failure, and `cargo xtask test` lists all of them at its end.

pub mod attacks;
pub mod package_index;
pub mod wheels;

use std::{env, fmt, fs::OpenOptions, io::Write as _, thread};

/// The environment variable that names, separated by commas, what the machine must offer.
pub const REQUIRE: &str = "SLOPBENCH_REQUIRE";

/// The environment variable that names a file to which each skip adds a line.
pub const SKIPS: &str = "SLOPBENCH_SKIPS";

/// What a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// User namespaces, and what else the embedded sandbox takes.
    Namespaces,
    /// A Docker engine with the images of `cargo xtask images --load python build`.
    Docker,
    /// npm on the PATH.
    Npm,
    /// The package index that pip uses, or what was fetched from it before.
    Index,
    /// A build folder that every user of the machine reaches.
    Reachable,
    /// The compiler or interpreter of a track.
    Toolchain,
    /// To be the superuser, with util-linux's `unshare` and `setpriv`.
    Root,
}

impl Need {
    const ALL: [Self; 7] =
        [Self::Namespaces, Self::Docker, Self::Npm, Self::Index, Self::Reachable, Self::Toolchain, Self::Root];

    /// Its name in [`REQUIRE`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Docker => "docker",
            Self::Npm => "npm",
            Self::Index => "index",
            Self::Reachable => "reachable",
            Self::Toolchain => "toolchain",
            Self::Root => "root",
        }
    }
}

/// What was found, or `None` where the machine lacks it and the test is to end.
///
/// # Panics
///
/// If [`REQUIRE`] names `need` and it is not there, or names something unknown.
pub fn need<T>(need: Need, found: Result<T, impl fmt::Display>) -> Option<T> {
    found.map_err(|reason| skip(need, &reason.to_string())).ok()
}

fn skip(need: Need, reason: &str) {
    let required = env::var(REQUIRE).unwrap_or_default();
    assert!(!requires(&required, need), "{REQUIRE} names {}: {reason}", need.name());
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{test}: no {}: {reason}\n", need.name());
    #[allow(clippy::print_stderr, reason = "somebody who runs one test reads it here")]
    {
        eprint!("skipped {line}");
    }
    if let Some(path) = env::var_os(SKIPS) {
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(written.is_ok(), "{SKIPS}: cannot write {}: {written:?}", path.display());
    }
}

fn requires(required: &str, need: Need) -> bool {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.fold(false, |found, name| {
        assert!(Need::ALL.iter().any(|known| known.name() == name), "{REQUIRE}: \"{name}\" is none of {:?}", Need::ALL);
        found || name == need.name()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_named_and_nothing_else_is() {
        assert!(requires("namespaces, docker", Need::Docker));
        assert!(!requires("namespaces", Need::Docker));
        assert!(!requires("", Need::Docker));
    }

    #[test]
    #[should_panic(expected = "\"dokcer\" is none of [Namespaces, Docker, Npm, Index, Reachable, Toolchain, Root]")]
    fn a_name_that_is_misspelt_requires_nothing_and_is_no_secret() {
        requires("dokcer", Need::Docker);
    }
}
