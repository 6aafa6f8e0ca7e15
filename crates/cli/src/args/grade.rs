//! What is graded: problems, solutions and artifacts, and the sandbox that their cases run in.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Subcommand, ValueEnum};

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
