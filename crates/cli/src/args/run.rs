//! What is run: agents on problems.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

use slopbench_slopcode::run::DEFAULT_LIMIT_SECONDS;

use super::{CatalogueArgs, PlaceArgs, TrackArgs};

#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Who solves: reference, noop, command, or an agent such as `codex` or `codex@0.169.0`; may be repeated [default:
    /// the agent of each model].
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,

    /// Model of the agents: `scripted`, which plays the reference solution, one of the catalogue, or PROVIDER:ID for any other
    /// of a provider's; may be repeated.
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) models: Vec<String>,

    /// Problems to solve, separated by commas [default: all].
    #[arg(long = "problem", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) problems: Vec<String>,

    #[command(flatten)]
    pub(crate) track: TrackArgs,

    /// What agents are told: just-solve, anti_slop, plan_first, or the file of a template; may be repeated.
    #[arg(long = "prompt", default_values_t = ["just-solve".to_owned()], value_name = "NAME|FILE")]
    pub(crate) prompts: Vec<String>,

    /// Number of trajectories per problem, worker and prompt.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) repeats: NonZeroU32,

    /// Give all checkpoints at once and grade the last, as a control.
    #[arg(long)]
    pub(crate) one_shot: bool,

    /// Wall-clock limit per checkpoint; by default the paper's two hours.
    #[arg(long, default_value_t = DEFAULT_LIMIT_SECONDS, value_name = "SECONDS")]
    pub(crate) time_limit: u64,

    /// Let agents reach this host at port 443, unless it names another; may be repeated [default: their model and the package
    /// indexes].
    #[arg(long = "allow-host", value_parser = host, value_name = "HOST")]
    pub(crate) allowed_hosts: Vec<String>,

    /// Cut agents off from the package indexes of Python and npm; with --record and --replay they are in any case.
    #[arg(long)]
    pub(crate) offline: bool,

    /// Folder of the run [default: below `runs`, named after the plan].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Show the plan and what it may cost and take, and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Write the run's folder and its plan, and do nothing: for `run-unit`.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) plan_only: bool,

    #[command(flatten)]
    pub(crate) answers: AnswersArgs,

    #[command(flatten)]
    pub(crate) how: HowArgs,

    /// Program of the agent `command`, and its arguments; `{prompt}` stands for what it is told.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// Where the answers of agents' models come from.
#[derive(clap::Args)]
pub(crate) struct AnswersArgs {
    /// Record all exchanges with models, for --replay.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) record: bool,

    /// Answer from the exchanges recorded in this run.
    #[arg(long, value_name = "RUN")]
    pub(crate) replay: Option<PathBuf>,
}

/// How a run is carried out. Of this, the plan names what makes its results: back end and images.
#[derive(clap::Args)]
pub(crate) struct HowArgs {
    /// Work on at most N trajectories at once.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) jobs: NonZeroUsize,

    /// Begin no session once this much is spent, by the price table; resume with more to go on.
    #[arg(long, value_name = "USD")]
    pub(crate) budget_usd: Option<f64>,

    /// Begin no session once N tokens are used, input and output together.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,

    /// Go on although tool, rules, back end, image, interpreter or entries of the catalogue are not those of the plan;
    /// results then name each difference.
    #[arg(long)]
    pub(crate) accept_difference: bool,

    #[command(flatten)]
    pub(crate) equipment: EquipmentArgs,
}

/// What sessions and grades are done with.
#[derive(clap::Args)]
pub(crate) struct EquipmentArgs {
    /// Install agents into this folder [default: slopbench/agents in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) agents_dir: Option<PathBuf>,

    /// Image for sessions with `--sandbox docker` [default: slopbench/node for agents from npm, slopbench/build for
    /// commands].
    #[arg(long, value_name = "NAME")]
    pub(crate) image: Option<String>,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,
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
