//! What holds in every back end, in Linux namespaces.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
mod shared;

use std::path::{Path, PathBuf};

use common::{Box, THIRD_PARTY_PACKAGES, open, python};
use slopbench_sandbox::Runtime;

/// What the system says of process 1's files: they are covered.
const PROCESS_1: i32 = 2;

fn open_with(files: &[(&str, &str)], change: impl Fn(&Path) -> Vec<PathBuf>) -> Option<Box> {
    common::open_with(files, change, &python())
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
