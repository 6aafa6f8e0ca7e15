//! Made-up runs.

use std::path::PathBuf;

use slopbench_analysis::RunSet;
use slopbench_synthetic::SyntheticStudy;
use tempfile::TempDir;

/// A study on the disk, in memory where there is some.
pub(crate) struct Written {
    pub(crate) runs: Vec<PathBuf>,
    pub(crate) set: RunSet,
    pub(crate) dir: TempDir,
}

pub(crate) fn written(study: &SyntheticStudy) -> Written {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let runs = study.write(dir.path()).unwrap();
    let set = RunSet::read(&runs).unwrap();
    Written { runs, set, dir }
}

/// With everything that tables tell apart: two models, two versions, two prompts, two repeats.
pub(crate) fn everything() -> SyntheticStudy {
    SyntheticStudy { versions: vec!["1.0.0".to_owned(), "1.1.0".to_owned()], ..SyntheticStudy::small(10) }
}
