//! What can be asked.

mod agents;

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

use clap::{Parser, Subcommand, ValueEnum};
use slopbench_metrics::{Threshold, Tier};
use slopbench_runner::run::DEFAULT_LIMIT_SECONDS;

pub(crate) use self::agents::{AgentsCommand, CatalogueArgs};

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
    /// List agents, lock a version of one, or try one out with a scripted model.
    #[command(subcommand)]
    Agents(AgentsCommand),
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
}

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

    /// Heed neither slopbench.toml nor comments that suppress matches, as when a solution is graded.
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

#[derive(Subcommand)]
pub(crate) enum ProblemsCommand {
    /// A line a problem.
    List,
    /// One problem: its checkpoints and cases.
    Show {
        /// The problem's name.
        problem: String,
        /// Print this checkpoint's specification instead.
        #[arg(long, value_name = "N")]
        spec: Option<u32>,
    },
    /// Check problems: formats, references solving their checkpoints, and each checkpoint asking for something new.
    Check {
        /// The problems' names [default: all].
        problems: Vec<String>,
        #[command(flatten)]
        sandbox: SandboxArgs,
    },
}

#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// The problem's name.
    pub(crate) problem: String,

    /// The folder that holds the solution.
    #[arg(long, value_name = "DIR")]
    pub(crate) solution: PathBuf,

    /// The checkpoint, from 1 [default: the last].
    #[arg(long, value_name = "N")]
    pub(crate) checkpoint: Option<u32>,

    /// List the cases that pass, too.
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Who solves: reference, noop, command, or an agent as `codex` or `codex@0.169.0`; may be repeated [default: the
    /// agent of each --model].
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,

    /// The model behind agents: `scripted`, which plays the reference solution, one of the catalogue, or PROVIDER:ID for any
    /// other of a provider's; may be repeated.
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) models: Vec<String>,

    /// What is solved, separated by commas [default: all problems].
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) problems: Vec<String>,

    /// What agents are told: just-solve, anti_slop, plan_first, or a file with a template; may be repeated.
    #[arg(long = "prompt", default_values_t = ["just-solve".to_owned()], value_name = "NAME|FILE")]
    pub(crate) prompts: Vec<String>,

    /// How often each is done.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) repeats: NonZeroU32,

    /// Give all checkpoints at once and grade the last: the one-shot control.
    #[arg(long)]
    pub(crate) one_shot: bool,

    /// Wall-clock time for one checkpoint [default: the paper's two hours].
    #[arg(long, default_value_t = DEFAULT_LIMIT_SECONDS, value_name = "SECONDS")]
    pub(crate) time_limit: u64,

    /// Let agents reach this host, such as a package registry's; with port 443 unless it names another; may be repeated
    /// [default: they reach their model alone].
    #[arg(long = "allow-host", value_parser = host, value_name = "HOST")]
    pub(crate) allowed_hosts: Vec<String>,

    /// The run's folder [default: below `runs`, named after what is planned].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Say what would be done, and what it may cost and take; do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Keep every exchange with the model, to be replayed.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) record: bool,

    /// Answer from what was recorded in this run's folder.
    #[arg(long, value_name = "RUN")]
    pub(crate) replay: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) how: HowArgs,

    /// The program of the agent `command` and its arguments; `{prompt}` in them is what it is told.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// How a run is carried out. Of this, the plan names what makes its results: back end and images.
#[derive(clap::Args)]
pub(crate) struct HowArgs {
    /// How many trajectories at once.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) jobs: NonZeroUsize,

    /// Begin no further session once this much is spent, by our price table. Resume with more to go on.
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) budget_usd: Option<f64>,

    /// Begin no further session once so many tokens are used, in and out.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,

    /// Where agents are installed [default: slopbench/agents in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) agents_dir: Option<PathBuf>,

    /// The engine's image that sessions are in, with `--sandbox docker` [default: slopbench/node for agents from npm,
    /// slopbench/build for commands].
    #[arg(long, value_name = "NAME")]
    pub(crate) image: Option<String>,

    /// Go on although tool, rules, back end, image, interpreter or entries of the catalogue are not those that the run was
    /// planned with; its results then name each difference.
    #[arg(long)]
    pub(crate) accept_difference: bool,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Folders of artifacts [default: all below `artifacts`].
    pub(crate) artifacts: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// The artifact's folder, which holds artifact.toml.
    pub(crate) artifact: PathBuf,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// Where solutions run, and how many at once.
#[derive(clap::Args)]
pub(crate) struct SandboxArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// How many cases run at once [default: one a processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// Where solutions run, and sessions of agents; with `none`, sessions are in namespaces.
    #[arg(long, value_enum, default_value_t = Backend::Namespaces, value_name = "BACKEND")]
    pub(crate) sandbox: Backend,

    /// Show solutions this system in place of the machine's: an image that `cargo xtask images --unpack` unpacked. With
    /// `--sandbox namespaces` only.
    #[arg(long, value_name = "DIR")]
    pub(crate) system: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Backend {
    /// Linux namespaces: no daemon, no root.
    Namespaces,
    /// Containers of Docker or Podman, from the images that `cargo xtask images --load` builds.
    Docker,
    /// This machine itself, without any protection.
    None,
}

/// A host with its port, in the one way in which it is planned.
fn host(text: &str) -> Result<String, String> {
    let (name, port) = text.rsplit_once(':').unwrap_or((text, "443"));
    let is_name = !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "-._".contains(one));
    match (is_name, port.parse::<u16>()) {
        (true, Ok(port)) => Ok(format!("{}:{port}", name.to_ascii_lowercase())),
        _ => Err("expected the name of a host such as example.org, or with a port such as example.org:8443".to_owned()),
    }
}
