//! Rules of this repository that no compiler knows, kept by a test and not by memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Every text file of the repository but what is built or fetched, with its path relative to the root.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            match entry.file_type().unwrap() {
                kind if kind.is_dir() && !["target", ".git", "runs"].contains(&name.as_str()) => folders.push(path),
                kind if kind.is_file() => texts.extend(fs::read_to_string(&path).ok().map(|text| (name, text))),
                _ => {}
            }
        }
    }
    texts.sort();
    texts
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The value of the first line `key = "value"`.
fn value(text: &str, key: &str) -> String {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{key} = "))).unwrap();
    line.split('"').nth(1).unwrap().to_owned()
}

#[test]
fn one_compiler_everywhere() {
    let toolchain = value(&read("rust-toolchain.toml"), "channel");
    assert!(toolchain.starts_with(&value(&read("Cargo.toml"), "rust-version")));
    let standin = read("nix/offline-nixpkgs/packages.nix");
    assert!(standin.contains(&toolchain), "nix/offline-nixpkgs/packages.nix names Rust {toolchain}");
}

#[test]
fn parsers_and_rule_engine_are_pinned_exactly() {
    let manifest = read("Cargo.toml");
    for name in ["ast-grep", "ruff_", "tree-sitter"] {
        for line in manifest.lines().filter(|line| line.starts_with(name)) {
            assert!(line.contains("\"=") || line.contains("package."), "a newer parser is a new instrument: {line}");
        }
    }
}

/// Manifests of the workspace's members.
fn members() -> Vec<(String, Table)> {
    // A workspace of its own, whose one dependency is cargo-fuzz's.
    let is_member = |path: &str| path.ends_with("/Cargo.toml") && !path.contains("/fuzz/");
    let manifests = texts().into_iter().filter(|(path, _)| is_member(path));
    manifests.map(|(path, text)| (path, text.parse().unwrap())).collect()
}

/// Every dependency of a manifest, for whatever it is needed.
fn dependencies(manifest: &Table) -> Vec<(&String, &Value)> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = platforms.filter_map(Value::as_table).chain([manifest]);
    let tables = tables.flat_map(|table| kinds.into_iter().filter_map(|kind| table.get(kind)?.as_table()));
    tables.flatten().collect()
}

#[test]
fn every_dependency_is_the_workspaces_and_each_of_its_is_used() {
    let workspace: Table = read("Cargo.toml").parse().unwrap();
    let mut unused: BTreeSet<_> = workspace["workspace"]["dependencies"].as_table().unwrap().keys().collect();
    let members = members();
    assert!(members.len() > 10, "{members:?}");
    for (path, manifest) in &members {
        for (name, wanted) in dependencies(manifest) {
            let shared = wanted.get("workspace").and_then(Value::as_bool);
            assert!(shared == Some(true), "{path}: {name} needs its version in the workspace's Cargo.toml");
            unused.remove(name);
        }
    }
    assert!(unused.is_empty(), "no crate uses these of the workspace's Cargo.toml: {unused:?}");
}

#[test]
fn the_architecture_page_names_every_crate() {
    let page = read("ARCHITECTURE.md");
    for entry in fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap) {
        let name = format!("`crates/{}`", entry.file_name().to_str().unwrap());
        assert!(page.contains(&name), "ARCHITECTURE.md's code map lacks {name}");
    }
}

#[test]
fn every_crate_says_what_it_is_for() {
    for (path, text) in texts() {
        if path.ends_with("src/lib.rs") || path.ends_with("src/main.rs") {
            assert!(text.starts_with("//! "), "{path} begins with what it is for");
        }
    }
}

#[test]
fn nothing_knows_the_machine_it_was_written_on() {
    let homes = ["/root/", "/home/"];
    let made_up = ["xtask/tests/tidy.rs"];
    for (path, text) in texts().iter().filter(|(path, _)| !made_up.contains(&path.as_str())) {
        for (number, line) in text.lines().enumerate() {
            // The home that every sandbox has, and what one of its programs may not see.
            let line = line.replace("/home/agent", "").replace("/proc/1/root/", "");
            assert!(!homes.iter().any(|home| line.contains(home)), "{path}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn text_ends_with_one_newline_and_lines_with_no_blank() {
    // Data is as its authors need it: cases hold odd white space on purpose.
    let is_ours = |path: &str| [".rs", ".md", ".nix", ".yml"].iter().any(|ending| path.ends_with(ending));
    for (path, text) in texts().iter().filter(|(path, _)| is_ours(path)) {
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path} ends with one newline");
        for (number, line) in text.lines().enumerate() {
            assert!(line == line.trim_end(), "{path}:{}: white space at the end of the line", number + 1);
        }
    }
}

/// Every package of the workspace with its features, over these edges. One may be there twice: as build scripts have it, too.
fn features(edges: &str) -> BTreeSet<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = ["tree", "--workspace", "--locked", "--offline", "--prefix", "none", "--format", "{p} [{f}]"];
    let output = Command::new(cargo).args(tree).args(["--edges", edges]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn programs_and_tests_share_what_is_compiled() {
    let (programs, tests) = (features("normal,build"), features("normal,build,dev"));
    let apart: Vec<_> = programs.difference(&tests).collect();
    assert_eq!(apart, [""; 0], "tests want these with more features: ask for them in xtask/Cargo.toml, too");
}

/// How many lines a file of code may have: more is more than one subject.
const MOST_LINES: usize = 400;

#[test]
fn no_file_of_code_is_long() {
    let lines = |(name, text): (String, String)| (name, text.lines().count());
    let code = texts().into_iter().filter(|(name, _)| name.ends_with(".rs")).map(lines);
    let long: Vec<_> = code.filter(|(_, lines)| *lines > MOST_LINES).collect();
    assert!(long.is_empty(), "of more than {MOST_LINES} lines: {long:?}; split them by subject");
}
