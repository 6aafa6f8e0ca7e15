//! What is measured: folders, histories, comparisons, the panel, and the rules behind it.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Subcommand, ValueEnum};
use slopbench_metrics::{Threshold, Tier};

use crate::figure_file::FigureFile;

#[derive(clap::Args)]
pub(crate) struct MeasureArgs {
    /// Folders and source files; paths in the report are relative to the folder, or to the current one if there are
    /// several.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// List matches of the rules in this tier; figures do not depend on it.
    #[arg(long, value_enum, default_value_t, value_name = "TIER")]
    pub(crate) tier: TierChoice,

    /// Measure only this language, by its name in the JSON format; may be repeated [default: all].
    #[arg(long = "language", value_name = "NAME")]
    pub(crate) languages: Vec<String>,

    /// Show at most N callables.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,

    /// Number of rubric violations that a judge found, for `verbosity_v0`.
    #[arg(long, value_name = "N")]
    pub(crate) rubric_violations: Option<u64>,

    /// Number of errors that a linter found, for `erosion_v0`.
    #[arg(long, value_name = "N")]
    pub(crate) lint_errors: Option<u64>,

    /// Output format [default: table, or json with --json].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Exit with 1 if this holds for the whole, as in 'erosion>0.5'; names are those of `total` in the JSON format. May
    /// be repeated, and adds to the configuration's `fail-on`.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<Threshold>,

    /// Use this configuration instead of the nearest slopbench.toml; its globs are relative to the same folder as paths
    /// in the report.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Include what git ignores.
    #[arg(long)]
    pub(crate) no_gitignore: bool,

    /// Heed neither slopbench.toml nor .gitignore files nor suppressing comments, as in grading.
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// Which rules' matches are listed.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum TierChoice {
    /// What a person should change.
    #[default]
    Advice,
    /// What counts in verbosity.
    Verbosity,
    /// Both.
    All,
}

impl From<TierChoice> for Option<Tier> {
    fn from(choice: TierChoice) -> Self {
        match choice {
            TierChoice::Advice => Some(Tier::Advice),
            TierChoice::Verbosity => Some(Tier::Verbosity),
            TierChoice::All => None,
        }
    }
}

/// How a measurement is written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Tables for people.
    Table,
    /// One JSON object with everything.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// Markdown, for a comment or a job's summary.
    Markdown,
    /// GitHub's workflow commands, shown as annotations.
    Github,
}

#[derive(clap::Args)]
pub(crate) struct HistoryArgs {
    /// Clone, bare repository, or folder inside one; nothing is checked out.
    #[arg(default_value = ".")]
    pub(crate) repository: PathBuf,

    /// Measure the first-parent line of this revision.
    #[arg(long, default_value = "HEAD", value_name = "REV")]
    pub(crate) rev: String,

    /// Measure at most N of the commits that change source files: the first, the last, and others at even distances.
    #[arg(long, default_value = "30", value_name = "N")]
    pub(crate) commits: NonZeroUsize,

    /// Measure only this folder, relative to the root of the repository.
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) path: String,

    /// Also draw erosion and verbosity into this SVG file; a name in .csv or .json gets the figure's data.
    #[arg(long, value_parser = FigureFile::parse, value_name = "FILE")]
    pub(crate) figure: Option<FigureFile>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

#[derive(clap::Args)]
pub(crate) struct CompareArgs {
    /// Folder, source file or revision, such as HEAD~1 or v1.0:src; or two revisions as A..B.
    pub(crate) before: String,

    /// Folder, source file or revision of the later state.
    pub(crate) after: Option<String>,

    /// Include what git ignores.
    #[arg(long)]
    pub(crate) no_gitignore: bool,

    /// Repository of the revisions.
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) repo: PathBuf,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// List matches of the rules in this tier; figures do not depend on it.
    #[arg(long, value_enum, default_value_t, value_name = "TIER")]
    pub(crate) tier: TierChoice,

    /// Show at most N rows per table.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,
}

#[derive(clap::Args)]
pub(crate) struct PanelArgs {
    /// Measure only this package; may be repeated [default: all].
    #[arg(long = "package", value_name = "NAME")]
    pub(crate) packages: Vec<String>,

    /// Keep fetched packages in this folder [default: slopbench/sdists in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,

    /// Also draw the figures and the paper's into this SVG file; a name in .csv or .json gets the figure's data.
    #[arg(long, value_parser = FigureFile::parse, value_name = "FILE")]
    pub(crate) figure: Option<FigureFile>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

#[derive(Subcommand)]
pub(crate) enum RulesCommand {
    /// List rules with their tiers.
    ///
    /// The tier `verbosity` counts in the figures, `advice` says what to change.
    List(RulesArgs),
    /// Explain a rule: why it is there, what it matches, what to write instead.
    Explain {
        /// Id of the rule.
        rule: String,
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Try rules on the snippets beside them.
    ///
    /// Snippets are in `*-test.yml`, in ast-grep's test format. Exits with 1 if a rule does not behave.
    Test(RulesArgs),
}

#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// Use the ast-grep rules in this file or folder instead of the built-in ones.
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Option<PathBuf>,
}
