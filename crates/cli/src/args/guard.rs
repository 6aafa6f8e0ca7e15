//! The state of a project beside one's own agent.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::CatalogueArgs;

#[derive(Subcommand)]
pub(crate) enum GuardCommand {
    /// Begin the state of a project, and read its code.
    Init {
        #[command(flatten)]
        place: GuardPlaceArgs,
        #[command(flatten)]
        code: GuardCodeArgs,
    },
    /// Bring the state up to date after a turn of the agent's.
    ///
    /// The code is read in any case; a model reads the request for what it commits the project to. Exit code 1 if its answer
    /// came to nothing, 3 if it was not reached; the records are as they were then, and the next update reads the turn again.
    Update {
        #[command(flatten)]
        place: GuardPlaceArgs,
        #[command(flatten)]
        code: GuardCodeArgs,
        #[command(flatten)]
        request: RequestArgs,
        /// File with what the agent answered at the end.
        #[arg(long, value_name = "FILE")]
        answer_file: Option<PathBuf>,
        #[command(flatten)]
        model: GuardModelArgs,
    },
    /// Print what begins a fresh session: the commitments and the code's structure.
    ///
    /// No model is asked.
    Brief {
        #[command(flatten)]
        place: GuardPlaceArgs,
        #[command(flatten)]
        code: GuardCodeArgs,
    },
    /// Print what an agent should know before a request, and the request behind it.
    ///
    /// Where the agent's session should begin anew, by the policy in guard.toml and the forecast, it is what the fresh one begins with. Exit
    /// code 1 if a model's answer came to nothing, 3 if it was not reached; what is printed has no forecast then.
    Forecast {
        #[command(flatten)]
        place: GuardPlaceArgs,
        #[command(flatten)]
        code: GuardCodeArgs,
        #[command(flatten)]
        request: RequestArgs,
        #[command(flatten)]
        load: GuardLoadArgs,
        #[command(flatten)]
        model: GuardModelArgs,
    },
    /// Show the state, its size, and whether a session should begin anew.
    Status {
        #[command(flatten)]
        place: GuardPlaceArgs,
        #[command(flatten)]
        load: GuardLoadArgs,
    },
}

#[derive(Args)]
pub(crate) struct GuardPlaceArgs {
    /// Folder of the project.
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) project: PathBuf,

    /// Folder of the state [default: .projectguard in the project's].
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct GuardCodeArgs {
    /// Read the code of this revision, in place of the files as they are now.
    #[arg(long, value_name = "REV")]
    pub(crate) revision: Option<String>,
}

#[derive(Args, Clone, Copy)]
pub(crate) struct GuardLoadArgs {
    /// Turns that the agent's session has had.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) session_turns: u32,

    /// Tokens in the context of the agent's session.
    #[arg(long, value_name = "N")]
    pub(crate) context_tokens: Option<u64>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RequestArgs {
    /// What the user asks for.
    #[arg(long, value_name = "TEXT")]
    pub(crate) request: Option<String>,

    /// File with what the user asks for; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) request_file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct GuardModelArgs {
    /// Model to ask: one of the catalogue, or PROVIDER:ID for any other of a provider's.
    #[arg(long, required_unless_present = "no_model", value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Ask no model: records stay as they are, and there is no forecast.
    #[arg(long, conflicts_with = "model")]
    pub(crate) no_model: bool,

    /// Record what the model answers into this file.
    #[arg(long, conflicts_with_all = ["no_model", "replay"], value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Answer from what was recorded in this file; no provider is asked.
    #[arg(long, conflicts_with = "no_model", value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,

    /// Answer from the `answers` of this script (slopbench.script/1); no provider is asked.
    #[arg(long, conflicts_with_all = ["no_model", "record", "replay"], value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Ask nothing that may cost more than this in all, by the price table.
    #[arg(long, conflicts_with = "no_model", value_name = "USD", value_parser = super::judge::dollars)]
    pub(crate) budget_usd: Option<f64>,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,
}
