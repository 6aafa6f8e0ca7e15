//! How models' providers are reached: with which keys and which retry policy.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use slopbench_gateway::{
    backoff::{Clock, RetryPolicy, SystemClock},
    provider::Provider,
    server::Forwarder,
};

use super::{StageError, Worker};
use crate::catalogue::AgentCatalogue;

/// How long a provider's stream may be silent.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// The way to the providers of a plan. Keys are held by this process alone.
#[derive(Clone, Debug)]
pub struct ProviderAccess {
    /// Each with its key, by name.
    pub providers: BTreeMap<String, Provider>,
    /// What measures how long is waited between two attempts.
    pub clock: Arc<dyn Clock>,
    /// How long a provider's stream may be silent.
    pub idle: Duration,
}

impl Default for ProviderAccess {
    /// To nobody.
    fn default() -> Self {
        Self { providers: BTreeMap::new(), clock: Arc::new(SystemClock), idle: IDLE }
    }
}

impl ProviderAccess {
    /// To those that `workers` ask, with their keys from our environment.
    ///
    /// # Errors
    ///
    /// [`StageError::Unknown`] if the catalogue lacks one, [`StageError::Provider`] if its key is missing.
    pub fn of<'a>(
        workers: impl IntoIterator<Item = &'a Worker>,
        catalogue: &AgentCatalogue,
    ) -> Result<Self, StageError> {
        let mut this = Self::default();
        for worker in workers {
            let Worker::Agent { model, .. } = worker else { continue };
            if let Some(name) = &model.provider {
                let definition = &catalogue.models.providers.get(name)?.value;
                this.providers.insert(name.clone(), definition.open(|variable| std::env::var(variable).ok())?);
            }
        }
        Ok(this)
    }

    /// The provider `name`, to be asked.
    pub(crate) fn to(&self, name: &str) -> Result<Forwarder, StageError> {
        let provider = self.providers.get(name).cloned();
        self.forwarder(vec![provider.ok_or_else(|| StageError::Unprepared(format!("the provider \"{name}\"")))?])
    }

    /// These providers, to be asked.
    pub(crate) fn forwarder(&self, providers: Vec<Provider>) -> Result<Forwarder, StageError> {
        Ok(Forwarder::new(providers, RetryPolicy::default(), Arc::clone(&self.clock), self.idle)?)
    }
}
