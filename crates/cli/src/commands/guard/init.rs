use slopbench_guard::{Guard, GuardSettings};

use super::place::{state, tree};
use crate::{
    Failure,
    args::{Args, GuardCodeArgs, GuardPlaceArgs},
    output::{Status, print, print_json},
};

pub(super) fn run(args: &Args, place: &GuardPlaceArgs, code: &GuardCodeArgs) -> Result<Status, Failure> {
    let state = state(place);
    let mut guard = Guard::create(&state, &GuardSettings::default())?;
    let change = guard.read_code(&tree(place, code))?;
    if args.json {
        print_json(&change)?;
        return Ok(Status::Ok);
    }
    let (signatures, public) = guard.structural().signatures();
    let files = guard.structural().files.len();
    print(format!(
        "{}: {files} source files, {signatures} signatures, {public} of them for others\n\
         Records go into its folders design, decision and resource; guard.toml says how large briefs may be and when a \
         session begins anew.\n",
        state.display()
    ))?;
    Ok(Status::Ok)
}
