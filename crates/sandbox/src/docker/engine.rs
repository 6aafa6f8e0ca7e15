//! A container engine that speaks Docker's API, asked one thing at a time.

use std::collections::HashMap;
use std::future::Future;
use std::os::unix::net::UnixStream;
use std::panic;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use bollard::Docker;
use bollard::errors::Error as EngineError;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters as query;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::about::EngineInfo;
use super::host;
use super::owner::{LABEL, OwnerProcess};
use crate::Error;

/// How long the engine may take for one thing, loading an image aside.
const TIMEOUT: Duration = Duration::from_secs(120);

/// How long an engine that answered before may be away, and how long to wait before it is asked again.
const RESTARTING: Duration = Duration::from_secs(60);
const RETRY: Duration = Duration::from_millis(200);

/// How often a volume in use is tried again, and how long to wait in between.
const IN_USE: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// A connection to an engine.
#[derive(Debug)]
pub struct ContainerEngine {
    pub(super) docker: Docker,
    /// Of a runtime on a thread of its own: whoever has this may be in a runtime itself, whose threads may neither wait
    /// for another one nor see it end.
    runtime: Handle,
    /// Ends that thread when it goes.
    _life: oneshot::Sender<()>,
    host: String,
}

impl ContainerEngine {
    /// Connects to the engine that `DOCKER_HOST` names (`unix://` or `tcp://`, without TLS), or else to the first socket
    /// found: Docker's, an ordinary user's own Docker's or Podman's, Podman's. One that this process found before is waited
    /// for, as it may be restarting.
    ///
    /// # Errors
    ///
    /// [`Error::NoEngine`] if none answers.
    pub fn connect() -> Result<Self, Error> {
        static FOUND: Mutex<Option<String>> = Mutex::new(None);
        let found = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let known = found().clone();
        let until = Instant::now() + if known.is_some() { RESTARTING } else { Duration::ZERO };
        let host = known.unwrap_or_else(look_around);
        loop {
            match Self::at(&host) {
                Err(_) if Instant::now() < until => thread::sleep(RETRY),
                Err(error) => return Err(error),
                Ok(engine) => {
                    *found() = Some(host);
                    return Ok(engine);
                }
            }
        }
    }

    fn at(host: &str) -> Result<Self, Error> {
        let no = |cause: String| Error::NoEngine { host: host.to_owned(), cause };
        let (runtime, life) = start_runtime().map_err(|error| no(error.to_string()))?;
        let answer = wait_for(&runtime, async {
            let docker = Docker::connect_with_host(host)?;
            timeout(TIMEOUT, docker.negotiate_version()).await.map_err(|_| EngineError::RequestTimeoutError)?
        });
        let docker = answer.map_err(|error| no(chain(&error)))?;
        Ok(Self { docker, runtime, _life: life, host: host.to_owned() })
    }

    /// What kind of engine it is, if sandboxes can be in its containers.
    ///
    /// # Errors
    ///
    /// [`Error::Unfit`] if not; [`Error::Engine`].
    pub fn fit(&self) -> Result<EngineInfo, Error> {
        let about = self.about()?;
        if let Some(lack) = about.lacks() {
            let (host, engine) = (self.host.clone(), about.to_string());
            return Err(Error::Unfit { host, engine, lack: lack.to_owned() });
        }
        Ok(about)
    }

    /// Where it listens, as a URL.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What kind of engine it is.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`].
    pub fn about(&self) -> Result<EngineInfo, Error> {
        let version = self.wait("say its version", self.docker.version())?;
        let info = self.wait("describe itself", self.docker.info())?;
        let names = || version.components.iter().flatten().map(|component| component.name.as_str());
        let is_rootless = info.security_options.iter().flatten().any(|option| option.contains("rootless"));
        Ok(EngineInfo {
            is_podman: names().any(|name| name.contains("Podman")),
            is_rootless,
            has_limits: info.pids_limit == Some(true) && info.memory_limit == Some(true),
            version: version.version.unwrap_or_default(),
        })
    }

    /// Removes containers and volumes of harnesses that are dead, as a SIGKILL or a restart of the engine leaves them.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`] if they cannot be listed. One that cannot be removed may be in another's hands just now, and is
    /// left.
    fn sweep(&self, this: &OwnerProcess) -> Result<(), Error> {
        let filters = HashMap::from([("label".to_owned(), vec![LABEL.to_owned()])]);
        let dead =
            |labels: &HashMap<String, String>| labels.get(LABEL).is_some_and(|label| this.knows_to_be_dead(label));
        let options = query::ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
        let containers = self.wait("list containers", self.docker.list_containers(Some(options)))?;
        for container in containers.iter().filter(|found| found.labels.as_ref().is_some_and(dead)) {
            let _ = self.remove_container(container.id.as_deref().unwrap_or_default());
        }
        let options = query::ListVolumesOptionsBuilder::default().filters(&filters).build();
        let volumes = self.wait("list volumes", self.docker.list_volumes(Some(options)))?;
        for volume in volumes.volumes.unwrap_or_default().iter().filter(|found| dead(&found.labels)) {
            let _ = self.remove_volume(&volume.name);
        }
        Ok(())
    }

    /// The same, once in a process's life.
    pub(super) fn sweep_once(&self, this: &OwnerProcess) -> Result<(), Error> {
        static SWEPT: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if !swept.contains(&self.host) {
            self.sweep(this)?;
            swept.push(self.host.clone());
        }
        Ok(())
    }

    pub(super) fn create(&self, body: ContainerCreateBody) -> Result<String, Error> {
        let created = self.docker.create_container(None::<query::CreateContainerOptions>, body);
        Ok(self.wait("create a container", created)?.id)
    }

    pub(super) fn start(&self, id: &str) -> Result<(), Error> {
        let started = self.docker.start_container(id, None::<query::StartContainerOptions>);
        self.wait("start its container", started)
    }

    /// Whether a container runs. One that has ended may be gone.
    pub(super) fn runs(&self, id: &str) -> bool {
        let found = self.docker.inspect_container(id, None::<query::InspectContainerOptions>);
        let found = self.wait("look at a container", found);
        found.ok().and_then(|found| found.state?.running).unwrap_or(false)
    }

    /// Kills a container and removes it, and the volumes that have no name with it.
    pub(super) fn remove_container(&self, id: &str) -> Result<(), Error> {
        let options = query::RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        let removed = async {
            match self.docker.remove_container(id, Some(options)).await {
                // It is gone, or about to be: the engine removes it as soon as it ends.
                Err(EngineError::DockerResponseServerError { status_code: 404 | 409, .. }) => Ok(()),
                other => other,
            }
        };
        self.wait("remove a container", removed)
    }

    /// Removes a volume, as soon as the container that used it is gone.
    pub(super) fn remove_volume(&self, name: &str) -> Result<(), Error> {
        let removed = async {
            for _ in 0..IN_USE {
                match self.docker.remove_volume(name, None::<query::RemoveVolumeOptions>).await {
                    Err(EngineError::DockerResponseServerError { status_code: 409, .. }) => sleep(PAUSE).await,
                    Err(EngineError::DockerResponseServerError { status_code: 404, .. }) => return Ok(()),
                    other => return other,
                }
            }
            Ok(())
        };
        self.wait("remove a volume", removed)
    }

    /// Waits for an answer.
    pub(super) fn wait<T: Send>(
        &self,
        step: &str,
        answer: impl Future<Output = Result<T, EngineError>> + Send,
    ) -> Result<T, Error> {
        let wrong = |cause| Error::Engine { step: step.to_owned(), cause };
        // The timer needs the runtime's context already when it is made.
        let answer = self.block_on(async { timeout(TIMEOUT, answer).await });
        answer.map_err(|_| wrong(format!("no answer in {TIMEOUT:?}")))?.map_err(|error| wrong(chain(&error)))
    }

    /// Runs something that has a time limit of its own.
    pub(super) fn block_on<T: Send>(&self, future: impl Future<Output = T> + Send) -> T {
        wait_for(&self.runtime, future)
    }
}

/// Where an engine is, as a URL.
fn look_around() -> String {
    let variable = |name| env::var(name).ok();
    let (named, folder) = (variable("DOCKER_HOST"), variable("XDG_RUNTIME_DIR"));
    host::find(named.as_deref(), folder.as_deref(), |socket| UnixStream::connect(socket).is_ok())
}

fn start_runtime() -> io::Result<(Handle, oneshot::Sender<()>)> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let (life, end) = oneshot::channel();
    let drive = move || {
        // The error is the end that is waited for.
        let _ = runtime.block_on(end);
    };
    thread::Builder::new().name("engine".into()).spawn(drive)?;
    Ok((handle, life))
}

/// Waits for a future, on another thread where this one is in a runtime.
fn wait_for<T: Send>(runtime: &Handle, future: impl Future<Output = T> + Send) -> T {
    if Handle::try_current().is_err() {
        return runtime.block_on(future);
    }
    let waited = thread::scope(|scope| scope.spawn(|| runtime.block_on(future)).join());
    waited.unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// An error with its causes: bollard's own text leaves out what the socket said.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        if !text.contains(&error.to_string()) {
            text += &format!(": {error}");
        }
        cause = error.source();
    }
    text
}
