use std::{fs, path::Path};

use slopbench_history::{GitRepository, History, HistoryOptions, history};

use crate::{
    Failure,
    args::{Args, HistoryArgs},
    output::{Status, page, print_json},
    progress::Bar,
    setup,
};

pub(crate) fn run(args: &Args, history_args: &HistoryArgs) -> Result<Status, Failure> {
    let rules = setup::rules(history_args.rules.rules.as_deref())?;
    let repository = GitRepository::discover(&history_args.repository)?;
    let options = HistoryOptions {
        revision: history_args.rev.clone(),
        commits: history_args.commits,
        below: history_args.path.clone(),
    };
    let bar = Bar::new();
    let history = history(&repository, &options, &rules, &bar)?;
    drop(bar);
    history_args.figure.as_deref().map_or(Ok(()), |file| draw(&history, file))?;
    match args.json {
        true => print_json(&history)?,
        false => page(slopbench_report::history(&history))?,
    }
    Ok(Status::Ok)
}

fn draw(history: &History, file: &Path) -> Result<(), Failure> {
    let written = fs::write(file, slopbench_report::history_figure(history));
    written.map_err(|error| {
        Failure::configuration(format!("cannot write {}: {error}; name a file that can be written", file.display()))
    })
}
