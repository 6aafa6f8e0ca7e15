//! A test suite in two containers: the second joins the network of the first, and both show the volumes of a third, which never
//! runs, for what they share.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use bollard::models::Mount;
use nix::errno::Errno;
use tempfile::TempDir;

use super::asked::{self, SOCKET, StartupFolder};
use super::container::{PACKAGES, put, stage_of};
use super::engine::ContainerEngine;
use super::options::{ContainerOptions, EMPTY, MESSAGES, bind, scratch, volume};
use super::owner::OwnerProcess;
use super::pack;
use crate::image::Image;
use crate::layout::{
    DOOR, ENVIRONMENT, INSIDE, PROGRAMS, SOLUTION_LIMIT, SUITE, SUITE_ENVIRONMENT, WORKSPACE, disk_size,
};
use crate::protocol::{WorkerReply, WorkerRequest};
use crate::suite::{Suite, SuiteObservation};
use crate::suite_spec::SuiteJob;
use crate::worker_channel::{GRACE, WorkerChannel};
use crate::worker_program::WorkerFiles;
use crate::{Error, Limits, handover};

/// The name of the socket that launchers are shown, in a folder of this machine.
const LAUNCHERS: &str = "launchers";

/// What both containers are made of.
pub(super) struct Rooms<'a> {
    pub(super) engine: &'a ContainerEngine,
    pub(super) image: &'a Image,
    pub(super) program: &'a WorkerFiles,
    /// As a tar file.
    pub(super) solution: &'a File,
    /// The packages that it declares.
    pub(super) environment: Option<&'a Path>,
    /// By settled paths.
    pub(super) suite: &'a Suite,
}

impl Rooms<'_> {
    /// Opens the rooms, runs the suite's program, and closes them.
    pub(super) fn play(&self, argv: Vec<String>) -> Result<SuiteObservation, Error> {
        // Their folders are this machine's.
        if !self.engine.host().starts_with("unix://") {
            return Err(Error::Remote { host: self.engine.host().to_owned() });
        }
        let Suite { env, limits, .. } = self.suite;
        let owner = OwnerProcess::this();
        let (folder, launchers) = door().map_err(|error| Error::setup("listen to launchers", error))?;
        let stage = stage_of(self.engine, self.image, &owner, self.volumes(&owner))?;
        let suites = self.suites_mounts(bind(&folder.path().join(LAUNCHERS), DOOR, true));
        let (mut suite_room, id) = self.start(&owner, stage.id(), suites, None)?;
        let wrong = |error: io::Error| Error::Engine { step: "pack its files".into(), cause: error.to_string() };
        // Only now: the memory of the volume is there while a running container uses it.
        put(self.engine, stage.id(), WORKSPACE, pack::chunks(self.solution).map_err(wrong)?)?;
        let (mut solution_room, _) = self.start(&owner, stage.id(), self.shared_mounts(), Some(id))?;
        drop((stage, folder));

        let (suites_end, solutions_end) =
            UnixStream::pair().map_err(|error| Error::setup("make a line between its rooms", error))?;
        let has_environment = self.environment.is_some();
        solution_room.tell(&WorkerRequest::KeepRoom { limits: *limits, has_environment })?;
        hand(&solution_room, &solutions_end)?;
        hand(&solution_room, &launchers)?;
        let job = SuiteJob { argv, env: env.clone(), limits: *limits, has_environment };
        suite_room.tell(&WorkerRequest::PlaySuiteHere(job))?;
        hand(&suite_room, &suites_end)?;
        drop((suites_end, solutions_end, launchers));
        let played = suite_room.hear(limits.wall.saturating_add(GRACE));
        drop(suite_room);
        // What went wrong there, if anything did, is why the suite's room knows no more.
        let kept = solution_room.hear(GRACE);
        match (played, kept) {
            (Ok(WorkerReply::Played(observation)), _) => Ok(observation),
            (Ok(other), _) => Err(solution_room.nonsense(&other)),
            (Err(Error::Setup { .. }), Err(error @ Error::Setup { .. })) | (Err(error), _) => Err(error),
        }
    }

    fn start(
        &self,
        owner: &OwnerProcess,
        stage: &str,
        mounts: Vec<Mount>,
        joins: Option<String>,
    ) -> Result<(WorkerChannel, String), Error> {
        let startup = tempfile::tempdir().and_then(|folder| StartupFolder::new(folder, &[]));
        let startup = startup.map_err(|error| Error::setup("make a socket for its container", error))?;
        let Limits { memory, disk, processes, .. } = self.suite.limits;
        let socket = format!("{PROGRAMS}/{SOCKET}");
        let own = self.program.files.iter().map(|(name, path)| bind(path, &format!("{PROGRAMS}/{name}"), true));
        let packages = self.environment.map(|path| bind(path, ENVIRONMENT, true));
        let tmpfs = [("/dev/shm", scratch(disk, (INSIDE, INSIDE)))].map(|(folder, options)| (folder, options));
        let empty = [PACKAGES, MESSAGES].map(|folder| (folder, EMPTY.to_owned()));
        let body = ContainerOptions {
            image: self.image,
            owner,
            user: format!("{INSIDE}:{INSIDE}"),
            command: self.program.command(),
            arguments: vec![socket.clone()],
            mounts: own.chain([bind(&startup.path(SOCKET), &socket, true)]).chain(packages).chain(mounts).collect(),
            volumes_from: vec![stage.to_owned()],
            tmpfs: tmpfs
                .into_iter()
                .chain(empty)
                .map(|(folder, options)| (folder.to_owned(), options))
                .collect::<HashMap<_, _>>(),
            memory: memory.saturating_mul(2).saturating_add(disk.saturating_mul(3)).saturating_add(SOLUTION_LIMIT),
            processes,
            joins,
        };
        // Each channel keeps its own connection, as it outlives this call.
        asked::start(ContainerEngine::connect()?, body.request(), startup)
    }

    /// What both write to: memory. The solution's copy comes on top of what they may.
    fn volumes(&self, owner: &OwnerProcess) -> Vec<Mount> {
        let disk = self.suite.limits.disk;
        let sizes = [(WORKSPACE, disk.saturating_add(SOLUTION_LIMIT)), ("/tmp", disk)];
        let options = |bytes| {
            let (bytes, names) = disk_size(bytes);
            format!("size={bytes},nr_inodes={names},mode=0755,uid={INSIDE},gid={INSIDE},nosuid,nodev")
        };
        sizes.map(|(folder, bytes)| volume(folder, owner, Some(options(bytes)))).into()
    }

    fn suites_mounts(&self, door: Mount) -> Vec<Mount> {
        let Suite { folder, environment, .. } = self.suite;
        vec![bind(folder, SUITE, true), bind(environment, SUITE_ENVIRONMENT, true), door]
    }

    fn shared_mounts(&self) -> Vec<Mount> {
        let shared = self.suite.shared.iter();
        shared.map(|path| bind(&self.suite.folder.join(path), &format!("{SUITE}/{}", path.display()), true)).collect()
    }
}

/// A socket for launchers, in a folder that goes once it is shown.
fn door() -> io::Result<(TempDir, UnixListener)> {
    let folder = tempfile::tempdir()?;
    let listener = asked::listen(folder.path(), LAUNCHERS)?;
    Ok((folder, listener))
}

fn hand(room: &WorkerChannel, descriptor: &impl AsFd) -> Result<(), Error> {
    let line = room.input.as_ref().ok_or(Errno::EPIPE);
    line.and_then(|line| handover::send(line, descriptor.as_fd()))
        .map_err(|errno| Error::setup("hand over its line", errno))
}
