mod exposure;
mod guard;
mod judge;
mod make;
mod report;
mod run;
mod tasks;

use std::path::Path;

pub(crate) use report::{is_slump, report};

use slopbench_metrics::integration::Integration;

use crate::{
    Failure,
    args::{Args, SlumpCommand},
    output::{Status, page, print_json},
};

pub(crate) fn run(args: &Args, command: &SlumpCommand) -> Result<Status, Failure> {
    match command {
        SlumpCommand::Tasks { tasks, command } => tasks::run(args, tasks.as_deref(), command),
        SlumpCommand::Dir { folder } => dir(args, folder),
        SlumpCommand::Run(options) => run::run(args, options),
        SlumpCommand::Exposure(options) => exposure::run(args, options),
        SlumpCommand::Judge(options) => judge::run(args, options),
        SlumpCommand::Status { run } => run::status(args, run),
    }
}

fn dir(args: &Args, folder: &Path) -> Result<Status, Failure> {
    let found = Integration::of_folder(folder)?;
    match args.json {
        true => print_json(&found)?,
        false => page(slopbench_report::integration(&found))?,
    }
    Ok(Status::Ok)
}
