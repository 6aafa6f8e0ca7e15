use serde::Serialize;

use super::place::{open_with_code, tell_agent};
use crate::{
    Failure,
    args::{Args, GuardCodeArgs, GuardPlaceArgs},
    output::{Status, print_json},
};

/// A brief without a forecast, as `--json` says it.
#[derive(Serialize)]
struct FreshBrief {
    format: &'static str,
    text: String,
}

pub(super) fn run(args: &Args, place: &GuardPlaceArgs, code: &GuardCodeArgs) -> Result<Status, Failure> {
    let text = open_with_code(place, code)?.restart_brief()?;
    match args.json {
        true => print_json(&FreshBrief { format: "slopbench.guard-restart/1", text })?,
        false => tell_agent(text)?,
    }
    Ok(Status::Ok)
}
