use serde::Serialize;

use super::place::open;
use crate::{
    Failure,
    args::{Args, GuardPlaceArgs},
    output::{Status, print, print_json},
};

/// A brief without a forecast, as `--json` says it.
#[derive(Serialize)]
struct FreshBrief {
    format: &'static str,
    text: String,
}

pub(super) fn run(args: &Args, place: &GuardPlaceArgs) -> Result<Status, Failure> {
    let text = open(place)?.restart_brief(None)?;
    match args.json {
        true => print_json(&FreshBrief { format: "slopbench.guard-restart/1", text })?,
        false => print(text)?,
    }
    Ok(Status::Ok)
}
