//! Who a guard asks: a model of the catalogue, what was recorded of one, or a script.

use std::{env, path::Path, sync::Arc, time::Duration};

use slopbench_agents::stage::now;
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    player::Player,
    script::Script,
    server::{Forwarder, Mode, Recorder},
};
use slopbench_guard::{Guard, GuardModel};

use crate::{Failure, args::GuardModelArgs, catalogue};

/// How long a provider may be silent.
const SILENCE: Duration = Duration::from_secs(300);

/// The day of a time as in 2026-11-22T10:00:00Z.
const DAY: usize = 10;

/// A guard with the model that was asked for, and what is recorded of it.
pub(super) fn with_model(guard: Guard, args: &GuardModelArgs) -> Result<(Guard, Option<Recorder>), Failure> {
    let Some(name) = &args.model else { return Ok((guard, None)) };
    let models = catalogue::load(&args.catalogue)?.models;
    let model = models.model(name).map_err(Failure::configuration)?;
    let definition = &models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
    let api = *definition.apis.first().ok_or_else(|| Failure::configuration(format!("{name}: no API to ask it in")))?;
    if let Some(file) = args.record.as_ref().filter(|file| file.exists()) {
        let message =
            format!("{}: it is there already, and what it holds was paid for; name another file", file.display());
        return Err(Failure::configuration(message));
    }
    let recorder = args.record.as_ref().map(|_| Client::recorder("guard"));
    let mode = match (&args.script, &args.replay) {
        (Some(script), _) => Mode::Scripted(player(script)?),
        (None, Some(cassette)) => Mode::Replay(Client::replay(cassette).map_err(Failure::configuration)?),
        (None, None) => {
            let provider = definition.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
            let forwarder = Forwarder::new(vec![provider], RetryPolicy::default(), Arc::new(SystemClock), SILENCE);
            let forwarder = forwarder.map_err(Failure::infrastructure)?;
            match &recorder {
                Some(recorder) => Mode::Record(forwarder, recorder.clone()),
                None => Mode::Forward(forwarder),
            }
        }
    };
    let today = now().chars().take(DAY).collect::<String>();
    let client = Client::new(api, mode, &model.provider, models.prices.clone(), &today);
    Ok((guard.with_model(Some(GuardModel::new(client, &model.id)?)), recorder))
}

fn player(script: &Path) -> Result<Player, Failure> {
    let script = Script::load(script).map_err(Failure::configuration)?;
    Ok(Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None })
}

/// Writes what was recorded, if anything was to be.
pub(super) fn save(guard: &Guard, recorder: Option<&Recorder>, args: &GuardModelArgs) -> Result<(), Failure> {
    match (guard.model(), recorder, &args.record) {
        (Some(model), Some(recorder), Some(file)) => model.save(recorder, file).map_err(Failure::infrastructure),
        _ => Ok(()),
    }
}
