//! A scratch repository, and the code in it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

use slopbench_history::{Error, GitRepository, History, HistoryOptions, Progress, history};
use slopbench_metrics::RuleSet;
use tempfile::TempDir;

/// A repository with a working tree.
pub(crate) struct Scratch {
    folder: TempDir,
    commits: u32,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let scratch = Scratch { folder: tempfile::tempdir().unwrap(), commits: 0 };
        git(scratch.path(), &["init", "--quiet", "--initial-branch=main"]);
        scratch
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// Commits whatever is there, a day after the commit before.
    pub(crate) fn commit(&mut self, subject: &str) {
        self.commits += 1;
        let time = format!("2024-01-{:02}T12:00:00+00:00", self.commits);
        git(self.path(), &["add", "--all"]);
        git_at(self.path(), &["commit", "--quiet", "--allow-empty", "--message", subject], &time);
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(self.path(), args)
    }

    /// A new folder beside the repository.
    pub(crate) fn beside() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("copy");
        (folder, path)
    }
}

pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    git_at(folder, args, "2024-01-01T12:00:00+00:00")
}

/// Runs git without anybody's configuration.
fn git_at(folder: &Path, args: &[&str], time: &str) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_DATE", time)
        .env("GIT_COMMITTER_DATE", time)
        .output()
        .expect("git can be started");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// A module with one callable of complexity `branches + 1`.
pub(crate) fn module(branches: usize) -> String {
    format!("def f(x):\n{}    return x\n", "    if x == True:\n        x = dict.get(x, None)\n".repeat(branches))
}

pub(crate) fn options(commits: usize) -> HistoryOptions {
    HistoryOptions { revision: "HEAD".to_owned(), commits: NonZeroUsize::new(commits).unwrap(), below: ".".to_owned() }
}

pub(crate) fn history_of(path: &Path, options: &HistoryOptions) -> Result<History, Error> {
    history(&GitRepository::discover(path)?, options, &rules(), &Nobody)
}

pub(crate) fn rules() -> RuleSet {
    RuleSet::builtin().unwrap()
}

/// Hears nothing.
pub(crate) struct Nobody;

impl Progress for Nobody {
    fn begin(&self, _: usize) {}
    fn step(&self) {}
}
