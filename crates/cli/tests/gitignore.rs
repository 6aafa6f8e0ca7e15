//! What git ignores is no part of its owner's figures.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

/// A repository in which git ignores one of two files, and whose user has everything ignored everywhere.
fn repository() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let file = dir.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("project/.gitignore", "made.py\n");
    write("project/main.py", "x = 1\n");
    write("project/made.py", "x = 1\n");
    write("home/.config/git/ignore", "*.py\n");
    write("home/.gitconfig", "[core]\n\texcludesFile = ~/.config/git/ignore\n");
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", ".gitignore"]);
    dir
}

fn git(dir: &Path, args: &[&str]) {
    let status = Command::new("git").args(args).current_dir(dir.join("project")).status().unwrap();
    assert!(status.success(), "git {args:?}");
}

fn slopbench(dir: &Path, args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
    command.args(args).arg("--json").current_dir(dir.join("project"));
    let output = command.env("HOME", dir.join("home")).env_remove("XDG_CONFIG_HOME").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn measured(dir: &Path, args: &[&str]) -> Vec<String> {
    let files = slopbench(dir, &[&["measure"], args].concat())["files"].take();
    files.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn measure_leaves_out_what_git_ignores_unless_told_otherwise() {
    let dir = repository();
    assert_eq!(measured(dir.path(), &["."]), ["main.py"]);
    assert_eq!(measured(dir.path(), &[".", "--no-gitignore"]), ["made.py", "main.py"]);
    // As grading measures, which heeds nothing of the owner's.
    assert_eq!(measured(dir.path(), &[".", "--no-config"]), ["made.py", "main.py"]);
    git(dir.path(), &["add", "--force", "made.py"]);
    assert_eq!(measured(dir.path(), &["."]), ["made.py", "main.py"]);
}

#[test]
fn compare_leaves_out_what_git_ignores_unless_told_otherwise() {
    let dir = repository();
    git(dir.path(), &["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "--message=a"]);
    let new = |args: &[&str]| {
        let files = slopbench(dir.path(), &[&["compare", "HEAD", "."], args].concat())["files"].take();
        files.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    git(dir.path(), &["add", "main.py"]);
    git(dir.path(), &["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "--message=b"]);
    assert_eq!(new(&[]), [""; 0]);
    assert_eq!(new(&["--no-gitignore"]), ["made.py"]);
}
