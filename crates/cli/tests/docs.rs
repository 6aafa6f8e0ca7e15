//! Every command in README.md and docs/ is run, or, in a block marked `norun`, at least understood.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// README.md and every page of the book, by path.
fn pages() -> Vec<(String, String)> {
    let book = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let book = book.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages = book.chain([root().join("README.md"), root().join("CONTRIBUTING.md")]);
    pages.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

/// The commands of the blocks whose info string is `info`.
fn commands(text: &str, info: &str) -> Vec<String> {
    let mut block = None;
    let mut found = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(opened) => block = block.is_none().then_some(opened),
            None if block == Some(info) => found.extend(line.strip_prefix("$ ").map(str::to_owned)),
            None => {}
        }
    }
    found
}

/// A small repository of Python with two commits, which the pages' commands are about.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=docs", "-c", "user.email=docs@localhost", "-c", "init.defaultBranch=main"];
        let output = Command::new("git").args(identity).args(args).current_dir(dir.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet"]);
    for (folder, body) in [("src", "def main():\n    return 1\n"), ("tests", "def test():\n    assert True\n")] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        fs::write(dir.path().join(folder).join("main.py"), body).unwrap();
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--message", folder]);
    }
    dir
}

fn shell(command: &str, folder: &Path) -> Result<(), String> {
    let programs = Path::new(env!("CARGO_BIN_EXE_slopbench")).parent().unwrap();
    let path =
        env::join_paths([programs.to_path_buf()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path.unwrap()).env("SLOPBENCH_ROOT", root());
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("`{command}`: {}: {said}", output.status)) }
}

#[test]
fn every_command_works() {
    let project = project();
    let mut wrong = Vec::new();
    let mut ran = 0;
    for (page, text) in pages() {
        for command in commands(&text, "console") {
            ran += 1;
            wrong.extend(shell(&command, project.path()).err().map(|error| format!("{page}: {error}")));
        }
    }
    assert!(ran > 10, "only {ran} commands were found");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_command_that_is_not_run_is_understood() {
    let project = project();
    let mut wrong = Vec::new();
    for (page, text) in pages() {
        for command in commands(&text, "console,norun") {
            let understood = match command.split_whitespace().collect::<Vec<_>>()[..] {
                ["slopbench", ..] => {
                    let command = command.split(" -- ").next().unwrap();
                    shell(&format!("{command} --help"), project.path())
                }
                // Beside the binary, where `cargo build --workspace --bins` puts it.
                ["cargo", "xtask", task, ..] => shell(&format!("xtask {task} --help"), project.path()),
                ["cargo", "build" | "install", ..] | ["nix", "run", ".#reproduce"] => Ok(()),
                _ => Err(format!("`{command}` is of no known program")),
            };
            wrong.extend(understood.err().map(|error| format!("{page}: {error}")));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// What links call a page's headings.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let named = |heading: &str| heading.trim_matches(['#', ' ', '`']).to_lowercase().replace(' ', "-");
    let kept = |name: String| name.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
    text.lines().filter(|line| line.starts_with('#')).map(named).map(kept)
}

#[test]
fn every_link_leads_somewhere() {
    for (page, text) in pages() {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let linked = Path::new(&page).with_file_name(if file.is_empty() { &page } else { file });
            if target.contains("://") {
                continue;
            }
            assert!(linked.exists(), "{page} links to {target}");
            if !heading.is_empty() {
                let linked = fs::read_to_string(linked).unwrap();
                assert!(headings(&linked).any(|known| known == heading), "{page} links to {target}");
            }
        }
    }
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    for entry in fs::read_dir(root().join("docs/src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "SUMMARY.md" || !name.ends_with(".md") || summary.contains(&format!("({name})")),
            "docs/src/SUMMARY.md lacks {name}"
        );
    }
}
