//! Runs that are mostly the harness's own work: of a problem with a single case at each checkpoint.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use walkdir::WalkDir;

use crate::Failure;

const PROBLEM: &str = "code_search";

/// A repository in `scratch` that has such a problem alone.
pub(crate) fn repository(root: &Path, scratch: &Path) -> Result<PathBuf, Failure> {
    let repository = scratch.join("repository");
    thin_out(&root.join("problems").join(PROBLEM), &repository.join("problems").join(PROBLEM))?;
    Ok(repository)
}

/// `slopbench run` of it, which says nothing.
pub(crate) fn run(slopbench: &Path, repository: &Path, out: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(slopbench);
    command.arg("--root").arg(repository).args(["run", "--problem", PROBLEM, "--out"]).arg(out).args(options);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Copies a problem with the first core case of each checkpoint alone.
fn thin_out(problem: &Path, to: &Path) -> Result<(), Failure> {
    copy(problem, to)?;
    let definition = to.join("problem.toml");
    let mut table: toml::Table = toml::from_str(&fs::read_to_string(&definition)?)?;
    let checkpoints = table.get_mut("checkpoints").and_then(toml::Value::as_array_mut);
    for checkpoint in checkpoints.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
        checkpoint.remove("supersedes");
    }
    fs::write(definition, toml::to_string(&table)?)?;
    for entry in fs::read_dir(to)? {
        let cases = entry?.path().join("cases");
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&cases).into_iter().flatten().flatten().map(|case| case.path()).collect();
        paths.sort();
        let is_core = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("category = \"core\""));
        let kept = paths.iter().position(is_core);
        let others = paths.iter().enumerate().filter(|(index, _)| Some(*index) != kept);
        others.map(|(_, path)| path).try_for_each(fs::remove_file)?;
    }
    Ok(())
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(target)?,
            false => fs::copy(entry.path(), target).map(drop)?,
        }
    }
    Ok(())
}
