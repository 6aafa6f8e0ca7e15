use super::{asking, place::open};
use crate::{
    Failure,
    args::{Args, GuardModelArgs, GuardPlaceArgs},
    output::{Status, print, print_json, warn},
};

pub(super) fn run(
    args: &Args,
    place: &GuardPlaceArgs,
    request: &str,
    model: &GuardModelArgs,
) -> Result<Status, Failure> {
    let (mut guard, recorder) = asking::with_model(open(place)?, model)?;
    let brief = guard.before(request)?;
    asking::save(&guard, recorder.as_ref(), model)?;
    match args.json {
        true => print_json(&brief)?,
        false => print(brief.before(request))?,
    }
    if model.no_model {
        warn("no model was asked: the brief has records and code, and no forecast of what the request needs");
    }
    if let Some(failure) = &brief.failure {
        warn(&format!("there is no forecast: {failure}; records and code are in the brief all the same"));
    }
    if !brief.unknown.is_empty() {
        warn(&format!("the forecast named what is not there, and it is left out: {}", brief.unknown.join(", ")));
    }
    Ok(Status::Ok)
}
