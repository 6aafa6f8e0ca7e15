//! Models that we ask ourselves, as a command line names them.

use std::{env, path::Path, sync::Arc, time::Duration};

use slopbench_agents::stage::now;
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    player::Player,
    script::Script,
    server::{Forwarder, Mode, Recorder},
};

use crate::{Failure, args::CatalogueArgs, catalogue};

/// How long a provider may be silent: models reason for minutes.
const SILENCE: Duration = Duration::from_secs(600);

/// The day of a time as in 2026-11-22T10:00:00Z.
const DAY: usize = 10;

/// A model that is asked by ourselves, and where its answers come from.
pub(crate) struct ModelChoice<'a> {
    /// One of the catalogue, or `PROVIDER:ID`.
    pub(crate) model: &'a str,
    pub(crate) catalogue: &'a CatalogueArgs,
    pub(crate) answers: Answers<'a>,
}

/// Where a model's answers come from.
#[derive(Clone, Copy)]
pub(crate) enum Answers<'a> {
    /// Its provider.
    Provider,
    /// The same, and what it answers is recorded as what this one asks.
    Recorded(&'a str),
    /// What was recorded.
    Replay(&'a Path),
    /// A script; what it has no answer to is an error.
    Script(&'a Path),
    /// Nowhere: only what they would cost is asked for, and no key is needed.
    Nowhere,
}

/// A model that can be asked.
pub(crate) struct AskedModel {
    pub(crate) client: Client,
    /// Its provider.
    pub(crate) provider: String,
    /// What that calls it.
    pub(crate) id: String,
    /// What is recorded of it.
    pub(crate) recorder: Option<Recorder>,
}

impl ModelChoice<'_> {
    /// Who is meant, by the catalogue: provider and id.
    pub(crate) fn named(&self) -> Result<(String, String), Failure> {
        let model = catalogue::load(self.catalogue)?.models.model(self.model).map_err(Failure::configuration)?;
        Ok((model.provider, model.id))
    }

    /// A client of the model.
    pub(crate) fn open(&self) -> Result<AskedModel, Failure> {
        let models = catalogue::load(self.catalogue)?.models;
        let model = models.model(self.model).map_err(Failure::configuration)?;
        let provider = &models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
        let unspoken = || Failure::configuration(format!("the provider \"{}\" speaks no API", provider.name));
        let api = *provider.apis.first().ok_or_else(unspoken)?;
        let forwarder = || {
            let open = provider.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
            let forwarder = Forwarder::new(vec![open], RetryPolicy::default(), Arc::new(SystemClock), SILENCE);
            forwarder.map_err(Failure::infrastructure)
        };
        let mut recorder = None;
        let mode = match self.answers {
            Answers::Provider => Mode::Forward(forwarder()?),
            Answers::Recorded(who) => Mode::Record(forwarder()?, recorder.insert(Client::recorder(who)).clone()),
            Answers::Replay(cassette) => Mode::Replay(Client::replay(cassette).map_err(Failure::configuration)?),
            Answers::Script(script) => player(Script::load(script).map_err(Failure::configuration)?),
            Answers::Nowhere => player(Script::of_actions([])),
        };
        let today = now().chars().take(DAY).collect::<String>();
        let client = Client::new(api, mode, &model.provider, models.prices.clone(), &today).by_the_script();
        Ok(AskedModel { client, provider: model.provider, id: model.id, recorder })
    }
}

fn player(script: Script) -> Mode {
    Mode::Scripted(Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None })
}
