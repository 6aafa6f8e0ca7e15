//! What can be asked.

mod grade;
mod measure;
mod run;

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::{
    grade::{ArchiveArgs, Backend, PlaceArgs, ProblemsCommand, SandboxArgs, TestArgs, VerifyArgs},
    measure::{CompareArgs, Format, HistoryArgs, MeasureArgs, PanelArgs, RulesArgs, RulesCommand},
    run::{HowArgs, RunArgs},
};

/// Measure how coding agents' code holds up over many changes.
///
/// Exit codes: 0 all is well; 1 a difference or a failed check; 2 usage or configuration; 3 infrastructure.
#[derive(Parser)]
#[command(name = "slopbench", version, arg_required_else_help = true)]
pub(crate) struct Args {
    /// The clone of the repository that holds `problems` and `artifacts` [default: the one the current folder lies in].
    #[arg(long, global = true, env = "SLOPBENCH_ROOT", value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Print one JSON value instead of tables.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// When to colour; `auto` colours on a terminal, and heeds NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,

    /// Show what is longer than the terminal's window without $SLOPBENCH_PAGER, $PAGER or less.
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure a folder or file: erosion, clones, verbosity and all that `slopbench explain` lists.
    Measure(MeasureArgs),
    /// Say what a measure is: its equation, its unit and where it comes from. Without a name, list all measures.
    Explain {
        /// The measure's name, or that of a field of `measure --json`.
        measure: Option<String>,
    },
    /// Measure commits sampled from a repository's history: erosion and verbosity over time.
    History(HistoryArgs),
    /// Say what changed between two folders, files or revisions: churn, callables, rule matches, clones.
    Compare(CompareArgs),
    /// Measure packages that people maintain, beside the paper's figures of them; fetches the packages with pip.
    Panel(PanelArgs),
    /// List the rules behind verbosity, explain one, or test them.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// List, show or check problems.
    #[command(subcommand)]
    Problems(ProblemsCommand),
    /// Run a problem's hidden cases against a solution.
    Test(TestArgs),
    /// Have agents solve problems checkpoint after checkpoint, and grade each. The same command resumes what it began.
    Run(RunArgs),
    /// Go on with a run that was stopped or killed, at the first step that is not there.
    Resume {
        /// The run's folder.
        run: PathBuf,
        #[command(flatten)]
        how: HowArgs,
    },
    /// Test and measure every checkpoint of a run anew; agents are not asked.
    Regrade {
        /// The run's folder.
        run: PathBuf,
        #[command(flatten)]
        how: HowArgs,
    },
    /// Say how far a run is, and what it found.
    Status {
        /// The run's folder.
        run: PathBuf,
    },
    /// Show a run's trajectories; one trajectory's checkpoints; or one checkpoint's diff, verdicts and session.
    Show {
        /// The run's folder.
        run: PathBuf,
        /// The trajectory's name.
        trajectory: Option<String>,
        /// From 1.
        checkpoint: Option<u32>,
    },
    /// Do the jobs of archived artifacts again and compare every byte and claim.
    Verify(VerifyArgs),
    /// Do the job of an artifact and archive its results in place of the old ones.
    Archive(ArchiveArgs),
    /// Say what of sandbox, Docker, Nix, python3 and git is there, and what to do about what is not.
    Doctor,
    /// Print what makes a shell complete the command line of slopbench.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, for whoever packages slopbench.
    #[command(hide = true)]
    Man {
        /// Write a page for every command into this folder instead.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}
