//! A test suite that starts the solution itself: pytest, above all.
//!
//! Its program and the solution share a loopback network, `/tmp` and a working copy of the solution, and nothing else.
//! They live in two *rooms*. The suite's room has the tests, what they need, and the report. The solution's room has the
//! solution and its environment: no file, process, descriptor or variable of the suite's. The suite starts a program in
//! the solution's room through a *launcher*, a command that stands for the program: same arguments, working folder,
//! standard streams, signals and end. `docs/src/sandboxes.md` says what differs from a plain start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::folder::check_relative;
use crate::layout::{SUITE, SUITE_ENVIRONMENT, WORKSPACE};
use crate::wire::base64_bytes;
use crate::{Error, Limits, ProgramEnd, ResourceUsage};

/// The environment variable that tells the suite's program which descriptor takes its report: one end of a socket pair,
/// which cannot be opened by a path.
pub const REPORT_VARIABLE: &str = "SLOPBENCH_REPORT_FD";

/// One run of a test suite against a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The tests: a folder that the suite's room alone sees, read-only. Everybody may have to read it: if the caller is root,
    /// or in a container, the suite's program is another user.
    pub folder: PathBuf,
    /// Files and folders below [`folder`](Suite::folder), by relative paths, that the solution's room sees as well, at the
    /// same places: static assets.
    pub shared: Vec<PathBuf>,
    /// What the suite's program is made of: an environment that the suite's room alone sees, read-only.
    pub environment: PathBuf,
    /// Added to the back end's fixed environment of the suite's program, and stronger than it. The solution's programs get what
    /// the suite gives them, but for [`REPORT_VARIABLE`] and what names the suite's environment.
    pub env: BTreeMap<String, String>,
    /// When to stop, for both rooms together. Launchers are processes too, and who starts programs is one; the size of a single
    /// file is kept for each process and ends no suite.
    pub limits: Limits,
}

/// Where things lie while a suite runs: what its command line has to name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLayout<'a> {
    /// [`Suite::folder`].
    pub folder: &'a Path,
    /// [`Suite::environment`].
    pub environment: &'a Path,
    /// A copy of the solution, which both may write to. The suite's program starts there: it must not look for its own modules
    /// in the current folder (Python's `-P`).
    pub workspace: &'a Path,
    /// What stands before a program and its arguments, so that it runs in the solution's room. Empty where there is none.
    pub launcher: &'a [String],
}

/// What a suite's run looked like from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteObservation {
    /// How the suite's program ended.
    pub end: ProgramEnd,
    /// Its standard output, cut where [`Limits::output`] was reached.
    #[serde(with = "base64_bytes")]
    pub stdout: Vec<u8>,
    /// Its standard error, cut where [`Limits::output`] was reached.
    #[serde(with = "base64_bytes")]
    pub stderr: Vec<u8>,
    /// All that was written to the descriptor of [`REPORT_VARIABLE`], up to [`Limits::output`] bytes.
    #[serde(with = "base64_bytes")]
    pub report: Vec<u8>,
    /// What both rooms took. Differs from run to run: keep it out of verified bytes.
    pub usage: ResourceUsage,
}

impl Suite {
    /// The same by paths without symbolic links.
    pub(crate) fn settle(&self) -> Result<Self, Error> {
        let real = |path: &Path| {
            let found = path.canonicalize().and_then(|real| match real.is_dir() {
                true => Ok(real),
                false => Err(std::io::Error::other("expected a folder")),
            });
            found.map_err(|error| Error::Place { path: path.to_owned(), cause: error.to_string() })
        };
        let (folder, environment) = (real(&self.folder)?, real(&self.environment)?);
        for path in &self.shared {
            check_relative(&path.to_string_lossy())?;
            let place = folder.join(path);
            let missing = |error: std::io::Error| Error::Place { path: place.clone(), cause: error.to_string() };
            std::fs::symlink_metadata(&place).map_err(missing)?;
        }
        Ok(Self { folder, environment, ..self.clone() })
    }
}

impl<'a> SuiteLayout<'a> {
    /// Where things lie wherever there are two rooms.
    pub(crate) fn of_rooms(launcher: &'a [String]) -> Self {
        let [folder, environment, workspace] = [SUITE, SUITE_ENVIRONMENT, WORKSPACE].map(Path::new);
        Self { folder, environment, workspace, launcher }
    }
}
