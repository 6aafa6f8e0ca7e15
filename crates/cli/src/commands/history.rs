use slopbench_history::{GitRepository, HistoryOptions, history};

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
    if let Some(file) = &history_args.figure {
        file.write(&slopbench_report::history_figure(&history))?;
    }
    match args.json {
        true => print_json(&history)?,
        false => page(slopbench_report::history(&history))?,
    }
    Ok(Status::Ok)
}
