//! Who judges, as a command line names them.

use std::{env, fs, path::Path, sync::Arc, time::Duration};

use slopbench_agents::{catalogue::AgentCatalogue, stage::now};
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    player::Player,
    script::Script,
    server::{Forwarder, Mode},
};
use slopbench_judge::{Judge, JudgeBudget, JudgeSettings, JudgementCache};

use crate::{Failure, files::unreadable};

/// How long a provider may be silent.
const SILENCE: Duration = Duration::from_secs(600);

/// A judge to be had.
pub(crate) struct JudgeChoice<'a> {
    /// The model's name, as the catalogue has it.
    pub(crate) model: &'a str,
    /// Where judgements are kept.
    pub(crate) cache: &'a Path,
    /// Whether nobody is to be asked.
    pub(crate) offline: bool,
    /// The script of who answers in the model's place.
    pub(crate) script: Option<&'a Path>,
    /// In US dollars.
    pub(crate) budget: Option<f64>,
}

impl JudgeChoice<'_> {
    /// The judge.
    pub(crate) fn judge(&self, catalogue: &AgentCatalogue) -> Result<Judge, Failure> {
        let model = catalogue.models.model(self.model).map_err(Failure::configuration)?;
        let settings = JudgeSettings::new(&model.provider, &model.id);
        let settings = match self.script {
            Some(script) => settings.of_script(&fs::read(script).map_err(|error| unreadable(script, &error))?),
            None => settings,
        };
        let cache = JudgementCache::new(self.cache);
        if self.offline {
            return Ok(Judge::of_cache(cache, settings));
        }
        let provider = &catalogue.models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
        let unspoken = || Failure::configuration(format!("the provider \"{}\" speaks no API", provider.name));
        let api = *provider.apis.first().ok_or_else(unspoken)?;
        let mode = match self.script {
            Some(script) => {
                let script = Script::load(script).map_err(Failure::configuration)?;
                Mode::Scripted(Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None })
            }
            None => {
                let open = provider.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
                let forwarder = Forwarder::new(vec![open], RetryPolicy::default(), Arc::new(SystemClock), SILENCE);
                Mode::Forward(forwarder.map_err(Failure::infrastructure)?)
            }
        };
        let client = Client::new(api, mode, &model.provider, catalogue.models.prices.clone(), &now()[..10]);
        Ok(Judge::new(client, settings).with_cache(cache).with_budget(Arc::new(JudgeBudget::new(self.budget))))
    }
}
