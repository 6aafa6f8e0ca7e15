//! The sandbox as a place for agents: the same paths in every run, and the gateway as the only way out.

use std::{
    fs,
    io::{self, Read as _},
    net::TcpListener,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use slopbench_sandbox::{
    End, Error, Limit, Runtime,
    session::{HOME, INSTALLATION, Job, Session, SessionSpec, System, WORKSPACE},
};

use super::{Command, Ended, Exit, Launcher, MOST_OUTPUT};

/// The gateway's port on the sandbox's own loopback, the same in every run; none that servers like to take.
pub const GATEWAY_PORT: u16 = 17_890;

/// Folders of this machine that an agent gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Where it works, shown as [`Sandbox::workspace`].
    pub workspace: PathBuf,
    /// Its home, shown as [`Sandbox::home`]: fresh, for agents keep what they remember there.
    pub home: PathBuf,
    /// All that is installed of it, shown read-only.
    pub installation: PathBuf,
    /// Where its output is written while it runs, as `stdout` and `stderr`. Not shown.
    pub streams: PathBuf,
    /// What it finds beside these.
    pub system: System,
    /// What it may not see, wherever it lies.
    pub hide: Vec<PathBuf>,
}

/// How much an agent may write to memory, in bytes.
const SCRATCH: u64 = 1 << 30;

/// A sandbox for one session of an agent.
///
/// Agents find the system that their [`Room`] names, and no other file, process or network of the machine. `HTTP_PROXY`
/// and `HTTPS_PROXY` name the gateway.
#[derive(Debug)]
pub struct Sandbox {
    room: Room,
    session: Mutex<Option<Session>>,
}

impl Sandbox {
    /// Opens the sandbox, and the listener that the gateway is to [`serve`](slopbench_gateway::server::Gateway::serve).
    ///
    /// # Errors
    ///
    /// [`Error`] if no sandbox can be opened here.
    pub fn open(room: Room) -> Result<(Self, TcpListener), Error> {
        let place = SessionSpec {
            workspace: room.workspace.clone(),
            home: room.home.clone(),
            installation: Some(room.installation.clone()),
            system: room.system.clone(),
            hide: room.hide.clone(),
            stdout: room.streams.join("stdout"),
            stderr: room.streams.join("stderr"),
            port: GATEWAY_PORT,
            scratch: SCRATCH,
        };
        let (session, listener) = Session::open(&place)?;
        Ok((Self { room, session: Mutex::new(Some(session)) }, listener))
    }

    /// This machine's system, `python3` with its standard library, and `node` where there is one.
    ///
    /// # Errors
    ///
    /// [`Error`] if there is no `python3`.
    pub fn machine() -> Result<System, Error> {
        Ok(System::Machine(Runtime::python3()?.and_node()))
    }

    /// The working folder as the agent sees it.
    pub fn workspace() -> &'static Path {
        Path::new(WORKSPACE)
    }

    /// The home as the agent sees it.
    pub fn home() -> &'static Path {
        Path::new(HOME)
    }

    fn job(&self, command: &Command, limit: Duration) -> Job {
        let mut argv = self.program(&command.program);
        argv.extend(command.arguments.iter().cloned());
        let mut job = Job::new(argv, limit);
        job.limits.output = MOST_OUTPUT;
        let gateway = format!("http://127.0.0.1:{GATEWAY_PORT}");
        for (names, value) in [
            (["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].as_slice(), gateway.as_str()),
            (["NO_PROXY", "no_proxy"].as_slice(), "127.0.0.1,localhost"),
        ] {
            job.env.extend(names.iter().map(|name| ((*name).to_owned(), value.to_owned())));
        }
        job.env.extend(command.environment.clone());
        job
    }

    /// The program as the agent sees it. A script whose interpreter lies beside it names that by its place on this machine,
    /// as those of Python's virtual environments do.
    fn program(&self, program: &Path) -> Vec<String> {
        let seen = |path: &Path| {
            let below = path.strip_prefix(&self.room.installation);
            let path = below.map_or_else(|_| path.to_path_buf(), |below| Path::new(INSTALLATION).join(below));
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

    fn printed(&self, stream: &str) -> io::Result<Vec<u8>> {
        fs::read(self.room.streams.join(stream))
    }
}

impl Launcher for Sandbox {
    fn outside(&self, path: &Path) -> PathBuf {
        let places =
            [(WORKSPACE, &self.room.workspace), (HOME, &self.room.home), (INSTALLATION, &self.room.installation)];
        let below = |(seen, real): &(&str, &PathBuf)| path.strip_prefix(seen).ok().map(|below| real.join(below));
        places.iter().find_map(below).unwrap_or_else(|| path.to_path_buf())
    }

    async fn run(&self, command: &Command, limit: Duration) -> io::Result<Ended> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
        let session = session.ok_or_else(|| io::Error::other("this sandbox was for one session, which has ended"))?;
        let job = self.job(command, limit);
        // Ends the agent if no one waits for it any more.
        let _stopper = session.stopper().map_err(io::Error::other)?;
        let worked = tokio::task::spawn_blocking(move || session.run(&job)).await.map_err(io::Error::other)?;
        let exit = match worked.map_err(io::Error::other)?.end {
            End::Exited(code) => Exit::Code(code),
            End::Signalled(signal) => Exit::Signal(signal),
            End::Limit(Limit::Wall) => Exit::TimedOut,
            End::Limit(limit) => Exit::Limit(limit),
            End::Stopped => return Err(io::Error::other("the session was stopped as only a service is")),
        };
        Ok(Ended { exit, stdout: self.printed("stdout")?, stderr: self.printed("stderr")? })
    }
}
