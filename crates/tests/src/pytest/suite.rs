//! A problem's suite, as `config.yaml` and the files beside it say it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::exposure::Exposure;
use crate::Category;

/// A suite of pytest's tests over all checkpoints of a problem.
#[derive(Debug)]
pub struct PytestSuite {
    /// The problem's folder.
    pub(super) dir: PathBuf,
    /// What starts a solution, relative to its folder and without an ending.
    pub(super) entry: String,
    /// In order.
    pub(super) checkpoints: Vec<SuiteCheckpoint>,
    /// The problem's own markers, by name.
    pub(super) markers: BTreeMap<String, Marker>,
    /// Files and folders that tests and solution see, relative to the problem's folder, by name.
    pub(super) assets: BTreeMap<String, String>,
    /// What the tests need beside what every suite has, as requirements of packages.
    pub(super) dependencies: Vec<String>,
    /// Where tests may show expectations to the solution.
    pub(super) exposed: Vec<Exposure>,
}

/// What pytest is told at one checkpoint.
#[derive(Debug)]
pub(super) struct SuiteCheckpoint {
    /// As `config.yaml` calls it, which names its tests and its solution.
    pub(super) name: String,
    /// For each test, in seconds.
    pub(super) timeout: u32,
    /// The environment of pytest, and so of the solution.
    pub(super) env: BTreeMap<String, String>,
    /// Whether earlier checkpoints' tests are run as well.
    pub(super) includes_prior: bool,
    /// How many functions of its file are tests; one with parameters is several tests.
    pub(super) functions: usize,
}

/// A marker of a problem's own.
#[derive(Debug)]
pub(super) struct Marker {
    pub(super) description: String,
    pub(super) category: Category,
}

impl PytestSuite {
    /// What the tests need beside what every suite has, as requirements of packages.
    pub fn dependencies(&self) -> &[String] {
        &self.dependencies
    }

    /// The names of the files and folders that tests and solution are given.
    pub fn assets(&self) -> impl Iterator<Item = &str> {
        self.assets.keys().map(String::as_str)
    }

    /// Where tests import the solution into pytest's own process, as far as their text tells: what they expect is then in the
    /// solution's reach.
    pub fn exposed(&self) -> &[Exposure] {
        &self.exposed
    }

    /// The same, where only these files of tests are played.
    pub(super) fn exposed_in(&self, files: &[String]) -> impl Iterator<Item = &Exposure> {
        let is_played = |place: &String| self.number_of(place).is_none() || files.contains(place);
        self.exposed.iter().filter(move |exposure| is_played(&exposure.place))
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

    pub(super) fn checkpoint(&self, number: u32) -> Option<&SuiteCheckpoint> {
        self.checkpoints.get((number as usize).checked_sub(1)?)
    }

    /// The number of the checkpoint whose file this is, by its name.
    pub(super) fn number_of(&self, file: &str) -> Option<u32> {
        let name = file.strip_prefix("test_")?.strip_suffix(".py")?;
        (1..).zip(&self.checkpoints).find(|(_, checkpoint)| checkpoint.name == name).map(|(number, _)| number)
    }

    /// The numbers of the checkpoints whose files are run at checkpoint `number`.
    pub(crate) fn played_at(&self, number: u32) -> impl Iterator<Item = u32> {
        let includes_prior = self.checkpoint(number).is_some_and(|checkpoint| checkpoint.includes_prior);
        if includes_prior { 1..=number } else { number..=number }
    }
}

impl SuiteCheckpoint {
    /// The file of its tests.
    pub(super) fn file(&self) -> String {
        format!("test_{}.py", self.name)
    }
}
