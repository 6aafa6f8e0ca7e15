//! A container for a session: all that it shows is an image and this machine's own folders, and its worker is asked
//! through a socket among them, by which it also hands out the listener. The engine is not needed while it works.

use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bollard::container::LogOutput;
use bollard::errors::Error as EngineError;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters as query;
use futures_util::{Stream, StreamExt};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{Gid, Uid, getegid, geteuid};
use tokio::time::timeout;

use super::about::EngineInfo;
use super::engine::ContainerEngine;
use super::options::{ContainerOptions, EMPTY, MESSAGES, STARTING, bind, scratch};
use super::owner::OwnerProcess;
use super::pending::PendingContainer;
use super::program::{FOLDER, WorkerFiles};
use crate::Error;
use crate::folder;
use crate::image::Image;
use crate::layout::{ASSETS, HOME, INSTALLATION, WORKSPACE};
use crate::session_spec::{MOST_MEMORY, MOST_PROCESSES, SessionSpec};
use crate::worker::{dedicated, give_away};
use crate::worker_channel::{Supervisor, WorkerChannel};

/// How long to wait for the worker between two looks at whether its container still runs.
const LOOK: Duration = Duration::from_millis(250);

/// How long to listen for what a container said before it ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Folders that have to change hands before a program may write to them, as its user is not the caller.
#[derive(Debug)]
pub(crate) struct OwnershipChange {
    folders: [PathBuf; 2],
    to: folder::FolderOwner,
}

impl OwnershipChange {
    pub(crate) fn apply(&self) -> Result<(), Error> {
        let give = |folder: &PathBuf| {
            let wrong = |error: io::Error| Error::Place { path: folder.clone(), cause: error.to_string() };
            give_away(folder, self.to).map_err(wrong)
        };
        self.folders.iter().try_for_each(give)
    }
}

/// Starts a container with a worker for a session of this specification. What its program may write to is to be
/// given away when the program starts, not before: the caller may put something there until then.
pub(crate) fn start_worker(
    spec: &SessionSpec,
    image: &Image,
) -> Result<(WorkerChannel, Option<OwnershipChange>), Error> {
    let program = WorkerFiles::find()?;
    let engine = ContainerEngine::connect()?;
    if !engine.host().starts_with("unix://") {
        return Err(Error::Remote { host: engine.host().to_owned() });
    }
    let user = User::of(&engine.fit()?);
    engine.check(image)?;
    engine.sweep_once(&OwnerProcess::this())?;
    let startup =
        StartupFolder::new(spec, &user).map_err(|error| Error::setup("make a socket for its container", error))?;
    let owner = OwnerProcess::this();
    let id = engine.create(user.request(&startup, spec, image, &owner, &program))?;
    let pending = PendingContainer { engine: &engine, id: Some(id.clone()) };
    let options = query::AttachContainerOptionsBuilder::default().stream(true).stdout(true).stderr(true).build();
    let said = engine.wait("attach to its container", engine.docker.attach_container(&id, Some(options)))?.output;
    engine.start(&id)?;
    let connected = startup.accept(|| engine.runs(&id));
    pending.keep();
    let mut kept = ContainerSupervisor { engine, id: Some(id), said };
    let (input, output) = match connected {
        Ok(streams) => streams,
        Err(error) => return Err(Error::WorkerLost { cause: format!("{error} ({})", kept.kill()) }),
    };
    Ok((WorkerChannel::new(kept, input, output), user.ownership(spec)))
}

/// The sessions of this process.
static SESSIONS: AtomicU32 = AtomicU32::new(0);

/// Who a session's program is.
struct User {
    id: (u32, u32),
    /// Whether the caller has to make presents.
    is_given: bool,
}

impl User {
    /// Nobody with any power, who may write to what the caller owns.
    fn of(engine: &EngineInfo) -> Self {
        let caller = (geteuid().as_raw(), getegid().as_raw());
        match (engine.is_rootless, caller.0) {
            // What a rootless engine calls its user, whatever the image: root, without the power to do anything.
            (true, _) => Self { id: (0, 0), is_given: false },
            (false, 0) => {
                let owner = dedicated(std::process::id().wrapping_add(SESSIONS.fetch_add(1, Ordering::Relaxed)));
                Self { id: (owner.uid.as_raw(), owner.gid.as_raw()), is_given: true }
            }
            (false, _) => Self { id: caller, is_given: false },
        }
    }

    fn ownership(&self, spec: &SessionSpec) -> Option<OwnershipChange> {
        let to = folder::FolderOwner { uid: Uid::from_raw(self.id.0), gid: Gid::from_raw(self.id.1) };
        self.is_given.then(|| OwnershipChange { folders: [spec.workspace.clone(), spec.home.clone()], to })
    }

    /// `passwd` and `group`, as far as programs need them.
    fn names(&self) -> [(&'static str, String); 2] {
        let (user, group) = self.id;
        let root = if user == 0 { "" } else { "root:x:0:0:root:/:/bin/false\n" };
        let groups = if group == 0 { "" } else { "root:x:0:\n" };
        [
            ("passwd", format!("agent:x:{user}:{group}:agent:{HOME}:/bin/bash\n{root}")),
            ("group", format!("agent:x:{group}:\n{groups}")),
        ]
    }

    fn request(
        &self,
        startup: &StartupFolder,
        spec: &SessionSpec,
        image: &Image,
        owner: &OwnerProcess,
        program: &WorkerFiles,
    ) -> ContainerCreateBody {
        let socket = format!("{FOLDER}/{SOCKET}");
        let mut mounts = vec![
            bind(&startup.path(SOCKET), &socket, true),
            bind(&spec.workspace, WORKSPACE, false),
            bind(&spec.home, HOME, false),
        ];
        mounts.extend(program.mounts());
        mounts.extend(self.names().map(|(name, _)| bind(&startup.path(name), &format!("/etc/{name}"), true)));
        mounts.extend(spec.installation.iter().map(|folder| bind(folder, INSTALLATION, true)));
        mounts.extend(spec.assets.iter().map(|folder| bind(folder, ASSETS, true)));
        let memory = ["/tmp", "/dev/shm"].map(|folder| (folder.to_owned(), scratch(spec.scratch, self.id)));
        ContainerOptions {
            image,
            owner,
            user: format!("{}:{}", self.id.0, self.id.1),
            command: program.command(),
            arguments: vec![socket],
            mounts,
            volumes_from: Vec::new(),
            tmpfs: memory.into_iter().chain([(MESSAGES.to_owned(), EMPTY.to_owned())]).collect::<HashMap<_, _>>(),
            memory: MOST_MEMORY.saturating_add(spec.scratch.saturating_mul(2)),
            processes: MOST_PROCESSES,
        }
        .request()
    }
}

/// The socket's name.
const SOCKET: &str = "socket";

/// A folder with what a container is shown while it starts. Nobody but the caller, and the engine for the container, finds
/// the way into it.
struct StartupFolder {
    folder: tempfile::TempDir,
    listener: UnixListener,
}

impl StartupFolder {
    /// Beside the session's output, so that it goes with that if this process is killed.
    fn new(spec: &SessionSpec, user: &User) -> io::Result<Self> {
        let folder = tempfile::tempdir_in(spec.stdout.parent().unwrap_or(Path::new("/")))?;
        for (name, text) in user.names() {
            fs::write(folder.path().join(name), text)?;
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o644))?;
        }
        // A socket's path has to be short, and the folder's need not be.
        let short = File::open(folder.path())?;
        let listener = UnixListener::bind(format!("/proc/self/fd/{}/{SOCKET}", short.as_raw_fd()))?;
        fs::set_permissions(folder.path().join(SOCKET), Permissions::from_mode(0o666))?;
        listener.set_nonblocking(true)?;
        Ok(Self { folder, listener })
    }

    fn path(&self, name: &str) -> PathBuf {
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
