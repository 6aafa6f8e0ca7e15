//! What a plan needs before its first step: agents installed, keys there, prices known. What is missing is said at once,
//! and not after an hour.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::Path,
};

use slopbench_digest::Sha256;
use slopbench_gateway::{
    api::Api,
    catalogue::{CatalogueTable, EntryIdentity},
    client::Client,
    packages::PackageMirror,
    prices::Prices,
    server::{Forwarder, Mode},
    turn::TokenUsage,
};
use slopbench_sandbox::{Runtime, docker::Image, session::System};

use super::{ProviderAccess, StageError, Worker};
use crate::{
    catalogue::AgentCatalogue,
    definition::Agent,
    install::{Installed, install},
    launch::AgentSandbox,
};

/// The image of `cargo xtask images` for programs of nobody knows which kind.
const COMMAND_IMAGE: &str = "build";

/// Agents, the way to their models, and prices, ready for use.
#[derive(Debug)]
pub struct Equipment {
    agents: BTreeMap<(String, String), Equipped>,
    pub(crate) provider_access: ProviderAccess,
    /// The catalogue's entries that the plan's sessions are held with.
    pub catalogue: BTreeMap<String, EntryIdentity>,
    /// Where sessions are.
    pub systems: Systems,
    /// The package indexes, for sessions that may read them.
    pub packages: Option<PackageMirror>,
    pub(crate) prices: Prices,
    /// Today, as YYYY-MM-DD: prices are of a day.
    pub(crate) today: String,
}

/// An agent, and where it is installed.
#[derive(Debug)]
pub(crate) struct Equipped {
    pub(crate) agent: Agent,
    pub(crate) installed: Installed,
}

impl Equipment {
    /// One who asks a provider's models for us, beside agents, at today's prices; `mode` says where answers come from.
    pub fn client(&self, api: Api, mode: Mode, provider: &str) -> Client {
        Client::new(api, mode, provider, self.prices.clone(), &self.today)
    }

    /// The way to a provider.
    ///
    /// # Errors
    ///
    /// [`StageError::Unprepared`] if the plan does not have it.
    pub fn forwarder(&self, provider: &str) -> Result<Forwarder, StageError> {
        self.provider_access.to(provider)
    }

    /// Installs the agents among `workers` below `cache`, and checks that models can be paid. `installing` is told of every
    /// agent, by name and version, before that takes a while.
    ///
    /// # Errors
    ///
    /// [`StageError::UnknownPrice`] where a budget in dollars has no price to go by; others if the catalogue lacks what the
    /// workers name, or an agent cannot be installed.
    pub fn for_workers<'a>(
        workers: impl Iterator<Item = &'a Worker> + Clone,
        catalogue: &AgentCatalogue,
        provider_access: ProviderAccess,
        cache: &Path,
        has_budget: bool,
        installing: &dyn Fn(&str, &str),
    ) -> Result<Self, StageError> {
        let prices = catalogue.models.prices.clone();
        let catalogued = identities(workers.clone(), catalogue)?;
        let mut this = Self { provider_access, catalogue: catalogued, prices, ..Self::none() };
        // What costs nothing to check comes first.
        for worker in workers.clone() {
            let Worker::Agent { model, .. } = worker else { continue };
            if has_budget {
                let prices = this.prices.of(model.provider.as_deref().unwrap_or_default());
                prices.cost_usd(&model.id, &this.today, &TokenUsage::default()).map_err(StageError::UnknownPrice)?;
            }
        }
        for worker in workers {
            let Worker::Agent { name, version, .. } = worker else { continue };
            if let Entry::Vacant(place) = this.agents.entry((name.clone(), version.clone())) {
                let agent = catalogue.agents.get(name)?.value.clone();
                let installed = install(catalogue, &agent, version, cache, &|| installing(name, version))?;
                place.insert(Equipped { agent, installed });
            }
        }
        Ok(this)
    }

    /// Nothing: for who asks no agent.
    pub fn none() -> Self {
        let (agents, catalogue, systems) = (BTreeMap::new(), BTreeMap::new(), Systems::default());
        let (provider_access, prices, today) =
            (ProviderAccess::default(), Prices(CatalogueTable::new("price")), now()[..10].to_owned());
        Self { agents, provider_access, catalogue, systems, packages: None, prices, today }
    }

    /// The format in which a worker tells what it does, from whichever catalogue it is; `None` of one that is no agent.
    pub fn event_format(&self, worker: &Worker) -> Option<&str> {
        let Worker::Agent { name, version, .. } = worker else { return None };
        Some(&self.agent(name, version).ok()?.agent.events.format)
    }

    pub(crate) fn agent(&self, name: &str, version: &str) -> Result<&Equipped, StageError> {
        let found = self.agents.get(&(name.to_owned(), version.to_owned()));
        found.ok_or_else(|| StageError::Unprepared(format!("{name} {version}")))
    }
}

/// The identity of each entry of `catalogue` that sessions of `workers` are held with, as in `agent codex`,
/// `lock codex@0.65.0`, `model gpt-5.4`, `provider openai` and `price gpt-5.4`.
///
/// # Errors
///
/// [`StageError::Unknown`] or [`StageError::Lock`] if the catalogue lacks what they name.
pub fn identities<'a>(
    workers: impl Iterator<Item = &'a Worker>,
    catalogue: &AgentCatalogue,
) -> Result<BTreeMap<String, EntryIdentity>, StageError> {
    let mut identities = BTreeMap::new();
    for worker in workers {
        let Worker::Agent { name, version, model } = worker else { continue };
        let agent = &catalogue.agents.get(name)?.value;
        let provider = model.provider.as_deref();
        let behind = provider.map(|provider| (model.name.as_str(), provider, model.id.as_str()));
        identities.extend(catalogue.identities(agent, version, behind)?);
    }
    Ok(identities)
}

/// Which system each worker's sessions have: an image's, or this machine's.
#[derive(Debug, Default)]
pub struct Systems {
    images: BTreeMap<String, System>,
    machine: Option<System>,
}

impl Systems {
    /// An image's for every one of `workers`. `find` is asked for the image of each kind, by its name.
    ///
    /// # Errors
    ///
    /// [`StageError::NoImage`] if there is none for an agent, and those of `find`.
    pub fn of_images<'a, E: From<StageError>>(
        workers: impl IntoIterator<Item = &'a Worker>,
        catalogue: &AgentCatalogue,
        find: &dyn Fn(&str) -> Result<Image, E>,
    ) -> Result<Self, E> {
        let mut systems = BTreeMap::new();
        for worker in workers {
            let image = match worker {
                Worker::Reference | Worker::Noop => continue,
                Worker::Command { .. } => Some(COMMAND_IMAGE.to_owned()),
                Worker::Agent { name, .. } => catalogue.agents.get(name).map_err(StageError::from)?.value.image.clone(),
            };
            let label = worker.label();
            let no_image = || StageError::NoImage(label.clone());
            let system = System::Image(find(&image.ok_or_else(no_image)?)?);
            systems.insert(label, system);
        }
        Ok(Self { images: systems, machine: None })
    }

    /// This machine's, with this interpreter in place of the `python3` on `PATH`.
    pub fn of_machine(runtime: Runtime) -> Self {
        Self { images: BTreeMap::new(), machine: Some(System::Machine(runtime.and_toolchains())) }
    }

    /// Each image by the worker whose sessions are in it, named so that another one has another name.
    pub fn images(&self) -> BTreeMap<String, String> {
        let image = |(worker, system): (&String, &System)| match system {
            System::Image(image) => Some((worker.clone(), image_id(image))),
            System::Machine(_) => None,
        };
        self.images.iter().filter_map(image).collect()
    }

    /// What a worker finds in its sessions.
    ///
    /// # Errors
    ///
    /// [`StageError::Sandbox`] if this machine has no interpreter.
    pub fn of(&self, worker: &Worker) -> Result<System, StageError> {
        let found = self.images.get(&worker.label()).or(self.machine.as_ref()).cloned();
        Ok(found.map_or_else(AgentSandbox::machine, Ok)?)
    }
}

/// An image's name, and the digest of those of its layers.
pub fn image_id(image: &Image) -> String {
    format!("{} {}", image.name, Sha256::of(image.layers.join("\n").as_bytes()))
}

/// Now, in UTC, to the second.
pub fn now() -> String {
    let second = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second());
    second.unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}
