//! What a plan needs before its first step: agents installed, keys there, prices known. What is missing is said at once,
//! and not after an hour.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};

use slopbench_digest::Sha256;
use slopbench_gateway::{prices::Prices, turn::Usage};
use slopbench_sandbox::{docker::Image, session::System};

use super::{ProviderAccess, StageError, Worker};
use crate::{
    definition::Agent,
    install::{folder, install},
    launch::Sandbox,
};

/// The image of `cargo xtask images` for programs of nobody knows which kind.
const COMMAND_IMAGE: &str = "build";

/// Agents, the way to their models, and prices, ready for use.
#[derive(Debug)]
pub struct Equipment {
    agents: BTreeMap<(String, String), Installed>,
    pub(crate) provider_access: ProviderAccess,
    /// Where sessions are.
    pub systems: Systems,
    pub(crate) prices: Prices,
    /// Today, as YYYY-MM-DD: prices are of a day.
    pub(crate) today: String,
}

/// An agent on this machine.
#[derive(Debug)]
pub(crate) struct Installed {
    pub(crate) agent: Agent,
    pub(crate) program: PathBuf,
    /// All that is installed of it.
    pub(crate) folder: PathBuf,
}

impl Equipment {
    /// Installs the agents among `workers` below `cache`, and checks that models can be paid. `installing` is told of every
    /// agent, by name and version, before that takes a while.
    ///
    /// # Errors
    ///
    /// [`StageError::UnknownPrice`] where a budget in dollars has no price to go by, and those of installing.
    pub fn for_workers<'a>(
        workers: impl Iterator<Item = &'a Worker> + Clone,
        provider_access: ProviderAccess,
        cache: &Path,
        has_budget: bool,
        installing: &dyn Fn(&str, &str),
    ) -> Result<Self, StageError> {
        let mut this = Self { provider_access, ..Self::none()? };
        // What costs nothing to check comes first.
        for worker in workers.clone() {
            let Worker::Agent { model, .. } = worker else { continue };
            if has_budget {
                this.prices.cost_usd(&model.id, &this.today, &Usage::default()).map_err(StageError::UnknownPrice)?;
            }
        }
        for worker in workers {
            let Worker::Agent { name, version, .. } = worker else { continue };
            if let Entry::Vacant(place) = this.agents.entry((name.clone(), version.clone())) {
                let agent = Agent::named(name)?;
                let program = install(&agent, version, cache, &|| installing(name, version))?;
                let folder = folder(&agent, version, cache);
                place.insert(Installed { agent, program, folder });
            }
        }
        Ok(this)
    }

    /// Prices alone: for who asks no agent.
    ///
    /// # Errors
    ///
    /// [`StageError::Prices`] if the price table cannot be read.
    pub fn none() -> Result<Self, StageError> {
        let prices = Prices::built_in().map_err(StageError::Prices)?;
        let (agents, systems) = (BTreeMap::new(), Systems::default());
        Ok(Self { agents, provider_access: ProviderAccess::default(), systems, prices, today: now()[..10].to_owned() })
    }

    pub(crate) fn agent(&self, name: &str, version: &str) -> Result<&Installed, StageError> {
        let found = self.agents.get(&(name.to_owned(), version.to_owned()));
        found.ok_or_else(|| StageError::Unprepared(format!("{name} {version}")))
    }
}

/// Which system each worker's sessions have: this machine's, but for workers named here.
#[derive(Debug, Default)]
pub struct Systems(BTreeMap<String, System>);

impl Systems {
    /// An image's for every one of `workers`. `find` is asked for the image of each kind, by its name.
    ///
    /// # Errors
    ///
    /// [`StageError::NoImage`] if there is none for an agent, and those of `find`.
    pub fn of_images<'a, E: From<StageError>>(
        workers: impl IntoIterator<Item = &'a Worker>,
        find: &dyn Fn(&str) -> Result<Image, E>,
    ) -> Result<Self, E> {
        let mut systems = BTreeMap::new();
        for worker in workers {
            let image = match worker {
                Worker::Reference | Worker::Noop => continue,
                Worker::Command { .. } => Some(COMMAND_IMAGE),
                Worker::Agent { name, .. } => Agent::named(name).map_err(StageError::from)?.install.image(),
            };
            let label = worker.label();
            let no_image = || StageError::NoImage(label.clone());
            let system = System::Image(find(image.ok_or_else(no_image)?)?);
            systems.insert(label, system);
        }
        Ok(Self(systems))
    }

    /// Each image by the worker whose sessions are in it, named so that another one has another name.
    pub fn images(&self) -> BTreeMap<String, String> {
        let image = |(worker, system): (&String, &System)| match system {
            System::Image(image) => Some((worker.clone(), image_id(image))),
            System::Machine(_) => None,
        };
        self.0.iter().filter_map(image).collect()
    }

    /// What a worker finds in its sessions.
    pub(crate) fn of(&self, worker: &Worker) -> Result<System, StageError> {
        let found = self.0.get(&worker.label()).cloned();
        Ok(found.map_or_else(Sandbox::machine, Ok)?)
    }
}

/// An image's name, and the digest of those of its layers.
pub fn image_id(image: &Image) -> String {
    format!("{} {}", image.name, Sha256::of(image.layers.join("\n").as_bytes()))
}

/// Now, in UTC, to the second.
pub(crate) fn now() -> String {
    let second = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second());
    second.unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}
