//! What measuring costs, on the sources of requests 2.32.5 (fetched by `cargo xtask bench-overhead`), with all built-in rules.
//!
//! One call is to take at most 0.1 s. `sources` is the installed package, `sdist` all Python files of the archive.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::path::{Path, PathBuf};

use divan::Bencher;
use slopbench_metrics::{RuleSet, measure};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 21, sample_size = 1)]
fn sources(bencher: Bencher<'_, '_>) {
    measure_folder(bencher, &requests().join("src"));
}

#[divan::bench(sample_count = 21, sample_size = 1)]
fn sdist(bencher: Bencher<'_, '_>) {
    measure_folder(bencher, &requests());
}

fn measure_folder(bencher: Bencher<'_, '_>, folder: &Path) {
    let rules = RuleSet::builtin().unwrap();
    bencher.bench_local(|| measure(folder, &rules).unwrap());
}

fn requests() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/anchors/requests-2.32.5");
    assert!(folder.is_dir(), "{} is not there: run `cargo xtask bench-overhead`, which fetches it", folder.display());
    folder
}
