use std::io;
use std::path::{Path, PathBuf};

use slopbench_digest::Sha256;

/// Why there is no environment, where that is not the solution's fault.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The package index cannot be reached, or has no file of a lock any more.
    #[error(
        "the package index gave no answer: {cause}; check the network and that `python3 -m pip download` works here, or \
         bring what is needed with `slopbench environments import`"
    )]
    Index {
        /// What was seen.
        cause: String,
    },
    /// A program could not be run.
    #[error("{program} cannot be run: {cause}; install it")]
    Start {
        /// Which.
        program: String,
        /// Why.
        cause: String,
    },
    /// The toolchain of a track is not there, or does not work.
    #[error("`{program}` does not answer where solutions are built and run: {cause}")]
    Toolchain {
        /// The program that was asked.
        program: String,
        /// What was seen.
        cause: String,
    },
    /// A file is not the one that was locked.
    #[error("{}: expected the digest {expected}, got {actual}; remove the file to fetch it again", path.display())]
    Digest {
        /// The file.
        path: PathBuf,
        /// What was locked.
        expected: Sha256,
        /// What is there.
        actual: Sha256,
    },
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] slopbench_sandbox::Error),
    /// An environment could not be built, and might be another time.
    #[error("an environment could not be built: {0}")]
    Build(String),
    /// uv was not understood, or failed in a way that is nobody's requirement: a bug.
    #[error("uv failed: {0}")]
    Resolver(String),
    /// A pinned program cannot be had as it is pinned: a bug.
    #[error("what pins {name} does not give it: {cause}")]
    Pin {
        /// Which program.
        name: &'static str,
        /// What is wrong.
        cause: String,
    },
    /// What is in the sandbox is no interpreter that environments are for.
    #[error("environments are for CPython with glibc on x86_64 or aarch64; the sandbox has {0}")]
    Interpreter(String),
    /// A wheel of a lock was built from a source, elsewhere: no index has it.
    #[error(
        "{file} was built from a source for this lock, and is not in the cache: bring it with `slopbench environments export` \
         and `import` from where that was"
    )]
    Unbuilt {
        /// The wheel.
        file: String,
    },
    /// A lock was made for another interpreter.
    #[error(
        "its packages were locked for {locked}, and the sandbox has {here}; grade with the interpreter of the run \
         (`--python`, `--sandbox`)"
    )]
    OtherInterpreter {
        /// What the lock is for.
        locked: String,
        /// What there is.
        here: String,
    },
    /// A folder does not hold what `environments export` writes.
    #[error("{}: {cause}; expected a folder that `slopbench environments export` wrote", path.display())]
    Import {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A record could not be put into JSON: a bug.
    #[error("cannot write an environment as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }

    /// Whether the machine or its network is at fault: the same may go well another time.
    pub fn is_of_infrastructure(&self) -> bool {
        !matches!(
            self,
            Self::OtherInterpreter { .. }
                | Self::Unbuilt { .. }
                | Self::Interpreter(_)
                | Self::Import { .. }
                | Self::Digest { .. }
                // A folder that is no solution.
                | Self::Sandbox(slopbench_sandbox::Error::Solution { .. })
        )
    }
}

impl From<slopbench_digest::ReadError> for Error {
    fn from(error: slopbench_digest::ReadError) -> Self {
        Self::Io { path: error.path, source: error.source }
    }
}
