//! What solutions' packages became.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(clap::Args)]
pub(crate) struct StoreArgs {
    /// Where environments are kept [default: slopbench/environments in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) environments_dir: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum EnvironmentsCommand {
    /// List the environments that were built, with their packages and sizes.
    List {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Remove environments that nobody uses, with all that was fetched for them.
    ///
    /// They are built again when they are needed, from the packages that runs have locked.
    Prune {
        /// Only what was built at least N days ago; what was fetched is kept then.
        #[arg(long, value_name = "N")]
        older_than: Option<u64>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Write all packages that runs and artifacts have locked into a folder.
    ///
    /// With it, these are graded again without a network.
    Export {
        /// Folder to write.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Folders of runs and artifacts.
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<PathBuf>,
        /// Also write the linter of `slopbench lint`.
        #[arg(long)]
        linter: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Take in the packages of a folder that `export` wrote.
    Import {
        /// That folder.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
}
