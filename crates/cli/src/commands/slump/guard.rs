//! Which guard goes with a run, as a command line names it.

use std::{env, fs};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{StageError, now},
};
use slopbench_digest::Sha256;
use slopbench_gateway::{provider::Provider, script::Script, turn::TokenUsage};
use slopbench_guard::GuardSettings;
use slopbench_slump::study::{GuardAccess, GuardAnswers, GuardModelChoice, PlannedGuard};

use crate::{Failure, args::SlumpGuardArgs, files::unreadable};

/// What says that a guard has no model.
const NO_MODEL: &str = "none";

/// A guard, and what it takes to ask its model.
pub(super) struct ChosenGuard {
    pub(super) planned: PlannedGuard,
    pub(super) access: Option<GuardAccess>,
    /// The model's provider with its key, by name, where it is asked.
    pub(super) provider: Option<(String, Provider)>,
}

/// The guard that was asked for. Where there is a budget in dollars, its model has to have a price.
pub(super) fn chosen(
    asked: &SlumpGuardArgs,
    catalogue: &AgentCatalogue,
    has_budget: bool,
) -> Result<Option<ChosenGuard>, Failure> {
    let Some(name) = &asked.guard_model else { return Ok(None) };
    let settings = settings(asked)?;
    if name == NO_MODEL {
        let planned = PlannedGuard { settings, model: None };
        return Ok(Some(ChosenGuard { planned, access: None, provider: None }));
    }
    let model = catalogue.models.model(name).map_err(Failure::configuration)?;
    let definition = &catalogue.models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
    let unspoken = || Failure::configuration(format!("the provider \"{}\" speaks no API", definition.name));
    let api = *definition.apis.first().ok_or_else(unspoken)?;
    let (mut choice, mut provider) = (GuardModelChoice { id: model.id, provider: model.provider }, None);
    let answers = match (&asked.guard_script, &asked.guard_replay) {
        (Some(path), _) => {
            let digest = Sha256::of(&fs::read(path).map_err(|error| unreadable(path, &error))?);
            choice.provider = format!("script:{digest}");
            GuardAnswers::Scripted(Script::load(path).map_err(Failure::configuration)?)
        }
        (None, Some(run)) => GuardAnswers::Replayed(run.clone()),
        (None, None) => {
            if has_budget {
                let prices = catalogue.models.prices.of(&choice.provider);
                let price = prices.cost_usd(&choice.id, &now()[..10], &TokenUsage::default());
                price.map_err(StageError::UnknownPrice)?;
            }
            let open = definition.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
            provider = Some((choice.provider.clone(), open));
            GuardAnswers::Provider
        }
    };
    let planned = PlannedGuard { settings, model: Some(choice) };
    Ok(Some(ChosenGuard { planned, access: Some(GuardAccess { api, answers }), provider }))
}

fn settings(asked: &SlumpGuardArgs) -> Result<GuardSettings, Failure> {
    let Some(path) = &asked.guard_settings else { return Ok(GuardSettings::default()) };
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    GuardSettings::parse(path, &text).map_err(Failure::configuration)
}
