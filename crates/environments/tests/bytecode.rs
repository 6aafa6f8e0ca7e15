//! Modules of Python as bytecode: what is compiled, and what is left as it was.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use slopbench_environments::{BuiltSolution, EnvironmentStore, Environments, PackageIndex};
use slopbench_sandbox::session::System;
use slopbench_sandbox::{Runtime, probe};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// A program with a module, and with bytecode of its own that is something else.
fn solution() -> Option<TempDir> {
    need(Need::Namespaces, probe::available())?;
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    fs::create_dir_all(tree.join("lib/__pycache__")).unwrap();
    fs::write(tree.join("main.py"), "from lib import answer\nprint(answer.TEXT, answer.__file__)\n").unwrap();
    fs::write(tree.join("lib/answer.py"), "TEXT = 'written'\n").unwrap();
    fs::write(tree.join("lib/broken.py"), "def (:\n").unwrap();
    fs::write(tree.join("lib/__pycache__/planted.cpython-311.pyc"), "planted").unwrap();
    Some(folder)
}

fn compiled(folder: &TempDir) -> Option<BuiltSolution> {
    let store = EnvironmentStore(folder.path().join("store"));
    let system = System::Machine(Runtime::python3().unwrap());
    let environments = Environments::new(store, system, Vec::new(), PackageIndex::default(), &|_| ());
    environments.bytecode(&folder.path().join("tree"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn modules_are_run_from_bytecode_of_ours() {
    let Some(folder) = solution() else { return };
    let done = compiled(&folder).unwrap();
    let (tree, again) = (done.path(), compiled(&folder).unwrap());
    let cache = tree.join("lib/__pycache__");
    let made = names(&cache);
    assert!(matches!(&made[..], [only] if only.starts_with("answer.")), "{made:?}");
    let bytecode = |tree: &Path| fs::read(tree.join("lib/__pycache__").join(&made[0])).unwrap();
    assert_eq!(bytecode(&tree), bytecode(&again.path()), "the same each time");

    // The source is not looked at, and where it says that it lies is where it lies now.
    fs::write(tree.join("lib/answer.py"), "TEXT = 'changed'\n").unwrap();
    let output = Command::new("python3").arg(tree.join("main.py")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, format!("written {}\n", tree.join("lib/answer.py").display()));
}

#[test]
fn what_a_copy_would_lose_is_played_as_it_is() {
    let Some(folder) = solution() else { return };
    symlink("/etc/hostname", folder.path().join("tree/outside")).unwrap();
    assert!(compiled(&folder).is_none());
}

#[test]
fn a_program_of_one_file_gains_nothing() {
    let Some(folder) = solution() else { return };
    fs::remove_dir_all(folder.path().join("tree/lib")).unwrap();
    assert!(compiled(&folder).is_none());
}
