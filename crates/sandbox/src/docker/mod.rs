//! Solutions in containers, through an engine that speaks Docker's API.
//!
//! A container costs some hundred milliseconds, a case has a tenth of that. So there is one container for each open sandbox,
//! not for each task, and the same worker as in [`Namespaces`](crate::Namespaces) is process 1 in it: it starts a task's
//! program, keeps the limits by the same samples, and so gives the same verdicts. Between two tasks it kills every
//! process but itself and empties everything that a program could write to. What it cannot make anew is named at
//! [`Docker`].
//!
//! A [session](crate::session) has a container of its own: [`session`]; a test [suite](crate::suite) has two: [`suite`].
//!
//! [`engine`] is the connection, [`host`] where to, [`about`] whether it will do, [`image`] what it has; [`options`] is what a container is made of,
//! [`container`] one for tasks, [`asked`] one whose worker is asked through a socket, [`pack`] what goes in, [`owner`] whose it is, [`pending`] whose it is not yet.

mod about;
mod asked;
mod container;
mod engine;
mod host;
mod image;
mod options;
mod owner;
mod pack;
mod pending;
mod session;
mod suite;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use container::{Container, ContainerLimits, Shown};
use owner::OwnerProcess;
use suite::Rooms;

pub use crate::image::Image;
pub use about::EngineInfo;
pub use engine::ContainerEngine;
pub(crate) use session::{OwnershipChange, start_worker};

use crate::protocol::{WorkerReply, WorkerRequest};
use crate::suite::{Suite, SuiteLayout, SuiteObservation};
use crate::task::longest;
use crate::worker_channel::GRACE;
use crate::worker_program::WorkerFiles;
use crate::{ASSETS, Error, Observation, Play, Sandbox, Service, Solution, Task, remote};

/// A sandbox in a container of Docker from 20.10 on, rootless or not.
///
/// An engine without cgroups is refused, as there nothing holds a fork bomb between two looks at it; so is Podman (4.3 was
/// tried), which knows neither the mount options by which files in memory are limited nor those of volumes without a name.
///
/// A program sees what it sees in [`Namespaces`](crate::Namespaces): `/work`, `/tmp` and `/dev/shm` to write to,
/// `/solution` and `/assets` read-only, the user 1000 without any capability on a host called `sandbox` without a network. The rest is
/// the image, read-only, whose packages for Python are out of sight.
///
/// Tasks are the same user in all containers (and in an engine that is not rootless, on the machine), so they share what the
/// kernel grants a user, as those of an ordinary caller do in [`Namespaces`](crate::Namespaces). Sessions are not, if the
/// caller is root.
///
/// Limits are the same and are kept the same way. What differs: process numbers go on from task to task; `/sys` and more
/// of `/proc` can be read; process 1 can be seen, though not touched; `/work`, `/tmp` and `/dev/shm` are three file
/// systems that are each as large as [`Limits::disk`](crate::Limits), and that their sum exceeds it is seen at the end
/// only.
///
/// The container ends with this value, and when this process is killed; its volumes have no names and go with it. What a
/// dead process left behind nevertheless (a container that it made and had not started, or that a restart of the engine
/// kept) is removed when the next one opens its first sandbox.
pub struct Docker {
    engine: ContainerEngine,
    image: Image,
    program: WorkerFiles,
    /// As tar files.
    solution: File,
    assets: Option<File>,
    environment: Option<PathBuf>,
    container: Option<Container>,
}

impl fmt::Debug for Docker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Docker")
            .field("engine", &self.engine.host())
            .field("image", &self.image)
            .finish_non_exhaustive()
    }
}

impl Docker {
    /// Connects to the engine, and reads the solution. The container starts with the first task, whose limits of memory,
    /// processes and disk it is made for; a task with others gets another.
    ///
    /// # Errors
    ///
    /// [`Error::NoEngine`], [`Error::NoImage`], [`Error::WorkerNotFound`] say what is not there; the others what is
    /// wrong with the solution.
    pub fn open(solution: &Solution, image: &Image) -> Result<Self, Error> {
        let solution = solution.settle()?;
        let program = WorkerFiles::find()?;
        let engine = ContainerEngine::connect()?;
        engine.fit()?;
        if solution.environment.is_some() && !engine.host().starts_with("unix://") {
            return Err(Error::Remote { host: engine.host().to_owned() });
        }
        engine.check(image)?;
        engine.sweep_once(&OwnerProcess::this())?;
        let assets = solution.assets.as_deref().map(pack::assets).transpose()?;
        let (solution, environment) = (pack::solution(&solution)?, solution.environment);
        Ok(Self { engine, image: image.clone(), program, solution, assets, environment, container: None })
    }

    /// Takes the container for a task out of `self`, which gets it back only if the task leaves it whole.
    fn container(&mut self, size: ContainerLimits) -> Result<Container, Error> {
        match self.container.take() {
            Some(container) if container.size == size => Ok(container),
            other => {
                other.map_or(Ok(()), |container| container.end(&self.engine))?;
                let assets = self.assets.iter().map(|assets| (ASSETS, assets));
                let folders: Vec<_> = assets.chain([(container::SOLUTION, &self.solution)]).collect();
                let environment = self.environment.as_deref();
                let shown = Shown { program: &self.program, folders: &folders, environment };
                Container::start(&self.engine, &self.image, &OwnerProcess::this(), size, &shown)
            }
        }
    }

    /// Talks to the worker in a container, which is kept for the next task unless that worker was lost.
    fn with<T>(
        &mut self,
        mut container: Container,
        talk: impl FnOnce(&ContainerEngine, &mut Container) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = talk(&self.engine, &mut container);
        if matches!(result, Err(Error::WorkerLost { .. })) {
            container.end(&self.engine)?;
        } else {
            self.container = Some(container);
        }
        result
    }
}

impl Sandbox for Docker {
    fn solution(&self) -> &Path {
        Path::new(container::SOLUTION)
    }

    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error> {
        let Some(first) = tasks.first() else { return Ok(Vec::new()) };
        let time_limit = longest(tasks).saturating_add(GRACE);
        let container = self.container(ContainerLimits::of(&first.limits))?;
        let request = WorkerRequest::Run(tasks.to_vec());
        let answer = self.with(container, |engine, container| container.ask(engine, &request, time_limit));
        match answer? {
            WorkerReply::Ran(seen) => Ok(seen),
            other => Err(Error::WorkerLost { cause: format!("it answered another question: {other:?}") }),
        }
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let container = self.container(ContainerLimits::of(&service.task.limits))?;
        self.with(container, |engine, container| {
            let mut ask = |request: &WorkerRequest, time_limit: Duration| {
                container.ask(engine, request, time_limit.saturating_add(GRACE))
            };
            remote::serve(service, play, &mut ask)
        })
    }

    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        let argv = command(&SuiteLayout::of_rooms(&self.program.launcher()));
        let Self { engine, image, program, solution, environment, .. } = self;
        let environment = environment.as_deref();
        Rooms { engine, image, program, solution, environment, suite: &suite.settle()? }.play(argv)
    }
}

impl Drop for Docker {
    fn drop(&mut self) {
        if let Some(container) = self.container.take() {
            let _ = container.end(&self.engine);
        }
    }
}
