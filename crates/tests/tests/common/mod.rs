//! A small problem on disk, to be loaded, broken and played.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::{fs, path::Path};

use tempfile::TempDir;

pub(crate) const PROBLEM: &str = r#"format = "slopbench.problem/2"
title = "Echo"
kind = "cli"
entry = "echo"

[limits]
wall_ms = 3000

[[checkpoints]]
title = "Words"

[[checkpoints]]
title = "Numbers"

[[checkpoints.supersedes]]
case = "checkpoint_1/no_numbers"
reason = "numbers are allowed from checkpoint 2 on"
"#;

pub(crate) const CASE: &str = r#"format = "slopbench.case/1"
title = "One word comes back"
category = "core"
args = ["hello"]

[expect]
exit_code = 0

[expect.stdout]
text = "hello\n"
"#;

/// A problem of two checkpoints that loads.
pub(crate) fn problem() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let error_case = CASE.replace("core", "error");
    for (path, content) in [
        ("problem.toml", PROBLEM),
        ("checkpoint_1/spec.md", "Echo words."),
        ("checkpoint_1/cases/word.toml", CASE),
        ("checkpoint_1/cases/no_numbers.toml", &error_case),
        ("checkpoint_2/spec.md", "Echo numbers too."),
        ("checkpoint_2/cases/number.toml", CASE),
    ] {
        write(dir.path(), path, content);
    }
    dir
}

pub(crate) fn write(dir: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
