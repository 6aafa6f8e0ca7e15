//! One container: what it is made of, how it is started and asked, and that it goes.

use std::collections::HashMap;
use std::pin::Pin;
use std::time::Duration;

use bollard::container::LogOutput;
use bollard::errors::Error as Refusal;
use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigCgroupnsModeEnum, HostConfigLogConfig, Mount, MountType,
    MountVolumeOptions, ResourcesUlimits, VolumeCreateRequest,
};
use bollard::query_parameters as query;
use futures_util::{Stream, StreamExt};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::engine::{Engine, Image};
use super::owner::{LABEL, Owner};
use crate::worker::{INSIDE, Reply, Request, SCRATCH, SOLUTION_LIMIT};
use crate::{Error, Limits, wire};

/// Where the worker lies in a container.
const WORKER_FOLDER: &str = "/slopbench";

/// The worker's name there.
const WORKER: &str = "slopbench-sandbox";

/// Where the solution lies.
pub(super) const SOLUTION: &str = "/solution";

/// Folders that are shown empty: packages that come with the image, and a place for messages that outlive processes.
const EMPTY: [&str; 2] = ["/usr/lib/python3/dist-packages", "/dev/mqueue"];

/// How much more memory than the task's a container may take before the kernel steps in: the worker's own, and what a
/// program can grab between two looks at it. The limit itself is kept by the worker, the same in every back end.
const MARGIN: u64 = 1 << 30;

/// Beyond this, a limit of memory means none.
const UNLIMITED: u64 = 1 << 60;

/// The kernel's own limit on process numbers; it refuses a larger one.
const MOST_TASKS: i64 = 1 << 22;

/// How long starting may take.
const STARTING: Duration = Duration::from_secs(60);

/// What of the limits is built into a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    memory: u64,
    processes: u32,
    disk: u64,
}

impl Size {
    pub(super) fn of(limits: &Limits) -> Self {
        Self { memory: limits.memory, processes: limits.processes, disk: limits.disk }
    }
}

/// A running container with a worker in it.
pub(super) struct Container {
    remains: Remains,
    pub(super) size: Size,
    input: Option<Pin<Box<dyn AsyncWrite + Send>>>,
    output: Pin<Box<dyn Stream<Item = Result<LogOutput, Refusal>> + Send>>,
    heard: Vec<u8>,
    /// What it said on standard error: nothing, unless it is broken.
    complaint: Vec<u8>,
}

impl Container {
    /// Makes a container for tasks of this size, and starts it.
    pub(super) fn start(
        engine: &Engine,
        image: &Image,
        owner: &Owner,
        size: Size,
        worker: &[u8],
        solution: &[u8],
    ) -> Result<Self, Error> {
        // Whatever goes wrong takes along what is there already.
        let mut pending = Pending { engine, remains: Remains::default() };
        let volume = engine.wait("create a volume", engine.docker.create_volume(memory_volume(owner)))?.name;
        pending.remains.volume = Some(volume.clone());
        let body = body(image, owner, size, &volume);
        let id = create(engine, body)?;
        pending.remains.container = Some(id.clone());
        let wrong = |error: std::io::Error| Error::Engine { step: "pack the worker".into(), cause: error.to_string() };
        put(engine, &id, WORKER_FOLDER, super::pack::program(WORKER, worker).map_err(wrong)?)?;
        let attached = query::AttachContainerOptionsBuilder::default();
        let attached = attached.stream(true).stdin(true).stdout(true).stderr(true).build();
        let streams = engine.wait("attach to its container", engine.docker.attach_container(&id, Some(attached)))?;
        let start = engine.docker.start_container(&id, None::<query::StartContainerOptions>);
        engine.wait("start its container", start)?;
        // Only now: the memory of the volume is there while a running container uses it.
        stage(engine, image, owner, &volume, solution)?;
        let (input, output) = (Some(streams.input), streams.output);
        let remains = Remains::default();
        let mut container = Self { remains, size, input, output, heard: Vec::new(), complaint: Vec::new() };
        match container.ask(engine, &Request::Enter, STARTING)? {
            Reply::Opened => {}
            other => return Err(container.lost(&format!("it answered another question: {other:?}"))),
        }
        std::mem::swap(&mut container.remains, &mut pending.remains);
        Ok(container)
    }

    /// Asks the worker, and waits for the answer. After an [`Error::WorkerLost`], the container is of no use.
    pub(super) fn ask(&mut self, engine: &Engine, request: &Request, patience: Duration) -> Result<Reply, Error> {
        let mut question = Vec::new();
        wire::write(&mut question, request).map_err(|error| Error::Task(error.to_string()))?;
        let answer = engine.block_on(async {
            let answer = async {
                let input = self.input.as_mut().ok_or("it was lost before")?;
                input.write_all(&question).await.map_err(|error| format!("it does not listen: {error}"))?;
                input.flush().await.map_err(|error| format!("it does not listen: {error}"))?;
                self.listen().await
            };
            timeout(patience, answer).await
        });
        match answer {
            Ok(Ok(reply)) => reply,
            Ok(Err(cause)) => Err(self.lost(&cause)),
            Err(_) => Err(self.lost(&format!("no answer in {} seconds", patience.as_secs()))),
        }
    }

    async fn listen(&mut self) -> Result<Result<Reply, Error>, String> {
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
    pub(super) fn end(mut self, engine: &Engine) -> Result<(), Error> {
        self.input = None;
        self.remains.remove(engine)
    }
}

/// What has to be removed.
#[derive(Default)]
struct Remains {
    container: Option<String>,
    volume: Option<String>,
}

impl Remains {
    fn remove(&mut self, engine: &Engine) -> Result<(), Error> {
        let container = self.container.take().map_or(Ok(()), |id| engine.remove_container(&id));
        container.and(self.volume.take().map_or(Ok(()), |name| engine.remove_volume(&name)))
    }
}

/// What nobody answers for yet. Removed when this goes, unless it was taken out.
struct Pending<'a> {
    engine: &'a Engine,
    remains: Remains,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        // The error that led here says more.
        let _ = self.remains.remove(self.engine);
    }
}

fn create(engine: &Engine, body: ContainerCreateBody) -> Result<String, Error> {
    let created = engine.docker.create_container(None::<query::CreateContainerOptions>, body);
    Ok(engine.wait("create a container", created)?.id)
}

fn put(engine: &Engine, container: &str, folder: &str, tar: Vec<u8>) -> Result<(), Error> {
    let options = query::UploadToContainerOptionsBuilder::default().path(folder).build();
    let upload = engine.docker.upload_to_container(container, Some(options), bollard::body_full(tar.into()));
    engine.wait(&format!("put files into {folder}"), upload)
}

/// Puts the solution into its volume, through a second container that never runs: the first one may only read it.
fn stage(engine: &Engine, image: &Image, owner: &Owner, volume: &str, solution: &[u8]) -> Result<(), Error> {
    let body = ContainerCreateBody {
        image: Some(image.name.clone()),
        cmd: Some(vec!["/bin/false".into()]),
        labels: Some(labels(owner)),
        host_config: Some(HostConfig {
            network_mode: Some("none".into()),
            mounts: Some(vec![mount(SOLUTION, Some(volume), false)]),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    };
    let remains = Remains { container: Some(create(engine, body)?), volume: None };
    let pending = Pending { engine, remains };
    put(engine, pending.remains.container.as_deref().unwrap_or_default(), SOLUTION, solution.to_vec())
}

fn labels(owner: &Owner) -> HashMap<String, String> {
    HashMap::from([(LABEL.to_owned(), owner.label())])
}

/// The container as the engine is asked for it.
fn body(image: &Image, owner: &Owner, size: Size, volume: &str) -> ContainerCreateBody {
    ContainerCreateBody {
        image: Some(image.name.clone()),
        entrypoint: Some(vec![format!("{WORKER_FOLDER}/{WORKER}")]),
        cmd: Some(vec!["contained".into()]),
        user: Some(format!("{INSIDE}:{INSIDE}")),
        hostname: Some("sandbox".into()),
        working_dir: Some("/".into()),
        labels: Some(labels(owner)),
        // The worker's input ends when the harness does, and the worker with it.
        open_stdin: Some(true),
        stdin_once: Some(true),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        host_config: Some(locks(owner, size, volume)),
        ..ContainerCreateBody::default()
    }
}

/// A volume that is memory: what lies there is listed in the same order on every machine, and gone with the container.
fn memory_volume(owner: &Owner) -> VolumeCreateRequest {
    let options = [
        ("type", "tmpfs".to_owned()),
        ("device", "tmpfs".to_owned()),
        ("o", format!("size={SOLUTION_LIMIT},mode=0755,uid={INSIDE},gid={INSIDE},nosuid,nodev")),
    ];
    VolumeCreateRequest {
        driver: Some("local".into()),
        driver_opts: Some(options.map(|(name, value)| (name.to_owned(), value)).into()),
        labels: Some(labels(owner)),
        ..VolumeCreateRequest::default()
    }
}

/// Shows a volume; one without a name is made with the container and goes with it.
fn mount(target: &str, volume: Option<&str>, read_only: bool) -> Mount {
    Mount {
        typ: Some(MountType::VOLUME),
        source: volume.map(str::to_owned),
        target: Some(target.into()),
        read_only: Some(read_only),
        ..Mount::default()
    }
}

/// All that keeps a container in its place.
fn locks(owner: &Owner, size: Size, volume: &str) -> HostConfig {
    // The worker's is root's, and nobody in there is root.
    let worker = Mount {
        volume_options: Some(MountVolumeOptions { labels: Some(labels(owner)), ..MountVolumeOptions::default() }),
        ..mount(WORKER_FOLDER, None, false)
    };
    let scratch = scratch_options(size);
    let memory = size.memory.saturating_mul(2).saturating_add(size.disk.saturating_mul(3)).saturating_add(MARGIN);
    // Zero is an engine's word for none.
    let memory = i64::try_from(memory).ok().filter(|_| memory < UNLIMITED).unwrap_or(0);
    let tasks = i64::from(size.processes).saturating_mul(4).saturating_add(65).min(MOST_TASKS);
    let no_core = ResourcesUlimits { name: Some("core".into()), soft: Some(0), hard: Some(0) };
    HostConfig {
        auto_remove: Some(true),
        readonly_rootfs: Some(true),
        cap_drop: Some(vec!["ALL".into()]),
        security_opt: Some(vec!["no-new-privileges".into()]),
        network_mode: Some("none".into()),
        ipc_mode: Some("private".into()),
        cgroupns_mode: Some(HostConfigCgroupnsModeEnum::PRIVATE),
        mounts: Some(vec![worker, mount(SOLUTION, Some(volume), true)]),
        tmpfs: Some(
            SCRATCH
                .iter()
                .map(|folder| ((*folder).to_owned(), scratch.clone()))
                .chain(EMPTY.map(|folder| (folder.to_owned(), "ro,nosuid,nodev,size=4k,mode=0555".into())))
                .collect(),
        ),
        memory: Some(memory),
        memory_swap: Some(memory),
        pids_limit: Some(tasks),
        ulimits: Some(vec![no_core]),
        // Connections that were closed would keep their ports from the next task for a minute.
        sysctls: Some(HashMap::from([("net.ipv4.tcp_max_tw_buckets".to_owned(), "0".to_owned())])),
        // What the worker says is for us; a log on the engine's disk would grow with each task.
        log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
        ..HostConfig::default()
    }
}

/// The mount options of the folders that a task may write to, each as large as all of them may be together; the sum is
/// looked at by the worker.
fn scratch_options(size: Size) -> String {
    let (disk, names) = crate::worker::disk_size(size.disk);
    format!("rw,exec,nosuid,nodev,size={disk},nr_inodes={names},mode=0755,uid={INSIDE},gid={INSIDE}")
}
