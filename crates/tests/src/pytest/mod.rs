//! Problems in SlopCodeBench's own format: a suite of pytest's tests, which start the solution themselves.
//!
//! [`load`] reads a folder with a `config.yaml` ([`format`] has its keys, [`exposed`] looks at what its tests import).
//! [`play`] stages the files of one checkpoint ([`staging`]), has pytest run them in a sandbox with our own `runner.py`
//! before it, and reads what that reports ([`report`]); [`judge`] makes verdicts of it.

mod environment;
mod exposed;
mod format;
mod judge;
mod load;
mod play;
mod report;
mod staging;
mod stdlib;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::Category;

pub use environment::{BASE_LOCK, SuiteEnvironment, SuiteEnvironments, no_environments};
pub use exposed::Exposure;
pub(crate) use load::{CONFIG, Loaded, load};
pub use play::{SuiteError, SuiteRecord};
pub(crate) use play::{SuiteJob, play};

/// A suite of pytest's tests over all checkpoints of a problem.
#[derive(Debug)]
pub struct PytestSuite {
    /// The problem's folder.
    dir: PathBuf,
    /// The file that runs a solution, relative to its folder.
    entry: String,
    /// In order.
    checkpoints: Vec<SuiteCheckpoint>,
    /// The problem's own markers, by name.
    markers: BTreeMap<String, Marker>,
    /// Files and folders that tests and solution see, relative to the problem's folder, by name.
    assets: BTreeMap<String, String>,
    /// What the tests need beside what every suite has, as requirements of packages.
    dependencies: Vec<String>,
    /// Where tests may show expectations to the solution.
    exposed: Vec<Exposure>,
}

/// What pytest is told at one checkpoint.
#[derive(Debug)]
pub(crate) struct SuiteCheckpoint {
    /// As `config.yaml` calls it, which names its tests and its solution.
    name: String,
    /// For each test, in seconds.
    timeout: u32,
    /// The environment of pytest, and so of the solution.
    env: BTreeMap<String, String>,
    /// Whether earlier checkpoints' tests are run as well.
    includes_prior: bool,
    /// How many functions of its file are tests; one with parameters is several tests.
    functions: usize,
}

/// A marker of a problem's own.
#[derive(Debug)]
struct Marker {
    description: String,
    category: Category,
}

impl PytestSuite {
    /// What the tests need beside what every suite has, as requirements of packages.
    pub fn dependencies(&self) -> &[String] {
        &self.dependencies
    }

    /// Where tests import the solution into pytest's own process, as far as their text tells: what they expect is then in the
    /// solution's reach.
    pub fn exposed(&self) -> &[Exposure] {
        &self.exposed
    }

    /// How many functions of checkpoint `number`'s file are tests. One with parameters is several tests: how many, only
    /// pytest knows.
    pub fn functions(&self, number: u32) -> usize {
        self.checkpoint(number).map_or(0, |checkpoint| checkpoint.functions)
    }

    /// The folder of the reference solution of checkpoint `number` of the problem in `dir`.
    pub(crate) fn reference(&self, dir: &Path, number: u32) -> PathBuf {
        let name = self.checkpoint(number).map_or("", |checkpoint| &checkpoint.name);
        let own = dir.join("solutions").join(name);
        let single = dir.join("solution");
        if !own.is_dir() && single.is_dir() { single } else { own }
    }

    fn checkpoint(&self, number: u32) -> Option<&SuiteCheckpoint> {
        self.checkpoints.get((number as usize).checked_sub(1)?)
    }

    /// The number of the checkpoint whose file this is, by its name.
    fn number_of(&self, file: &str) -> Option<u32> {
        let name = file.strip_prefix("test_")?.strip_suffix(".py")?;
        (1..).zip(&self.checkpoints).find(|(_, checkpoint)| checkpoint.name == name).map(|(number, _)| number)
    }

    /// The numbers of the checkpoints whose files are run at checkpoint `number`.
    fn played_at(&self, number: u32) -> impl Iterator<Item = u32> {
        let includes_prior = self.checkpoint(number).is_some_and(|checkpoint| checkpoint.includes_prior);
        if includes_prior { 1..=number } else { number..=number }
    }
}

impl SuiteCheckpoint {
    /// The file of its tests.
    fn file(&self) -> String {
        format!("test_{}.py", self.name)
    }
}
