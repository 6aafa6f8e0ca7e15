//! What is measured: folders, histories, comparisons, the panel, and the rules behind it.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Subcommand, ValueEnum};
use slopbench_metrics::{Threshold, Tier};

#[derive(clap::Args)]
pub(crate) struct MeasureArgs {
    /// Folders and source files. Paths in the report are relative to the one, or to the current folder if there are several.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Which rules' matches are listed; figures do not depend on it.
    #[arg(long, value_enum, default_value_t, value_name = "TIER")]
    pub(crate) tier: TierChoice,

    /// Measure this language alone, as named in the JSON format; may be repeated [default: all].
    #[arg(long = "language", value_name = "NAME")]
    pub(crate) languages: Vec<String>,

    /// How many callables the tables show.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,

    /// Rubric violations that a judge found, for `verbosity_v0`; without them there is none.
    #[arg(long, value_name = "N")]
    pub(crate) rubric_violations: Option<u64>,

    /// Lint errors that a linter found, for `erosion_v0`; without them there is none.
    #[arg(long, value_name = "N")]
    pub(crate) lint_errors: Option<u64>,

    /// What to print [default: table, or json with --json].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Exit with 1 if this holds of the whole, as in 'erosion>0.5'; names are those of `total` in the JSON format. May be
    /// repeated, and adds to the configuration's `fail-on`.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<Threshold>,

    /// A configuration in place of the nearest slopbench.toml; its globs are relative to what paths in the report are.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Measure what git ignores, too.
    #[arg(long)]
    pub(crate) no_gitignore: bool,

    /// Heed neither slopbench.toml nor .gitignore nor comments that suppress matches, as when a solution is graded.
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
    /// For people, in a terminal.
    Table,
    /// Everything, as one JSON object.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// For a comment or a job's summary.
    Markdown,
    /// GitHub's workflow commands, which it shows as annotations.
    Github,
}

#[derive(clap::Args)]
pub(crate) struct HistoryArgs {
    /// A clone, a bare repository, or a folder inside one. Nothing is checked out.
    #[arg(default_value = ".")]
    pub(crate) repository: PathBuf,

    /// The revision whose first-parent line is measured.
    #[arg(long, default_value = "HEAD", value_name = "REV")]
    pub(crate) rev: String,

    /// How many of the commits that change source files are measured at most, evenly spaced, the first and last among them.
    #[arg(long, default_value = "30", value_name = "N")]
    pub(crate) commits: NonZeroUsize,

    /// Measure this folder alone; relative to the root of the repository.
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) path: String,

    /// Draw erosion and verbosity into this SVG file, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

#[derive(clap::Args)]
pub(crate) struct CompareArgs {
    /// A folder or source file, or else a revision such as HEAD~1 or v1.0:src; or two revisions as A..B.
    pub(crate) before: String,

    /// The same, for the later state.
    pub(crate) after: Option<String>,

    /// Compare what git ignores, too.
    #[arg(long)]
    pub(crate) no_gitignore: bool,

    /// The repository of the revisions.
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) repo: PathBuf,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Which rules' matches are listed; figures do not depend on it.
    #[arg(long, value_enum, default_value_t, value_name = "TIER")]
    pub(crate) tier: TierChoice,

    /// How many rows each table shows.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,
}

#[derive(clap::Args)]
pub(crate) struct PanelArgs {
    /// Only this package; may be repeated [default: all of the panel].
    #[arg(long = "package", value_name = "NAME")]
    pub(crate) packages: Vec<String>,

    /// Where fetched packages are kept [default: slopbench/sdists in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

#[derive(Subcommand)]
pub(crate) enum RulesCommand {
    /// A line per rule, with its tiers: `verbosity` counts in the figures, `advice` says what to change.
    List(RulesArgs),
    /// Why a rule is there, what it matches, and how to say that better.
    Explain {
        /// The rule's id.
        rule: String,
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Try the rules on the snippets beside them (`*-test.yml`, ast-grep's test format); exit code 1 if one does not behave.
    Test(RulesArgs),
}

#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// An ast-grep rule file, or a folder of them, in place of the built-in rules.
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Option<PathBuf>,
}
