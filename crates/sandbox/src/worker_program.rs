//! The worker as a program: which file it is, and what it is linked against.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Error;
use crate::layout::PROGRAMS;

/// The worker's name. A program that can be one is one when it is called by it.
pub(crate) const WORKER: &str = "slopbench-sandbox";

/// Names the worker's binary.
const WORKER_VARIABLE: &str = "SLOPBENCH_SANDBOX_WORKER";

/// What a worker is told to [list](crate::worker) its libraries.
pub(crate) const LIST_LIBRARIES: &str = "libraries";

/// What a worker is told to [stand](crate::worker) for a program in another room.
pub(crate) const LAUNCH: &str = "launch";

/// This program's own file, even where another one has taken its name since.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// Whether this program is a worker when it is called by that name.
static CAN_BE_CALLED: AtomicBool = AtomicBool::new(false);

/// This program is a worker when it is called by its name: no other one has to be installed.
pub(crate) fn can_be_called() {
    CAN_BE_CALLED.store(true, Ordering::Relaxed);
}

/// The worker's binary.
#[derive(Clone, Debug)]
pub(crate) struct WorkerProgram {
    /// Its file.
    pub(crate) path: PathBuf,
}

impl WorkerProgram {
    /// This program itself if it can be called as a worker; or else, as for tests, what lies beside it or in the folder
    /// above, where cargo puts it.
    pub(crate) fn find() -> Result<Self, Error> {
        let tried: Vec<PathBuf> = match env::var_os(WORKER_VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => vec![path.into()],
            None if CAN_BE_CALLED.load(Ordering::Relaxed) => vec![THIS_PROGRAM.into()],
            None => {
                let binary = env::current_exe().unwrap_or_default();
                binary.ancestors().skip(1).take(2).map(|folder| folder.join(WORKER)).collect()
            }
        };
        match tried.iter().find(|path| path.is_file()) {
            Some(path) => Ok(Self { path: path.clone() }),
            None => Err(Error::WorkerNotFound { tried }),
        }
    }

    /// Calls it as a worker, with nothing of this process's environment: there may be keys in it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.arg0(WORKER).env_clear().current_dir("/");
        command
    }

    /// What it is linked against, with the program that loads it first; nothing if it needs nothing.
    pub(crate) fn libraries(&self) -> Result<Vec<PathBuf>, Error> {
        let wrong = |cause: String| Error::WorkerStart { path: self.path.clone(), cause };
        let output = self.command().arg(LIST_LIBRARIES).output().map_err(|error| wrong(error.to_string()))?;
        if !output.status.success() {
            return Err(wrong(format!("it cannot list its libraries: {}", output.status)));
        }
        let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        Ok(lines.map(|line| PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(line))).collect())
    }
}

/// Whether a program is called as a worker.
pub(crate) fn is_workers(name: &OsStr) -> bool {
    Path::new(name).file_name() == Some(OsStr::new(WORKER))
}

/// The worker and what it is linked against, as a foreign system gets it: with its own C library, as that may have an older one,
/// or none.
pub(crate) struct WorkerFiles {
    /// Each file of this machine, by its name in [`PROGRAMS`].
    pub(crate) files: Vec<(String, PathBuf)>,
    /// What loads the worker; nothing if the kernel does.
    loader: Option<String>,
}

impl WorkerFiles {
    /// That of this machine.
    pub(crate) fn find() -> Result<Self, Error> {
        let worker = WorkerProgram::find()?;
        let libraries = worker.libraries()?;
        let wrong = |path: &Path, cause: String| Error::WorkerStart { path: path.to_owned(), cause };
        let real = |path: &Path| fs::canonicalize(path).map_err(|error| wrong(path, error.to_string()));
        let mut files = vec![(WORKER.to_owned(), real(&worker.path)?)];
        for path in &libraries {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| wrong(path, "expected a file with a name".into()))?;
            files.push((name.to_owned(), real(path)?));
        }
        let loader = files.get(1).map(|(name, _)| name.clone());
        Ok(Self { files, loader })
    }

    /// How it is called there.
    pub(crate) fn command(&self) -> Vec<String> {
        let worker = format!("{PROGRAMS}/{WORKER}");
        match &self.loader {
            Some(loader) => vec![format!("{PROGRAMS}/{loader}"), "--library-path".into(), PROGRAMS.into(), worker],
            None => vec![worker],
        }
    }

    /// What stands before a program that is to run in another room.
    pub(crate) fn launcher(&self) -> Vec<String> {
        [self.command(), vec![LAUNCH.to_owned()]].concat()
    }
}
