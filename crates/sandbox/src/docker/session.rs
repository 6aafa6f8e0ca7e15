//! A container for a session: all that it shows is an image and this machine's own folders, and its worker is asked
//! through a socket among them, by which it also hands out the listener. The engine is not needed while it works.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use bollard::models::ContainerCreateBody;
use nix::unistd::{Gid, Uid, getegid, geteuid};

use super::about::EngineInfo;
use super::asked::{self, SOCKET, StartupFolder};
use super::engine::ContainerEngine;
use super::options::{ContainerOptions, EMPTY, MESSAGES, bind, scratch};
use super::owner::OwnerProcess;
use crate::Error;
use crate::folder;
use crate::image::Image;
use crate::layout::{ASSETS, ENVIRONMENT, HOME, INSTALLATION, PROGRAMS, WORKSPACE};
use crate::session_spec::{MOST_MEMORY, MOST_PROCESSES, SessionSpec};
use crate::worker::{dedicated, give_away};
use crate::worker_channel::WorkerChannel;
use crate::worker_program::WorkerFiles;

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
    // Beside the session's output, so that it goes with that if this process is killed.
    let folder = tempfile::tempdir_in(spec.stdout.parent().unwrap_or(Path::new("/")));
    let startup = folder.and_then(|folder| StartupFolder::new(folder, &user.names()));
    let startup = startup.map_err(|error| Error::setup("make a socket for its container", error))?;
    let body = user.request(&startup, spec, image, &OwnerProcess::this(), &program);
    let (channel, _) = asked::start(engine, body, startup)?;
    Ok((channel, user.ownership(spec)))
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
        let socket = format!("{PROGRAMS}/{SOCKET}");
        let mut mounts = vec![
            bind(&startup.path(SOCKET), &socket, true),
            bind(&spec.workspace, WORKSPACE, false),
            bind(&spec.home, HOME, false),
        ];
        mounts.extend(program.files.iter().map(|(name, path)| bind(path, &format!("{PROGRAMS}/{name}"), true)));
        mounts.extend(self.names().map(|(name, _)| bind(&startup.path(name), &format!("/etc/{name}"), true)));
        mounts.extend(spec.installation.iter().map(|folder| bind(folder, INSTALLATION, true)));
        mounts.extend(spec.assets.iter().map(|folder| bind(folder, ASSETS, true)));
        mounts.extend(spec.environment.iter().map(|folder| bind(folder, ENVIRONMENT, true)));
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
            joins: None,
        }
        .request()
    }
}
