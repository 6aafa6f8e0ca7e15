//! What a history costs beside measuring, on a repository made of the packages of [`crate::anchors`].

use std::{path::Path, process::ExitCode};

use xshell::{Shell, cmd};

use crate::{Failure, anchors, status};

/// Fetches the packages and runs the benchmark; exit code 1 where its goal is missed.
pub(crate) fn run(shell: &Shell, root: &Path) -> Result<ExitCode, Failure> {
    let packages = shell.read_dir(anchors::fetch_all(shell, root)?)?;
    status(cmd!(shell, "cargo bench --quiet --package slopbench-history --bench history -- {packages...}"))
}
