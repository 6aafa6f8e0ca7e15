//! A container whose worker is asked through a socket of this machine's that it is shown, so that descriptors can go through
//! it as well. The engine is not needed while it works.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::{Duration, Instant};

use bollard::container::LogOutput;
use bollard::errors::Error as EngineError;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters as query;
use futures_util::{Stream, StreamExt};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tempfile::TempDir;
use tokio::time::timeout;

use super::engine::ContainerEngine;
use super::options::STARTING;
use super::pending::PendingContainer;
use crate::Error;
use crate::worker_channel::{Supervisor, WorkerChannel};

/// How long to wait for the worker between two looks at whether its container still runs.
const LOOK: Duration = Duration::from_millis(250);

/// How long to listen for what a container said before it ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Starts a container whose worker asks for its standard input and output at the socket of `startup`. Returns its id as well.
pub(super) fn start(
    engine: ContainerEngine,
    body: ContainerCreateBody,
    startup: StartupFolder,
) -> Result<(WorkerChannel, String), Error> {
    let id = engine.create(body)?;
    let pending = PendingContainer { engine: &engine, id: Some(id.clone()) };
    let options = query::AttachContainerOptionsBuilder::default().stream(true).stdout(true).stderr(true).build();
    let said = engine.wait("attach to its container", engine.docker.attach_container(&id, Some(options)))?.output;
    engine.start(&id)?;
    let connected = startup.accept(|| engine.runs(&id));
    pending.keep();
    let mut kept = ContainerSupervisor { engine, id: Some(id.clone()), said };
    match connected {
        Ok((input, output)) => Ok((WorkerChannel::new(kept, input, output), id)),
        Err(error) => Err(Error::WorkerLost { cause: format!("{error} ({})", kept.kill()) }),
    }
}

/// Listens at a socket in a folder, to whoever is shown it.
pub(super) fn listen(folder: &Path, name: &str) -> io::Result<UnixListener> {
    // A socket's path has to be short, and the folder's need not be.
    let short = File::open(folder)?;
    let listener = UnixListener::bind(format!("/proc/self/fd/{}/{name}", short.as_raw_fd()))?;
    fs::set_permissions(folder.join(name), Permissions::from_mode(0o666))?;
    Ok(listener)
}

/// The socket's name.
pub(super) const SOCKET: &str = "socket";

/// A folder with what a container is shown while it starts. Nobody but the caller, and the engine for the container, finds
/// the way into it.
pub(super) struct StartupFolder {
    folder: TempDir,
    listener: UnixListener,
}

impl StartupFolder {
    /// Makes it, with these files.
    pub(super) fn new(folder: TempDir, files: &[(&str, String)]) -> io::Result<Self> {
        for (name, text) in files {
            fs::write(folder.path().join(name), text)?;
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o644))?;
        }
        let listener = listen(folder.path(), SOCKET)?;
        listener.set_nonblocking(true)?;
        Ok(Self { folder, listener })
    }

    /// Where something in it lies.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The worker's standard input and output, once it asked for them. Then there is nothing left of this on the machine.
    fn accept(self, is_alive: impl Fn() -> bool) -> io::Result<(UnixStream, UnixStream)> {
        let until = Instant::now() + STARTING;
        let next = || loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false)?;
                    return Ok(stream);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            let mut fds = [PollFd::new(self.listener.as_fd(), PollFlags::POLLIN)];
            let wait = PollTimeout::try_from(LOOK).unwrap_or(PollTimeout::MAX);
            let is_silent = poll(&mut fds, wait)? == 0;
            if is_silent && Instant::now() >= until {
                return Err(io::Error::other(format!("its container was silent for {STARTING:?}")));
            }
            if is_silent && !is_alive() {
                return Err(io::Error::other("its container ended at once"));
            }
        };
        Ok((next()?, next()?))
    }
}

/// A container that is there until nobody asks its worker any more.
struct ContainerSupervisor {
    engine: ContainerEngine,
    id: Option<String>,
    /// What its worker says on its standard streams: nothing, unless it is broken.
    said: Pin<Box<dyn Stream<Item = Result<LogOutput, EngineError>> + Send>>,
}

impl std::fmt::Debug for ContainerSupervisor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContainerSupervisor")
            .field("engine", &self.engine.host())
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Supervisor for ContainerSupervisor {
    fn kill(&mut self) -> String {
        let mut words = Vec::new();
        let removed = self.id.take().map_or(Ok(()), |id| self.engine.remove_container(&id));
        let hear = async {
            while let Some(Ok(output)) = self.said.next().await {
                words.extend_from_slice(&output.into_bytes());
            }
        };
        // Nothing more comes once the container is gone.
        let _ = self.engine.block_on(async { timeout(LAST_WORDS, hear).await });
        let words = String::from_utf8_lossy(&words).trim().to_owned();
        match removed {
            Err(error) => error.to_string(),
            Ok(()) if words.is_empty() => "it said nothing".to_owned(),
            Ok(()) => format!("it said: {words}"),
        }
    }

    fn reap(&mut self) {
        if let Some(id) = self.id.take() {
            // What cannot be removed now is swept by the next one.
            let _ = self.engine.remove_container(&id);
        }
    }
}
