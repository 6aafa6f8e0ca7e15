//! What can be asked of the catalogue and its agents.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(clap::Args)]
pub(crate) struct CatalogueArgs {
    /// Add the providers, models, prices and agents of this file, above those of the user's folder and of slopbench.toml; may
    /// be repeated.
    #[arg(long = "catalogue", value_name = "FILE")]
    pub(crate) catalogues: Vec<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum AgentsCommand {
    /// A line per agent: where it comes from, the API that it speaks, and the versions that are locked.
    List {
        #[command(flatten)]
        catalogue: CatalogueArgs,
    },
    /// Have npm or pip choose and pin every package of a version; later runs can name it.
    Lock {
        /// The agent and its version, as in codex@0.170.0.
        #[arg(value_name = "NAME@VERSION")]
        agent: String,
        #[command(flatten)]
        catalogue: CatalogueArgs,
    },
    /// Install an agent and have it write one file with a scripted model; exit code 1 if it does not.
    Check {
        /// The agent, and its version unless it is the newest.
        #[arg(value_name = "NAME[@VERSION]")]
        agent: String,
        /// Where agents are installed [default: slopbench/agents in the user's cache folder].
        #[arg(long, value_name = "DIR")]
        agents_dir: Option<PathBuf>,
        #[command(flatten)]
        catalogue: CatalogueArgs,
    },
}
