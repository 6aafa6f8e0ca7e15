//! How an agent is started: in a sandbox with the same paths in every run, and the gateway as the only way out.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    net::TcpListener,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use slopbench_gateway::packages::{NPM_PATH, PYTHON_PATH};
use slopbench_sandbox::{
    ASSETS, ASSETS_VARIABLE, Error, ProgramEnd, Runtime,
    session::{HOME, INSTALLATION, Session, SessionJob, SessionSpec, System, WORKSPACE},
};

/// The most that an agent may tell, in bytes: by its standard output and error, or in a file. Sessions of hours take some
/// tens of megabytes.
pub const MOST_OUTPUT: u64 = 64 << 20;

/// The gateway's port on the sandbox's own loopback, the same in every run; none that servers like to take.
pub const GATEWAY_PORT: u16 = 17_890;

/// How much an agent may write to memory, in bytes.
const SCRATCH: u64 = 1 << 30;

/// A process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedProcess {
    /// How.
    pub end: ProgramEnd,
    /// All it wrote to its standard output.
    pub stdout: Vec<u8>,
    /// All it wrote to its standard error.
    pub stderr: Vec<u8>,
}

/// A session of an agent whose folders `workspace`, `home` and `streams` lie in `folder`. What its program prints is written to
/// the files `stdout` and `stderr` in `streams`, and the gateway listens on [`GATEWAY_PORT`].
pub fn session_in(folder: &Path, installation: PathBuf, system: System, hide: Vec<PathBuf>) -> SessionSpec {
    SessionSpec {
        workspace: folder.join("workspace"),
        home: folder.join("home"),
        installation: Some(installation),
        assets: None,
        environment: None,
        system,
        hide,
        stdout: folder.join("streams/stdout"),
        stderr: folder.join("streams/stderr"),
        port: GATEWAY_PORT,
        scratch: SCRATCH,
    }
}

/// Where the gateway is, as agents see it.
fn gateway() -> String {
    format!("http://127.0.0.1:{GATEWAY_PORT}")
}

/// The variables by which installers find the package indexes at the gateway.
pub fn package_variables() -> BTreeMap<String, String> {
    let index = gateway() + PYTHON_PATH;
    let rows = [
        ("PIP_DEFAULT_TIMEOUT", "60".to_owned()),
        ("PIP_DISABLE_PIP_VERSION_CHECK", "1".to_owned()),
        ("PIP_INDEX_URL", index.clone()),
        ("UV_DEFAULT_INDEX", index),
        ("npm_config_audit", "false".to_owned()),
        ("npm_config_fund", "false".to_owned()),
        // Or a lock file would name the gateway, which is nowhere else.
        ("npm_config_omit_lockfile_registry_resolved", "true".to_owned()),
        ("npm_config_registry", gateway() + NPM_PATH),
        ("npm_config_update_notifier", "false".to_owned()),
    ];
    rows.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A sandbox for one session of an agent.
///
/// Agents find the system that their [`SessionSpec`] names, and no other file, process or network of the machine. `HTTP_PROXY`
/// and `HTTPS_PROXY` name the gateway, `ASSETS` the folder of the assets if there are any.
#[derive(Debug)]
pub struct AgentSandbox {
    spec: SessionSpec,
    session: Mutex<Option<Session>>,
    variables: BTreeMap<String, String>,
}

impl AgentSandbox {
    /// Opens the sandbox, and the listener that the gateway is to [`serve`](slopbench_gateway::server::Gateway::serve) on
    /// [`GATEWAY_PORT`].
    ///
    /// # Errors
    ///
    /// As for [`Session::open`].
    pub fn open(mut spec: SessionSpec) -> Result<(Self, TcpListener), Error> {
        spec.port = GATEWAY_PORT;
        let (session, listener) = Session::open(&spec)?;
        Ok((Self { spec, session: Mutex::new(Some(session)), variables: BTreeMap::new() }, listener))
    }

    /// The same with these variables for its job.
    #[must_use]
    pub fn with_variables(self, variables: BTreeMap<String, String>) -> Self {
        Self { variables, ..self }
    }

    /// This machine's system, `python3` with its standard library, and the toolchains of the other languages where there are any.
    ///
    /// # Errors
    ///
    /// As for [`Runtime::python3`].
    pub fn machine() -> Result<System, Error> {
        Ok(System::Machine(Runtime::python3()?.and_toolchains()))
    }

    /// The working folder as the agent sees it.
    pub fn workspace() -> &'static Path {
        Path::new(WORKSPACE)
    }

    /// The home as the agent sees it.
    pub fn home() -> &'static Path {
        Path::new(HOME)
    }

    /// Where on this machine something lies, by the path that the agent sees.
    pub(crate) fn outside(&self, path: &Path) -> PathBuf {
        let installation = self.spec.installation.as_ref().map(|folder| (INSTALLATION, folder));
        let folders = [(WORKSPACE, &self.spec.workspace), (HOME, &self.spec.home)].into_iter().chain(installation);
        let mut below = folders.filter_map(|(seen, real)| Some(real.join(path.strip_prefix(seen).ok()?)));
        below.next().unwrap_or_else(|| path.to_path_buf())
    }

    /// Runs a job to its end, or to its limit of wall clock time. Its program is named by its place on this machine. Nothing
    /// that it started is left behind.
    ///
    /// # Errors
    ///
    /// Only what is not the agent's fault.
    pub async fn run(&self, job: &SessionJob) -> io::Result<EndedProcess> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
        let session = session.ok_or_else(|| io::Error::other("this sandbox was for one session, which has ended"))?;
        let job = self.inside(job);
        // Ends the agent if no one waits for it any more.
        let _stopper = session.stopper().map_err(io::Error::other)?;
        let worked = tokio::task::spawn_blocking(move || session.run(&job)).await.map_err(io::Error::other)?;
        let end = worked.map_err(io::Error::other)?.end;
        Ok(EndedProcess { end, stdout: fs::read(&self.spec.stdout)?, stderr: fs::read(&self.spec.stderr)? })
    }

    /// The job as the sandbox runs it.
    fn inside(&self, job: &SessionJob) -> SessionJob {
        let mut argv = job.argv.first().map(|program| self.program(Path::new(program))).unwrap_or_default();
        argv.extend(job.argv.iter().skip(1).cloned());
        let mut inside = SessionJob { argv, env: BTreeMap::new(), ..job.clone() };
        inside.limits.output = MOST_OUTPUT;
        let gateway = gateway();
        for (names, value) in [
            (["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].as_slice(), gateway.as_str()),
            (["NO_PROXY", "no_proxy"].as_slice(), "127.0.0.1,localhost"),
        ] {
            inside.env.extend(names.iter().map(|name| ((*name).to_owned(), value.to_owned())));
        }
        inside.env.extend(self.spec.assets.iter().map(|_| (ASSETS_VARIABLE.to_owned(), ASSETS.to_owned())));
        inside.env.extend(self.variables.clone());
        inside.env.extend(job.env.clone());
        inside
    }

    /// The program as the agent sees it. A script whose interpreter lies beside it names that by its place on this machine,
    /// as those of Python's virtual environments do.
    fn program(&self, program: &Path) -> Vec<String> {
        let seen = |path: &Path| {
            let below = self.spec.installation.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
            let path = below.map_or_else(|| path.to_path_buf(), |below| Path::new(INSTALLATION).join(below));
            path.to_string_lossy().into_owned()
        };
        let mut start = Vec::new();
        // A program that cannot be read cannot be started either, which is the error to be told.
        let _ = fs::File::open(program).and_then(|file| file.take(256).read_to_end(&mut start));
        let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let interpreter = first.strip_prefix(b"#!").and_then(|line| std::str::from_utf8(line).ok());
        let beside = interpreter.and_then(|path| Some(program.with_file_name(Path::new(path.trim()).file_name()?)));
        beside.filter(|path| path.exists()).iter().map(PathBuf::as_path).chain([program]).map(seen).collect()
    }
}
