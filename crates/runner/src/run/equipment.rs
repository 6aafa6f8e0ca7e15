//! What a plan needs before its first step: agents installed, keys there, prices known. What is missing is said at once,
//! and not after an hour.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::Path,
};

use slopbench_agents::{
    catalogue::Catalogue,
    definition::Agent,
    install::{Installed, install},
    launch::Sandbox,
};
use slopbench_digest::Sha256;
use slopbench_gateway::{
    catalogue::{Identity, Table},
    prices::Prices,
    turn::Usage,
};
use slopbench_sandbox::{docker::Image, session::System};

use super::{
    plan::{Plan, Worker},
    provider_access::ProviderAccess,
};
use crate::Error;

/// The image of `cargo xtask images` for programs of nobody knows which kind.
const COMMAND_IMAGE: &str = "build";

/// Agents, the way to their models, and prices, ready for use.
#[derive(Debug)]
pub struct Equipment {
    agents: BTreeMap<(String, String), Equipped>,
    pub(crate) provider_access: ProviderAccess,
    /// The catalogue's entries that the plan's sessions are held with.
    pub catalogue: BTreeMap<String, Identity>,
    /// Where sessions are.
    pub systems: Systems,
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
    /// Installs what `plan` names below `cache`, and checks that models can be paid. `installing` is told of every agent,
    /// by name and version, before that takes a while.
    ///
    /// # Errors
    ///
    /// [`Error::Plan`] if there is a budget and a model has no price; others if the catalogue lacks what the plan names, or an
    /// agent cannot be installed.
    pub fn for_plan(
        plan: &Plan,
        catalogue: &Catalogue,
        provider_access: ProviderAccess,
        cache: &Path,
        has_budget: bool,
        installing: &dyn Fn(&str, &str),
    ) -> Result<Self, Error> {
        let prices = catalogue.models.prices.clone();
        let mut this = Self { provider_access, catalogue: identities(plan, catalogue)?, prices, ..Self::none() };
        let workers = || plan.trajectories.iter().map(|trajectory| &trajectory.worker);
        // What costs nothing to check comes first.
        for worker in workers() {
            let Worker::Agent { model, .. } = worker else { continue };
            if has_budget {
                let provider = model.provider.as_deref().unwrap_or_default();
                this.prices.of(provider).cost_usd(&model.id, &this.today, &Usage::default()).map_err(|error| {
                    Error::Plan(format!("{error}, or limit the run with --max-tokens instead of --budget-usd"))
                })?;
            }
        }
        for worker in workers() {
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
            (ProviderAccess::default(), Prices(Table::new("price")), now()[..10].to_owned());
        Self { agents, provider_access, catalogue, systems, prices, today }
    }

    pub(crate) fn agent(&self, name: &str, version: &str) -> Result<&Equipped, Error> {
        let found = self.agents.get(&(name.to_owned(), version.to_owned()));
        found.ok_or_else(|| Error::Plan(format!("{name} {version} is not installed; begin the run anew")))
    }
}

/// The identity of each entry of `catalogue` that the sessions of `plan` are held with.
pub(crate) fn identities(plan: &Plan, catalogue: &Catalogue) -> Result<BTreeMap<String, Identity>, Error> {
    let mut identities = BTreeMap::new();
    for trajectory in &plan.trajectories {
        let Worker::Agent { name, version, model } = &trajectory.worker else { continue };
        let agent = &catalogue.agents.get(name)?.value;
        let provider = model.provider.as_deref();
        let behind = provider.map(|provider| (model.name.as_str(), provider, model.id.as_str()));
        identities.extend(catalogue.identities(agent, version, behind)?);
    }
    Ok(identities)
}

/// Which system each worker's sessions have: this machine's, but for workers named here.
#[derive(Debug, Default)]
pub struct Systems(BTreeMap<String, System>);

impl Systems {
    /// An image's for every worker of `plan`. `find` is asked for the image of each kind, by its name.
    ///
    /// # Errors
    ///
    /// [`Error::Plan`] if a worker runs in no image, and whatever `find` says.
    pub fn of_images(
        plan: &Plan,
        catalogue: &Catalogue,
        find: &dyn Fn(&str) -> Result<Image, Error>,
    ) -> Result<Self, Error> {
        let mut systems = BTreeMap::new();
        for worker in plan.trajectories.iter().map(|trajectory| &trajectory.worker) {
            let image = match worker {
                Worker::Reference | Worker::Noop => continue,
                Worker::Command { .. } => Some(COMMAND_IMAGE.to_owned()),
                Worker::Agent { name, .. } => catalogue.agents.get(name)?.value.image.clone(),
            };
            let label = worker.label();
            let no_image = || Error::Plan(format!("{label} names no image to run in; use --sandbox namespaces"));
            let system = System::Image(find(&image.ok_or_else(no_image)?)?);
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
    pub(crate) fn of(&self, worker: &Worker) -> Result<System, Error> {
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
