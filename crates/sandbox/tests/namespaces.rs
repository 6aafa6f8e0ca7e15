//! What holds in every back end, in Linux namespaces.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
mod shared;

use std::path::{Path, PathBuf};

use common::{Box, LIMITS, THIRD_PARTY_PACKAGES, open, python};
use slopbench_sandbox::{Namespaces, Runtime, Sandbox, Solution, Task, probe};
use slopbench_test_support::{Need, need};

/// What the system says of process 1's files: they are covered.
const PROCESS_1: i32 = 2;

fn open_with(files: &[(&str, &str)], change: impl Fn(&Path) -> Vec<PathBuf>) -> Option<Box> {
    common::open_with(files, change, &python())
}

fn open_solution(solution: &Solution) -> Option<std::boxed::Box<dyn Sandbox>> {
    need(Need::Namespaces, probe::available())?;
    Some(std::boxed::Box::new(Namespaces::open(solution, &python()).unwrap()))
}

#[test]
fn third_party_packages_of_every_interpreter_are_out_of_sight() {
    for runtime in [python(), Runtime::python(Path::new("/usr/bin/python3")).unwrap_or_else(|_| python())] {
        let Some(mut b) = common::open_with(&[], |_| Vec::new(), &runtime) else {
            return;
        };
        assert_eq!(b.says(THIRD_PARTY_PACKAGES), "[]");
    }
}

/// Copies a program and the libraries that its loader names into a folder, at the same places.
fn copy_program(program: &str, to: &Path) {
    let needed = std::process::Command::new("ldd").arg(program).output().unwrap();
    let needed = String::from_utf8(needed.stdout).unwrap();
    let files = needed.split_whitespace().filter(|word| word.starts_with('/')).chain([program]);
    for file in files {
        let place = to.join(file.trim_start_matches('/'));
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::copy(file, place).unwrap();
    }
}

#[test]
fn another_system_takes_the_place_of_the_machines() {
    let system = tempfile::tempdir().unwrap();
    copy_program("/bin/sh", system.path());
    std::fs::create_dir_all(system.path().join("usr/bin")).unwrap();
    let shown = Runtime { system: Some(system.path().canonicalize().unwrap()), ..Runtime::default() };
    let Some(mut b) = common::open_with(&[], |_| Vec::new(), &shown) else { return };
    let seen = b.run(&Task::new(["/bin/sh", "-c", "echo /usr/* /usr/bin/*; echo x >/bin/x"], LIMITS));
    assert_eq!(String::from_utf8(seen.stdout).unwrap(), "/usr/bin /usr/bin/*\n");
    assert!(String::from_utf8(seen.stderr).unwrap().contains("Read-only"));
}

#[test]
fn a_solution_may_have_more_folders_than_there_are_descriptors() {
    if open().is_none() {
        return;
    }
    // In memory where there is some: a disk takes minutes.
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    // As many as the worker may have at most, and more.
    (0..70_000).for_each(|number| std::fs::create_dir(dir.path().join(number.to_string())).unwrap());
    let solution = Solution { dir: dir.path().to_owned(), ..Solution::default() };
    let mut sandbox = Namespaces::open(&solution, &python()).unwrap();
    let count = "import os; print(len(os.listdir('/solution')))";
    assert_eq!(sandbox.run(&Task::new(["python3", "-c", count], LIMITS)).unwrap().stdout, b"70000\n");
}

#[test]
fn a_folder_without_a_system_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = Runtime::system(folder.path()).unwrap_err().to_string();
    assert!(error.contains("no usr/bin/python3") && error.contains("--unpack"), "{error}");
}
