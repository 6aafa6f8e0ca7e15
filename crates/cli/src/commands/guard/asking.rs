//! Who a guard asks: a model of the catalogue, what was recorded of one, or a script.

use slopbench_gateway::server::Recorder;
use slopbench_guard::{Guard, GuardModel};

use crate::{
    Failure,
    args::GuardModelArgs,
    models::{Answers, ModelChoice},
};

/// A guard with the model that was asked for, and what is recorded of it.
pub(super) fn with_model(guard: Guard, args: &GuardModelArgs) -> Result<(Guard, Option<Recorder>), Failure> {
    let Some(model) = &args.model else { return Ok((guard, None)) };
    if let Some(file) = args.record.as_ref().filter(|file| file.exists()) {
        let message =
            format!("{}: it is there already, and what it holds was paid for; name another file", file.display());
        return Err(Failure::configuration(message));
    }
    let answers = match (&args.script, &args.replay, &args.record) {
        (Some(script), ..) => Answers::Script(script),
        (None, Some(cassette), _) => Answers::Replay(cassette),
        (None, None, Some(_)) => Answers::Recorded("guard"),
        (None, None, None) => Answers::Provider,
    };
    let asked = ModelChoice { model, catalogue: &args.catalogue, answers }.open()?;
    let model = GuardModel::new(asked.client, &asked.id)?.with_budget(args.budget_usd);
    Ok((guard.with_model(Some(model)), asked.recorder))
}

/// Writes what was recorded, if anything was to be.
pub(super) fn save(guard: &Guard, recorder: Option<&Recorder>, args: &GuardModelArgs) -> Result<(), Failure> {
    match (guard.model(), recorder, &args.record) {
        (Some(model), Some(recorder), Some(file)) => model.save(recorder, file).map_err(Failure::infrastructure),
        _ => Ok(()),
    }
}
