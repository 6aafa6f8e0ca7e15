//! `slopbench guard`: the state of a project beside one's own agent, a file for each command.

mod asking;
mod brief;
mod forecast;
mod init;
mod place;
mod status;
mod update;

use self::place::read;
use crate::{
    Failure,
    args::{Args, GuardCommand, RequestArgs},
    output::Status,
};

pub(crate) fn run(args: &Args, command: &GuardCommand) -> Result<Status, Failure> {
    match command {
        GuardCommand::Init { place } => init::run(args, place),
        GuardCommand::Update { place, request, answer_file, model } => {
            update::run(args, place, &text(request)?, answer_file.as_deref(), model)
        }
        GuardCommand::Brief { place } => brief::run(args, place),
        GuardCommand::Forecast { place, request, model } => forecast::run(args, place, &text(request)?, model),
        GuardCommand::Status { place, session_turns, context_tokens } => {
            status::run(args, place, *session_turns, *context_tokens)
        }
    }
}

fn text(request: &RequestArgs) -> Result<String, Failure> {
    match (&request.request, &request.request_file) {
        (Some(text), _) => Ok(text.clone()),
        (None, Some(file)) => read(file),
        (None, None) => Ok(String::new()),
    }
}
