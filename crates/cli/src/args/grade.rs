//! What is graded: solutions and artifacts, and the sandbox that their cases run in.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::ValueEnum;

use super::TrackArgs;

#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// Name of the problem.
    pub(crate) problem: String,

    /// Folder of the solution.
    #[arg(long, value_name = "DIR")]
    pub(crate) solution: PathBuf,

    /// Number of the checkpoint, from 1 [default: the last].
    #[arg(long, value_name = "N")]
    pub(crate) checkpoint: Option<u32>,

    /// Also list cases that pass.
    #[arg(long)]
    pub(crate) all: bool,

    /// Also list the N cases that took most processor time, and how close they came to a limit.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) slowest: usize,

    #[command(flatten)]
    pub(crate) track: TrackArgs,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Folders of artifacts [default: all below `artifacts`].
    #[arg(value_name = "ARTIFACT")]
    pub(crate) artifacts: Vec<PathBuf>,

    /// Do no job again: compare digests of inputs and archived results with the manifest, and archived figures with claims.
    #[arg(long)]
    pub(crate) digests: bool,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// Folder of the artifact, which holds artifact.toml.
    pub(crate) artifact: PathBuf,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// Where solutions run, and how many at once.
#[derive(clap::Args)]
pub(crate) struct SandboxArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// Run at most N cases at once [default: one per processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// Where solutions and sessions of agents run; with `none`, sessions are in namespaces.
    #[arg(long, value_enum, default_value_t = Backend::Namespaces, value_name = "BACKEND")]
    pub(crate) sandbox: Backend,

    /// Show solutions this system instead of the machine's: an image that `cargo xtask images --unpack` unpacked; needs
    /// `--sandbox namespaces`.
    #[arg(long, value_name = "DIR")]
    pub(crate) system: Option<PathBuf>,

    /// Show solutions this Python interpreter, such as `3.12`, instead of the `python3` on the PATH; needs `--sandbox namespaces`.
    #[arg(long, value_name = "PROGRAM|VERSION", conflicts_with = "system")]
    pub(crate) python: Option<PathBuf>,

    /// Keep the packages that solutions declare in this folder [default: slopbench/environments in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) environments_dir: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Backend {
    /// Linux namespaces: no daemon, no root.
    Namespaces,
    /// Containers of Docker or Podman, from images that `cargo xtask images --load` built.
    Docker,
    /// This machine itself, without any protection.
    None,
}
