//! The environment of the packages that a workspace declares, active in a session: a virtual environment of the session's
//! home that has them, and that more can be installed into.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_sandbox::{
    ENVIRONMENT, ProgramEnd,
    session::{HOME, Session, SessionJob, SessionSpec, System},
};

use super::StageError;
use crate::launch::session_in;

/// See its own first lines.
const SCRIPT: &str = include_str!("activate.py");

/// The longest that it may take, which is seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// The packages that a workspace declares, as they were installed.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredPackages<'a> {
    /// The virtual environment of them, which is shown read-only.
    pub environment: &'a Path,
    /// The interpreter that it is for, by its place in the session.
    pub interpreter: &'a Path,
}

/// Makes it in the folder `home`, and gives the variables by which it is active. What is made is made in a room of its own,
/// as the interpreter is there, in the folder `scratch`: no time of the session's.
pub(super) fn activate(
    packages: DeclaredPackages<'_>,
    home: &Path,
    (system, hide): (System, Vec<PathBuf>),
    scratch: &Path,
) -> Result<BTreeMap<String, String>, StageError> {
    for name in ["workspace", "streams", "installation"] {
        let path = scratch.join(name);
        fs::create_dir_all(&path).map_err(StageError::write(&path))?;
    }
    let spec = SessionSpec {
        home: home.to_owned(),
        environment: Some(packages.environment.to_owned()),
        ..session_in(scratch, scratch.join("installation"), system, hide)
    };
    // Nobody accepts what is connected there.
    let (session, _listener) = Session::open(&spec)?;
    let python = packages.interpreter.to_string_lossy();
    let words = [&*python, "-I", "-c", SCRIPT, ENVIRONMENT];
    let ended = session.run(&SessionJob::new(words.map(str::to_owned).into(), LIMIT))?;
    let said = |path: &Path| fs::read_to_string(path).map_err(StageError::write(path));
    if ended.end != ProgramEnd::Exited(0) {
        return Err(StageError::Environment(said(&spec.stderr)?.trim().to_owned()));
    }
    let active = format!("{HOME}/.venv");
    let path = format!("{active}/bin:{}", said(&spec.stdout)?.trim());
    Ok([("PATH", path), ("VIRTUAL_ENV", active)].map(|(name, value)| (name.to_owned(), value)).into())
}
