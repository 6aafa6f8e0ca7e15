//! The sandbox's session in which an interpreter is asked and packages are unpacked: without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::{getegid, geteuid};
use slopbench_gateway::packages::{PYTHON_PATH, PackageMirror};
use slopbench_gateway::server::Gateway;
use slopbench_sandbox::session::{JobEnd, Session, SessionJob, SessionSpec, System};
use slopbench_sandbox::{Limits, ProgramEnd};

use crate::Error;

/// How much may be written to memory, in bytes.
const SCRATCH: u64 = 1 << 30;

/// The most that all files of an environment may take, in bytes, with what is needed to unpack them.
pub(crate) const MOST_UNPACKED: u64 = 6 << 30;

/// How long unpacking may take: far more than it does, as what takes longer says nothing of the packages.
const WALL: Duration = Duration::from_secs(1800);

/// Whoever may read package indexes does it there; nobody else is answered.
const PORT: u16 = 17_891;

/// The most that is read of what a program said, in bytes.
const MOST_SAID: u64 = 1 << 20;

/// Where sessions are.
pub(crate) struct Room<'a> {
    pub(crate) system: &'a System,
    /// What no program may see.
    pub(crate) hide: &'a [PathBuf],
    /// Where folders for the time of a session are made.
    pub(crate) scratch: &'a Path,
}

/// What is run in a session.
pub(crate) struct RoomJob {
    pub(crate) argv: Vec<String>,
    /// Beside the session's own.
    pub(crate) env: BTreeMap<String, String>,
    /// What it may take; without any, as much as unpacking may.
    pub(crate) limits: Option<Limits>,
    /// Its one way out, if it has any: to package indexes.
    pub(crate) packages: Option<PackageMirror>,
}

/// What a session had of package indexes.
#[derive(Debug, Default)]
pub(crate) struct PackagesHad {
    /// Files of Python's packages, by package and name.
    pub(crate) files: BTreeSet<(String, String)>,
    /// How many requests no index answered.
    pub(crate) failed: u64,
}

/// A session that has ended.
pub(crate) struct RoomEnd {
    pub(crate) end: ProgramEnd,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) packages: PackagesHad,
    /// The folder with what it left in `workspace`.
    pub(crate) folder: ScratchFolder,
}

/// A folder for a while. Goes with all that is in it, of whatever depth.
#[derive(Debug)]
pub(crate) struct ScratchFolder(tempfile::TempDir);

impl ScratchFolder {
    pub(crate) fn new(place: &Path) -> Result<Self, Error> {
        fs::create_dir_all(place).map_err(Error::io(place))?;
        tempfile::tempdir_in(place).map(Self).map_err(Error::io(place))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // The folder's own end recurses.
        let _ = slopbench_walk::remove(self.path());
    }
}

impl Room<'_> {
    /// What a program prints that needs nothing.
    pub(crate) fn ask(&self, argv: &[&str]) -> Result<String, Error> {
        let ended = self.run(self.folder()?, None, argv)?;
        match ended.end {
            ProgramEnd::Exited(0) => Ok(ended.stdout),
            _ => Err(Error::Interpreter(ended.stderr.trim().to_owned())),
        }
    }

    /// A folder on the same disk as all others.
    pub(crate) fn folder(&self) -> Result<ScratchFolder, Error> {
        ScratchFolder::new(self.scratch)
    }

    /// Runs a program as [`Room::carry_out`] does.
    pub(crate) fn run(
        &self,
        folder: ScratchFolder,
        installation: Option<&Path>,
        argv: &[&str],
    ) -> Result<RoomEnd, Error> {
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        self.carry_out(folder, installation, RoomJob { argv, env: BTreeMap::new(), limits: None, packages: None })
    }

    /// Runs a program whose workspace, and what is installed for it, lie in `folder`. What it leaves belongs to the caller.
    pub(crate) fn carry_out(
        &self,
        folder: ScratchFolder,
        installation: Option<&Path>,
        given: RoomJob,
    ) -> Result<RoomEnd, Error> {
        let path = |name: &str| folder.path().join(name);
        for name in ["workspace", "home", "streams"] {
            fs::create_dir_all(path(name)).map_err(Error::io(&path(name)))?;
        }
        let spec = SessionSpec {
            workspace: path("workspace"),
            home: path("home"),
            installation: installation.map(Path::to_owned),
            assets: None,
            environment: None,
            system: self.system.clone(),
            hide: self.hide.to_vec(),
            stdout: path("streams/stdout"),
            stderr: path("streams/stderr"),
            port: PORT,
            scratch: SCRATCH,
        };
        let (session, listener) = Session::open(&spec)?;
        let mut job = SessionJob::new(given.argv, WALL);
        job.limits = given.limits.unwrap_or(Limits { disk: MOST_UNPACKED, ..job.limits });
        job.env = given.env;
        let (JobEnd { end, .. }, packages) = match given.packages {
            // Nobody accepts what is connected there.
            None => (session.run(&job)?, PackagesHad::default()),
            Some(mirror) => run_with_packages(session, job, listener, mirror)?,
        };
        if geteuid().is_root() {
            // A root's sessions are other users.
            let workspace = path("workspace");
            slopbench_walk::give(&workspace, geteuid().as_raw(), getegid().as_raw()).map_err(Error::io(&workspace))?;
        }
        let (stdout, stderr) = (said(&spec.stdout)?, said(&spec.stderr)?);
        Ok(RoomEnd { end, stdout, stderr, packages, folder })
    }
}

/// Where a session finds the package index that it may read.
pub(crate) fn index_url() -> String {
    format!("http://127.0.0.1:{PORT}{PYTHON_PATH}")
}

/// Runs a session's program while a gateway answers it.
fn run_with_packages(
    session: Session,
    job: SessionJob,
    listener: TcpListener,
    mirror: PackageMirror,
) -> Result<(JobEnd, PackagesHad), Error> {
    let failed = |error: &dyn ToString| Error::Build(error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| failed(&error))?.block_on(async {
        let gateway = Gateway::serve_packages(listener, mirror).map_err(|error| failed(&error))?;
        let ended = tokio::task::spawn_blocking(move || session.run(&job)).await;
        let ended = ended.map_err(|error| failed(&error))??;
        let log = gateway.log();
        Ok((ended, PackagesHad { files: log.python_files(), failed: log.packages().failed }))
    })
}

fn said(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MOST_SAID).read_to_end(&mut bytes)).map_err(Error::io(path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
