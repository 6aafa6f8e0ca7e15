//! What is asked of the study SLUMP.

use std::{
    num::{NonZeroU32, NonZeroU64},
    path::PathBuf,
};

use clap::{Subcommand, ValueEnum};
use slopbench_slump::study::DEFAULT_REQUEST_SECONDS;

use super::{AnswersArgs, HowArgs, JudgingArgs, pipeline::SlumpMakeArgs};

#[derive(Subcommand)]
pub(crate) enum SlumpCommand {
    /// Check, show or begin tasks: designs that emerge over a conversation.
    Tasks {
        /// Folder of tasks [default: `tasks` of the repository].
        #[arg(long, value_name = "DIR", global = true)]
        tasks: Option<PathBuf>,
        #[command(subcommand)]
        command: SlumpTasksCommand,
    },
    /// Say how much of what the modules of a repository offer is used: DIR.
    Dir {
        /// Folder of the repository.
        folder: PathBuf,
    },
    /// Have agents build tasks, all at once and request after request.
    ///
    /// The same command resumes a run that was stopped or killed, after any request.
    Run(Box<SlumpRunArgs>),
    /// Have a model judge how much of each component a task's requests give away.
    ///
    /// Writes `TASK.exposure.json`, by which `slump judge` admits the task.
    Exposure(SlumpExposureArgs),
    /// Have a model judge every component of what sessions left, and say what is lost.
    ///
    /// Writes `scores.json`, and `judgements.json` for `judge calibrate sample` and `judge compare`. Tasks whose requests disclose too little are refused.
    Judge(SlumpJudgeArgs),
    /// Show what a run's sessions took, what they left, and what is lost.
    Status {
        /// Folder of the run.
        run: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum SlumpTasksCommand {
    /// Say everything that is wrong with tasks, by file and line.
    Check {
        /// Names of the tasks [default: all].
        #[arg(value_name = "TASK")]
        names: Vec<String>,
    },
    /// List tasks, or show one: components, versions, and what its requests disclose.
    Show {
        /// Name of the task.
        task: Option<String>,
    },
    /// Make a task of a document: specification, components, versions, requests.
    ///
    /// Four stages, each asked of a model and frozen in `assets` of the task's folder. The same command goes on where it stopped.
    Make(Box<SlumpMakeArgs>),
    /// Write a new task: every file in its form, with nothing in it yet.
    New {
        /// Name of the task: lower-case words joined by `_`.
        name: String,
    },
}

#[derive(clap::Args)]
pub(crate) struct SlumpJudgeArgs {
    /// Folder of the run.
    pub(crate) run: PathBuf,

    /// Folder of tasks [default: `tasks` of the repository].
    #[arg(long, value_name = "DIR")]
    pub(crate) tasks: Option<PathBuf>,

    /// What a judge says of how much a task's requests disclose, as `slump exposure` wrote it; may be repeated. Other tasks are admitted by
    /// what their authors say.
    #[arg(long = "exposure", value_name = "FILE")]
    pub(crate) exposures: Vec<PathBuf>,

    /// Calibration of this judge, as `judge calibrate read` wrote it.
    #[arg(long, value_name = "FILE")]
    pub(crate) calibration: Option<PathBuf>,

    /// Ask so often, and score what most answers give; of several such scores the lowest.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) votes: NonZeroU32,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,
}

#[derive(clap::Args)]
pub(crate) struct SlumpExposureArgs {
    /// Names of the tasks [default: all].
    #[arg(value_name = "TASK")]
    pub(crate) names: Vec<String>,

    /// Folder of tasks [default: `tasks` of the repository].
    #[arg(long, value_name = "DIR")]
    pub(crate) tasks: Option<PathBuf>,

    /// Ask after each request, for the curves, and not after the last alone.
    #[arg(long)]
    pub(crate) each: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,
}

#[derive(clap::Args)]
pub(crate) struct SlumpRunArgs {
    /// Tasks to build, separated by commas [default: all].
    #[arg(long = "task", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) names: Vec<String>,

    /// Folder of tasks [default: `tasks` of the repository].
    #[arg(long, value_name = "DIR")]
    pub(crate) tasks: Option<PathBuf>,

    /// Conditions: emergent, single-shot, emergent-guarded, single-shot-guarded; separated by commas.
    #[arg(long = "condition", value_delimiter = ',', default_value = "emergent,single-shot", value_name = "NAMES")]
    pub(crate) conditions: Vec<String>,

    /// Who works: reference, noop, command, or an agent that goes on with conversations; may be repeated [default: the agent
    /// of each model].
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,

    /// Model of the agents: `scripted`, which writes the task's reference, one of the catalogue, or PROVIDER:ID; may be repeated.
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) models: Vec<String>,

    /// What the single shot is given.
    #[arg(long, value_enum, default_value_t = SlumpDocumentArg::Specification, value_name = "DOCUMENT")]
    pub(crate) document: SlumpDocumentArg,

    /// Number of sessions per task, condition and worker.
    #[arg(long, default_value = "1", value_name = "N")]
    pub(crate) repeats: NonZeroU32,

    /// Wall-clock limit per request.
    #[arg(long, default_value_t = DEFAULT_REQUEST_SECONDS, value_name = "SECONDS")]
    pub(crate) time_limit: u64,

    /// Run the tests that agents wrote, with pytest and without a network, in what each session left; for so long at most [without a
    /// number: 600]. Their packages come from the package index or the cache, also with --offline.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "600")]
    pub(crate) own_tests: Option<NonZeroU64>,

    /// Cut agents off from the package indexes of Python and npm; with --record and --replay they are in any case.
    #[arg(long)]
    pub(crate) offline: bool,

    /// Folder of the run [default: below `runs`, named after the plan].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) answers: AnswersArgs,

    #[command(flatten)]
    pub(crate) guard: SlumpGuardArgs,

    #[command(flatten)]
    pub(crate) how: HowArgs,

    /// Program of the agent `command`, and its arguments; `{prompt}` stands for what it is told.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// Who guards sessions under guarded conditions.
#[derive(clap::Args)]
pub(crate) struct SlumpGuardArgs {
    /// Model of the guard: one of the catalogue, PROVIDER:ID, or `none`, which keeps the code's structure and the requests alone.
    #[arg(long, value_name = "NAME")]
    pub(crate) guard_model: Option<String>,

    /// Settings of the guard, as in a state's guard.toml: the size of its briefs, and when a conversation begins anew.
    #[arg(long, value_name = "FILE", requires = "guard_model")]
    pub(crate) guard_settings: Option<PathBuf>,

    /// Have this script answer in the place of the guard's model.
    #[arg(long, value_name = "FILE", requires = "guard_model", conflicts_with = "guard_replay")]
    pub(crate) guard_script: Option<PathBuf>,

    /// Have what was recorded in this folder of a run answer in the place of the guard's model.
    #[arg(long, value_name = "RUN", requires = "guard_model")]
    pub(crate) guard_replay: Option<PathBuf>,
}

/// What the single shot is given.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SlumpDocumentArg {
    /// The canonical specification.
    Specification,
    /// The document that it was taken from.
    Paper,
}
