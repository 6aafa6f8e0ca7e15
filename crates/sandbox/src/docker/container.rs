//! A container for tasks: how it is started and asked, and that it goes.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use bollard::container::LogOutput;
use bollard::errors::Error as EngineError;
use bollard::models::{ContainerCreateBody, HostConfig, Mount};
use bollard::query_parameters as query;
use futures_util::{Stream, StreamExt, stream};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::engine::ContainerEngine;
use super::options::{ContainerOptions, EMPTY, MESSAGES, STARTING, bind, labels, scratch, volume};
use super::owner::OwnerProcess;
use super::pending::PendingContainer;
use crate::image::Image;
use crate::layout::{ENVIRONMENT, INSIDE, PROGRAMS, SCRATCH, SOLUTION_LIMIT};
use crate::protocol::{WorkerReply, WorkerRequest};
use crate::worker_program::WorkerFiles;
use crate::{Error, Limits, wire};

/// Where the solution lies.
pub(super) const SOLUTION: &str = "/solution";

/// Packages that come with the image, which no solution sees.
pub(super) const PACKAGES: &str = "/usr/lib/python3/dist-packages";

/// What of the limits is built into a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContainerLimits {
    memory: u64,
    processes: u32,
    disk: u64,
}

impl ContainerLimits {
    pub(super) fn of(limits: &Limits) -> Self {
        Self { memory: limits.memory, processes: limits.processes, disk: limits.disk }
    }
}

/// What a container shows beside its image.
pub(super) struct Shown<'a> {
    pub(super) program: &'a WorkerFiles,
    /// As tar files, each to be put into its folder.
    pub(super) folders: &'a [(&'static str, &'a File)],
    /// A folder of this machine.
    pub(super) environment: Option<&'a Path>,
}

/// A running container with a worker in it.
pub(super) struct Container {
    id: String,
    pub(super) size: ContainerLimits,
    input: Option<Pin<Box<dyn AsyncWrite + Send>>>,
    output: Pin<Box<dyn Stream<Item = Result<LogOutput, EngineError>> + Send>>,
    heard: Vec<u8>,
    /// What it said on standard error: nothing, unless it is broken.
    complaint: Vec<u8>,
}

impl Container {
    /// Makes a container for tasks of this size, and starts it.
    pub(super) fn start(
        engine: &ContainerEngine,
        image: &Image,
        owner: &OwnerProcess,
        size: ContainerLimits,
        shown: &Shown<'_>,
    ) -> Result<Self, Error> {
        // Whatever goes wrong takes along what is there already.
        let stage = stage(engine, image, owner, shown.folders)?;
        let id = engine.create(size.body(image, owner, stage.id(), shown).request())?;
        let pending = PendingContainer { engine, id: Some(id.clone()) };
        let wrong = |error: std::io::Error| Error::Engine { step: "pack its files".into(), cause: error.to_string() };
        put(engine, &id, PROGRAMS, std::iter::once(super::pack::programs(&shown.program.files)))?;
        let attached = query::AttachContainerOptionsBuilder::default();
        let attached = attached.stream(true).stdin(true).stdout(true).stderr(true).build();
        let streams = engine.wait("attach to its container", engine.docker.attach_container(&id, Some(attached)))?;
        engine.start(&id)?;
        // Only now: the memory of the volume is there while a running container uses it.
        for (folder, tar) in shown.folders {
            put(engine, stage.id(), folder, super::pack::chunks(tar).map_err(wrong)?)?;
        }
        drop(stage);
        let (input, output) = (Some(streams.input), streams.output);
        let mut container = Self { id, size, input, output, heard: Vec::new(), complaint: Vec::new() };
        let enter = WorkerRequest::Enter { has_environment: shown.environment.is_some() };
        match container.ask(engine, &enter, STARTING)? {
            WorkerReply::Opened => {}
            other => return Err(container.lost(&format!("it answered another question: {other:?}"))),
        }
        pending.keep();
        Ok(container)
    }

    /// Asks the worker, and waits for the answer. After an [`Error::WorkerLost`], the container is of no use.
    pub(super) fn ask(
        &mut self,
        engine: &ContainerEngine,
        request: &WorkerRequest,
        time_limit: Duration,
    ) -> Result<WorkerReply, Error> {
        let mut question = Vec::new();
        wire::write(&mut question, request).map_err(|error| Error::Task(error.to_string()))?;
        let answer = engine.block_on(async {
            let answer = async {
                let input = self.input.as_mut().ok_or("it was lost before")?;
                input.write_all(&question).await.map_err(|error| format!("it does not listen: {error}"))?;
                input.flush().await.map_err(|error| format!("it does not listen: {error}"))?;
                self.listen().await
            };
            timeout(time_limit, answer).await
        });
        match answer {
            Ok(Ok(reply)) => reply,
            Ok(Err(cause)) => Err(self.lost(&cause)),
            Err(_) => Err(self.lost(&format!("no answer in {} seconds", time_limit.as_secs()))),
        }
    }

    async fn listen(&mut self) -> Result<Result<WorkerReply, Error>, String> {
        loop {
            if let Some(reply) = wire::take(&mut self.heard).map_err(|error| format!("its answer is none: {error}"))? {
                return Ok(reply);
            }
            match self.output.next().await {
                Some(Ok(LogOutput::StdErr { message })) => self.complaint.extend_from_slice(&message),
                Some(Ok(output)) => self.heard.extend_from_slice(&output.into_bytes()),
                Some(Err(error)) => return Err(format!("the engine broke off: {error}")),
                None => return Err("its container ended".into()),
            }
        }
    }

    fn lost(&mut self, cause: &str) -> Error {
        self.input = None;
        let said = String::from_utf8_lossy(&self.complaint).trim().to_owned();
        let said = if said.is_empty() { String::new() } else { format!(" ({said})") };
        Error::WorkerLost { cause: format!("{cause}{said}") }
    }

    /// Ends the container: the worker ends with its input, and the engine removes what has ended.
    pub(super) fn end(mut self, engine: &ContainerEngine) -> Result<(), Error> {
        self.input = None;
        engine.remove_container(&self.id)
    }
}

impl ContainerLimits {
    /// The container as the engine is asked for it.
    fn body<'a>(
        self,
        image: &'a Image,
        owner: &'a OwnerProcess,
        stage: &str,
        shown: &Shown<'_>,
    ) -> ContainerOptions<'a> {
        // Each of the folders that a task may write to is as large as all of them may be together; the sum is looked at by
        // the worker.
        let scratch = scratch(self.disk, (INSIDE, INSIDE));
        let tmpfs = SCRATCH.map(|folder| (folder, scratch.as_str()));
        let empty = [PACKAGES, MESSAGES].map(|folder| (folder, EMPTY));
        let environment = shown.environment.map(|folder| bind(folder, ENVIRONMENT, true));
        let owned = |(folder, options): (&str, &str)| (folder.to_owned(), options.to_owned());
        ContainerOptions {
            image,
            owner,
            user: format!("{INSIDE}:{INSIDE}"),
            command: shown.program.command(),
            arguments: Vec::new(),
            // The worker's is root's, and nobody in there is root.
            mounts: [volume(PROGRAMS, owner, None)].into_iter().chain(environment).collect(),
            volumes_from: vec![format!("{stage}:ro")],
            tmpfs: tmpfs.into_iter().chain(empty).map(owned).collect::<HashMap<_, _>>(),
            memory: self.memory.saturating_mul(2).saturating_add(self.disk.saturating_mul(3)),
            processes: self.processes,
            joins: None,
        }
    }
}

pub(super) fn put(
    engine: &ContainerEngine,
    container: &str,
    folder: &str,
    tar: impl Iterator<Item = io::Result<Vec<u8>>> + Send + 'static,
) -> Result<(), Error> {
    let options = query::UploadToContainerOptionsBuilder::default().path(folder).build();
    let body = bollard::body_try_stream(stream::iter(tar.map(|chunk| chunk.map(Into::into))));
    let upload = engine.docker.upload_to_container(container, Some(options), body);
    engine.wait(&format!("put files into {folder}"), upload)
}

/// A container that never runs, through which a solution and its assets are put into volumes: the one that runs may only read
/// there. They are memory: what lies there is listed in the same order on every machine. They have no names, and go with the
/// last of the two.
fn stage<'a>(
    engine: &'a ContainerEngine,
    image: &Image,
    owner: &OwnerProcess,
    folders: &[(&'static str, &File)],
) -> Result<PendingContainer<'a>, Error> {
    let memory = format!("size={SOLUTION_LIMIT},mode=0755,uid={INSIDE},gid={INSIDE},nosuid,nodev");
    let volumes = folders.iter().map(|(folder, _)| volume(folder, owner, Some(memory.clone())));
    stage_of(engine, image, owner, volumes.collect())
}

/// A container that never runs, whose volumes others show.
pub(super) fn stage_of<'a>(
    engine: &'a ContainerEngine,
    image: &Image,
    owner: &OwnerProcess,
    volumes: Vec<Mount>,
) -> Result<PendingContainer<'a>, Error> {
    let id = engine.create(ContainerCreateBody {
        image: Some(image.name.clone()),
        cmd: Some(vec!["/bin/false".into()]),
        labels: Some(labels(owner)),
        host_config: Some(HostConfig {
            network_mode: Some("none".into()),
            mounts: Some(volumes),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    })?;
    Ok(PendingContainer { engine, id: Some(id) })
}
