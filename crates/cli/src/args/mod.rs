//! What can be asked.

mod agents;
mod environments;
mod grade;
mod guard;
mod judge;
mod measure;
mod pipeline;
mod problems;
mod report;
mod run;
mod slump;
mod track;

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::{
    agents::{AgentsCommand, CatalogueArgs},
    environments::{EnvironmentsCommand, StoreArgs},
    grade::{ArchiveArgs, Backend, PlaceArgs, SandboxArgs, TestArgs, VerifyArgs},
    guard::{GuardCodeArgs, GuardCommand, GuardLoadArgs, GuardModelArgs, GuardPlaceArgs, RequestArgs},
    judge::{CalibrateCommand, JudgeCommand, JudgingArgs, LintArgs, RubricArgs},
    measure::{CompareArgs, Format, HistoryArgs, MeasureArgs, PanelArgs, RulesArgs, RulesCommand},
    pipeline::SlumpMakeArgs,
    problems::{AuditArgs, Kind, ProblemsCommand},
    report::{CompareRunsArgs, ReportArgs, ReportFormat, ViewArgs},
    run::{AnswersArgs, EquipmentArgs, HowArgs, RunArgs},
    slump::{
        SlumpCommand, SlumpDocumentArg, SlumpExposureArgs, SlumpGuardArgs, SlumpJudgeArgs, SlumpRunArgs,
        SlumpTasksCommand,
    },
    track::TrackArgs,
};

/// The heading of options that every command takes.
const GLOBAL: &str = "Global options";

/// Measure how coding agents' code holds up over many changes.
///
/// Exit codes: 0 all is well; 1 a difference or a failed check; 2 usage or configuration; 3 infrastructure.
#[derive(Parser)]
#[command(name = "slopbench", version, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Repository that holds `problems` and `artifacts` [default: the one around the current folder].
    #[arg(long, global = true, help_heading = GLOBAL, env = "SLOPBENCH_ROOT", hide_env_values = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Folder of problems, of our own or of SlopCodeBench's format, in place of the repository's; may be given several times.
    #[arg(long = "problems", global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) problem_folders: Vec<PathBuf>,

    /// Print one JSON value instead of tables.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,

    /// When to use colours; `auto` is on terminals, unless NO_COLOR is set.
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,

    /// Do not page listings that are longer than the terminal's window.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_pager: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure folders and files: erosion, verbosity, clones and more.
    ///
    /// `slopbench explain` lists all measures.
    Measure(MeasureArgs),
    /// Explain a measure: its equation, unit and source; or list all.
    Explain {
        /// Name of the measure, or of a field of `measure --json`.
        measure: Option<String>,
    },
    /// Measure commits sampled from a repository's history.
    History(HistoryArgs),
    /// Compare two folders, files or revisions: churn, callables, rule matches, clones.
    Compare(CompareArgs),
    /// Measure packages that people maintain, beside the paper's figures.
    ///
    /// Fetches the packages with pip.
    Panel(PanelArgs),
    /// List, explain or test rules.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// List, show, check, audit or begin problems.
    #[command(subcommand)]
    Problems(ProblemsCommand),
    /// Run a problem's hidden cases against a solution.
    Test(TestArgs),
    /// Have agents solve problems, and grade every checkpoint.
    ///
    /// The same command resumes a run that was stopped or killed.
    Run(RunArgs),
    /// List agents, lock a version of one, or try one out with a scripted model.
    #[command(subcommand)]
    Agents(AgentsCommand),
    /// List, remove, export or import the environments of solutions' packages.
    #[command(subcommand)]
    Environments(EnvironmentsCommand),
    /// Lint what each checkpoint of a run left, with a pinned Ruff.
    Lint(LintArgs),
    /// Keep a project's commitments and its code's structure beside an agent.
    #[command(subcommand)]
    Guard(GuardCommand),
    /// Calibrate judges against people, or compare two judges.
    #[command(subcommand)]
    Judge(JudgeCommand),
    /// Resume a run that was stopped or killed.
    Resume {
        /// Folder of the run.
        run: PathBuf,
        #[command(flatten)]
        how: HowArgs,
    },
    /// Do what is missing of one trajectory, beside other processes on the run.
    ///
    /// Nothing happens where all of it is done. `slopbench resume` does what is left and writes the summary.
    RunUnit {
        /// Folder of the run, on a file system that all of these processes see; `slopbench run --plan-only` makes one.
        run: PathBuf,
        /// Trajectory, as `slopbench status` names it.
        unit: String,
        #[command(flatten)]
        equipment: EquipmentArgs,
    },
    /// Grade every checkpoint of a run again; agents are not asked.
    Regrade {
        /// Folder of the run.
        run: PathBuf,
        #[command(flatten)]
        how: HowArgs,
    },
    /// Show a run's progress and results.
    Status {
        /// Folder of the run.
        run: PathBuf,
    },
    /// Show a run's trajectories, one trajectory, or one checkpoint.
    ///
    /// Of a checkpoint, its session, its diff and the cases that do not pass are shown.
    Show {
        /// Folder of the run.
        run: PathBuf,
        /// Name of the trajectory.
        trajectory: Option<String>,
        /// Number of the checkpoint, from 1.
        checkpoint: Option<u32>,
    },
    /// Give every table of the paper for any number of runs.
    ///
    /// Without --table, all tables of results. `slopbench report --list` names them.
    Report(ReportArgs),
    /// Show runs in a browser, and follow them while they go on.
    ///
    /// The page is served on 127.0.0.1 alone, until Ctrl-C. `slopbench report --format html` writes it into a file.
    View(ViewArgs),
    /// Compare two runs: which is better, by how much, and whether that is real.
    CompareRuns(CompareRunsArgs),
    /// The study SLUMP: what is lost where a design emerges over a conversation.
    #[command(subcommand)]
    Slump(SlumpCommand),
    /// Repeat the jobs of archived artifacts, and compare every byte and claim.
    Verify(VerifyArgs),
    /// Do the job of an artifact, and archive its results in place of the old ones.
    Archive(ArchiveArgs),
    /// Check what slopbench needs, and say how to get what is missing.
    Doctor,
    /// Print a completion script for a shell.
    Completions {
        /// Shell that reads the script.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page.
    #[command(hide = true)]
    Man {
        /// Write a page per command into this folder instead.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// A command and all below it.
    fn tree(command: &clap::Command) -> Vec<&clap::Command> {
        [command].into_iter().chain(command.get_subcommands().flat_map(tree)).collect()
    }

    #[test]
    fn every_command_and_option_is_explained_in_one_style() {
        let mut root = Args::command();
        root.build();
        let reads_well = |text: &str| text.starts_with(char::is_uppercase) && !text.ends_with('.');
        for command in tree(&root) {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default());
            assert!(reads_well(&about) && about.len() <= 80, "{name}: {about}");
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(reads_well(&help), "{name} {}: {help}", argument.get_id());
                let values = argument.get_value_names().unwrap_or_default();
                let is_upper =
                    |value: &str| value.chars().all(|one| one.is_ascii_uppercase() || "_|@[]=".contains(one));
                assert!(values.iter().all(|value| is_upper(value)), "{name} {}: {values:?}", argument.get_id());
            }
        }
    }
}
