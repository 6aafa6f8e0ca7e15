use slopbench_guard::Guard;

use super::{asking, place::tell_agent, update::failed_call};
use crate::{
    Failure,
    args::{Args, GuardLoadArgs, GuardModelArgs},
    output::{Status, print_json, refuse, warn},
};

pub(super) fn run(
    args: &Args,
    guard: Guard,
    request: &str,
    load: GuardLoadArgs,
    model: &GuardModelArgs,
) -> Result<Status, Failure> {
    let (mut guard, recorder) = asking::with_model(guard, model)?;
    let brief = guard.before(request, load.into());
    asking::save(&guard, recorder.as_ref(), model)?;
    let brief = brief?;
    match args.json {
        true => print_json(&brief)?,
        false => tell_agent(brief.before(request))?,
    }
    if let Some(reason) = brief.restart {
        warn(&format!("begin a fresh session, with what is printed: {reason}"));
    }
    if model.no_model {
        warn("no model was asked: the brief has records and code, and no forecast of what the request needs");
    }
    if !brief.unknown.is_empty() {
        warn(&format!("the forecast named what is not there, and it is left out: {}", brief.unknown.join(", ")));
    }
    let Some(failure) = &brief.failure else { return Ok(Status::Ok) };
    refuse(&format!("forecaster: {failure}; records and code are in the brief all the same"));
    Ok(failed_call(failure))
}
