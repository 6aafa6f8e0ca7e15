//! What is done with problems themselves.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::{SandboxArgs, TrackArgs};
use crate::figure_file::FigureFile;

#[derive(Subcommand)]
pub(crate) enum ProblemsCommand {
    /// List problems.
    List,
    /// Show a problem: its checkpoints and cases.
    Show {
        /// Name of the problem.
        problem: String,
        /// Print the specification of checkpoint N instead.
        #[arg(long, value_name = "N")]
        spec: Option<u32>,
        #[command(flatten)]
        track: TrackArgs,
    },
    /// Check the format, the texts and the reference solutions of problems.
    ///
    /// References must solve their checkpoints, and each checkpoint must ask for something new.
    Check {
        /// Names of the problems [default: all].
        #[arg(value_name = "PROBLEM")]
        problems: Vec<String>,
        #[command(flatten)]
        track: TrackArgs,
        #[command(flatten)]
        sandbox: SandboxArgs,
    },
    /// Show by evidence that problems are sound.
    ///
    /// What was found is kept in slopbench/audit in the user's cache folder: what did not change is not asked again.
    Audit(AuditArgs),
    /// Write a new problem of two checkpoints, which passes its own check.
    New {
        /// Name of the problem: lower-case words joined by `_`.
        name: String,
        /// What solutions are.
        #[arg(long, value_enum, default_value_t = Kind::Cli, value_name = "KIND")]
        kind: Kind,
    },
}

#[derive(clap::Args)]
pub(crate) struct AuditArgs {
    /// Names of the problems [default: all].
    #[arg(value_name = "PROBLEM")]
    pub(crate) problems: Vec<String>,

    /// Make these checks only: references, stable, distinct, independent, mutants, second, sentences, growth
    /// [default: all].
    #[arg(long, value_delimiter = ',', value_name = "CHECK")]
    pub(crate) checks: Vec<String>,

    /// Play each case N times by a reference solution, under varying conditions.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) repeats: u32,

    /// Play at most N mutants of each checkpoint.
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) mutants: usize,

    /// Draw mutants and orders from this seed; a larger sample has all mutants of a smaller one.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    pub(crate) seed: u64,

    /// Write the report as JSON into this file, too; what it has already of other checks stays, where problem, tool and
    /// instrument are the same.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Also draw erosion and verbosity, as `growth` finds them, into this SVG file; a name in .csv or .json gets the figure's data.
    #[arg(long, value_parser = FigureFile::parse, value_name = "FILE")]
    pub(crate) figure: Option<FigureFile>,

    /// Leave out problems whose files are those that DIR/PROBLEM.json, an earlier report with all these checks, was made of.
    #[arg(long, value_name = "DIR")]
    pub(crate) changed_since: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    /// Programs that are run and end.
    Cli,
    /// Servers that are asked over HTTP.
    Http,
}
