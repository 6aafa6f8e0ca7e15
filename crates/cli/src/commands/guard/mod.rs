//! `slopbench guard`: the state of a project beside one's own agent, a file for each command.

mod asking;
mod brief;
mod forecast;
mod init;
mod place;
mod spending;
mod status;
mod update;

use self::place::{open, open_with_code, read, tree};
use crate::{
    Failure,
    args::{Args, GuardCommand, RequestArgs},
    output::Status,
};

pub(crate) fn run(args: &Args, command: &GuardCommand) -> Result<Status, Failure> {
    match command {
        GuardCommand::Init { place, code } => init::run(args, place, code),
        GuardCommand::Update { place, code, request, answer_file, model } => {
            update::run(args, open(place)?, &tree(place, code), &text(request)?, answer_file.as_deref(), model)
        }
        GuardCommand::Brief { place, code } => brief::run(args, place, code),
        GuardCommand::Forecast { place, code, request, load, model } => {
            forecast::run(args, open_with_code(place, code)?, &text(request)?, *load, model)
        }
        GuardCommand::Status { place, load } => status::run(args, place, *load),
    }
}

fn text(request: &RequestArgs) -> Result<String, Failure> {
    match (&request.request, &request.request_file) {
        (Some(text), _) => Ok(text.clone()),
        (None, Some(file)) => read(file),
        (None, None) => Ok(String::new()),
    }
}
