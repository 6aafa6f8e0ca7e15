//! A container engine that speaks Docker's API, asked one thing at a time.

use std::collections::HashMap;
use std::env;
use std::fs::File;
use std::future::Future;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bollard::Docker;
use bollard::errors::Error as Refusal;
use bollard::query_parameters as query;
use futures_util::{StreamExt, stream};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::owner::{LABEL, Owner};
use crate::Error;

/// How long the engine may take for one thing, loading an image aside.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long it may take to load an image.
const LOADING: Duration = Duration::from_secs(600);

/// How often a volume in use is tried again, and how long to wait in between.
const IN_USE: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// How much of an archive is sent at once.
const CHUNK: usize = 1 << 20;

/// Where engines listen if `DOCKER_HOST` is not set. The first is the system's; the others are an ordinary user's, below
/// their runtime folder, and Podman's.
const SOCKETS: [&str; 4] = [
    "/var/run/docker.sock",
    "$XDG_RUNTIME_DIR/docker.sock",
    "$XDG_RUNTIME_DIR/podman/podman.sock",
    "/run/podman/podman.sock",
];

/// An image, as an engine knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name that it was loaded under.
    pub name: String,
    /// The digests of its layers, unpacked, the lowest first.
    pub layers: Vec<String>,
}

/// A connection to an engine: Docker from 20.10 on, or Podman.
#[derive(Debug)]
pub struct Engine {
    pub(super) docker: Docker,
    runtime: Runtime,
    host: String,
}

impl Engine {
    /// Connects to the engine that `DOCKER_HOST` names (`unix://` or `tcp://`, without TLS), or else to the first socket
    /// found: Docker's, an ordinary user's own Docker's or Podman's, Podman's.
    ///
    /// # Errors
    ///
    /// [`Error::NoEngine`] if none answers.
    pub fn connect() -> Result<Self, Error> {
        let host = host();
        let no = |cause: String| Error::NoEngine { host: host.clone(), cause };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| no(error.to_string()))?;
        let answer = runtime.block_on(async {
            let docker = Docker::connect_with_host(&host)?;
            timeout(PATIENCE, docker.negotiate_version()).await.map_err(|_| Refusal::RequestTimeoutError)?
        });
        let docker = answer.map_err(|error| no(chain(&error)))?;
        Ok(Self { docker, runtime, host })
    }

    /// Where it listens, as a URL.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The engine's name and version, for people.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`].
    pub fn version(&self) -> Result<String, Error> {
        let version = self.wait("say its version", self.docker.version())?;
        let name = version.platform.map(|platform| platform.name).filter(|name| !name.is_empty());
        Ok(format!("{} {}", name.unwrap_or_else(|| "Docker".into()), version.version.unwrap_or_default()))
    }

    /// The newest image of a name, or of any tag of it.
    ///
    /// # Errors
    ///
    /// [`Error::NoImage`] if there is none; [`Error::Engine`].
    pub fn find_image(&self, name: &str) -> Result<Image, Error> {
        let filters = HashMap::from([("reference".to_owned(), vec![name.to_owned()])]);
        let options = query::ListImagesOptionsBuilder::default().filters(&filters).build();
        let found = self.wait("list images", self.docker.list_images(Some(options)))?;
        let newest = found.iter().flat_map(|image| &image.repo_tags).next();
        let name = newest.ok_or_else(|| Error::NoImage { name: name.to_owned(), cause: "none of its name".into() })?;
        let layers = self.wait("look at the image", self.docker.inspect_image(name))?.root_fs;
        Ok(Image { name: name.clone(), layers: layers.and_then(|root| root.layers).unwrap_or_default() })
    }

    /// Sees to it that the engine has this very image.
    ///
    /// # Errors
    ///
    /// [`Error::NoImage`].
    pub fn check(&self, image: &Image) -> Result<(), Error> {
        let no = |cause: String| Error::NoImage { name: image.name.clone(), cause };
        let found = self.wait("look at the image", self.docker.inspect_image(&image.name));
        let found = found.map_err(|error| no(error.to_string()))?;
        let layers = found.root_fs.and_then(|root| root.layers).unwrap_or_default();
        if layers != image.layers {
            return Err(no(format!("expected the layers {:?}, found {layers:?}", image.layers)));
        }
        Ok(())
    }

    /// Loads images from an archive in the form of `docker save`.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`].
    pub fn load(&self, archive: &Path) -> Result<(), Error> {
        let wrong = |cause: String| Error::Engine { step: format!("load {}", archive.display()), cause };
        let mut file = File::open(archive).map_err(|error| wrong(error.to_string()))?;
        let chunks = std::iter::from_fn(move || {
            let mut chunk = Vec::new();
            match file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk) {
                Ok(0) => None,
                Ok(_) => Some(Ok(chunk.into())),
                Err(error) => Some(Err(error)),
            }
        });
        let options = query::ImportImageOptionsBuilder::default().quiet(true).build();
        let answers = self.docker.import_image_stream(options, stream::iter(chunks), None);
        let answers = self.runtime.block_on(async { timeout(LOADING, answers.collect::<Vec<_>>()).await });
        let answers = answers.map_err(|_| wrong(format!("no answer in {LOADING:?}")))?;
        answers.into_iter().try_for_each(|answer| answer.map(drop)).map_err(|error| wrong(chain(&error)))
    }

    /// Removes containers and volumes of harnesses that are dead, as a SIGKILL or a restart of the engine leaves them.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`] if they cannot be listed. One that cannot be removed may be in another's hands just now, and is
    /// left.
    pub(super) fn sweep(&self, this: &Owner) -> Result<(), Error> {
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

    /// Kills a container and removes it, and the volumes that have no name with it.
    pub(super) fn remove_container(&self, id: &str) -> Result<(), Error> {
        let options = query::RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        let removed = async {
            match self.docker.remove_container(id, Some(options)).await {
                // It is gone, or about to be: the engine removes it as soon as it ends.
                Err(Refusal::DockerResponseServerError { status_code: 404 | 409, .. }) => Ok(()),
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
                    Err(Refusal::DockerResponseServerError { status_code: 409, .. }) => sleep(PAUSE).await,
                    Err(Refusal::DockerResponseServerError { status_code: 404, .. }) => return Ok(()),
                    other => return other,
                }
            }
            Ok(())
        };
        self.wait("remove a volume", removed)
    }

    /// Waits for an answer.
    pub(super) fn wait<T>(&self, step: &str, answer: impl Future<Output = Result<T, Refusal>>) -> Result<T, Error> {
        let wrong = |cause| Error::Engine { step: step.to_owned(), cause };
        // The timer needs the runtime's context already when it is made.
        let answer = self.runtime.block_on(async { timeout(PATIENCE, answer).await });
        answer.map_err(|_| wrong(format!("no answer in {PATIENCE:?}")))?.map_err(|error| wrong(chain(&error)))
    }

    /// Runs something that has a time limit of its own.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// The engine to connect to, as a URL.
fn host() -> String {
    if let Some(host) = env::var("DOCKER_HOST").ok().filter(|host| !host.is_empty()) {
        return host;
    }
    let folder = env::var("XDG_RUNTIME_DIR").unwrap_or_default();
    let sockets = SOCKETS.map(|socket| PathBuf::from(socket.replace("$XDG_RUNTIME_DIR", &folder)));
    let found = sockets.iter().find(|socket| socket.exists()).unwrap_or(&sockets[0]);
    format!("unix://{}", found.display())
}

/// An error with its causes: bollard's own text leaves out what the socket said.
fn chain(error: &dyn std::error::Error) -> String {
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
