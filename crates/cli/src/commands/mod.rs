//! A file for each command.

mod agents;
mod artifacts;
mod compare;
mod doctor;
mod environments;
mod explain;
mod guard;
mod history;
mod judge;
mod lint;
mod measure;
mod page;
mod panel;
mod problems;
mod report;
mod rubric;
mod rules;
mod run;
mod runs;
mod shell;
mod slump;
mod test;

use crate::{
    Failure,
    args::{Args, Command},
    output::Status,
};

pub(crate) fn run(args: &Args) -> Result<Status, Failure> {
    match &args.command {
        Command::Measure(measure) => measure::run(args, measure),
        Command::Explain { measure } => explain::run(args, measure.as_deref()),
        Command::History(history) => history::run(args, history),
        Command::Compare(compare) => compare::run(args, compare),
        Command::Panel(panel) => panel::run(args, panel),
        Command::Rules(command) => rules::run(args, command),
        Command::Problems(command) => problems::run(args, command),
        Command::Test(test) => test::run(args, test),
        Command::Agents(command) => agents::run(args, command),
        Command::Environments(command) => environments::run(args, command),
        Command::Guard(command) => guard::run(args, command),
        Command::Judge(command) => judge::run(args, command),
        Command::Lint(lint) => lint::run(args, lint).map(|()| Status::Ok),
        Command::Run(run) => run::run(args, run),
        Command::Resume { run, how } => run::resume(args, run, how),
        Command::RunUnit { run, unit, equipment } => run::run_unit(args, run, unit, equipment),
        Command::Regrade { run, how } => run::regrade(args, run, how),
        Command::Status { run } => runs::status(args, run),
        Command::Show { run, trajectory, checkpoint } => runs::show(args, run, trajectory.as_deref(), *checkpoint),
        Command::Report(report) => report::run(args, report),
        Command::View(view) => page::view(args, view),
        Command::CompareRuns(compare) => report::compare_runs(args, compare),
        Command::Slump(command) => slump::run(args, command),
        Command::Verify(verify) => artifacts::verify(args, verify),
        Command::Archive(archive) => artifacts::archive(args, archive),
        Command::Doctor => doctor::run(args),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man { out } => shell::man(out.as_deref()),
    }
}
