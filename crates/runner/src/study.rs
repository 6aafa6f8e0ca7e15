//! What a study has to say, so that the engine can do it.

use std::{
    collections::BTreeSet,
    error,
    path::{Path, PathBuf},
};

use slopbench_digest::TreeId;

use crate::{Error, RunStore, Spent};

/// A study: units, and the stages of each.
///
/// Which stage comes next follows from those that are kept, and from nothing else: a process that takes over a unit asks the
/// same question and goes on.
pub trait Study: Sync {
    /// What goes wrong in its stages.
    type Error: error::Error + From<Error> + Send + Sync + 'static;

    /// The units, by name, in the order in which they begin.
    fn units(&self) -> Vec<String>;

    /// The stage of `unit` that comes after those that `store` keeps; `None` at the unit's end.
    ///
    /// # Errors
    ///
    /// The study's own, and those of reading the store.
    fn next(&self, store: &RunStore, unit: &str) -> Result<Option<Stage>, Self::Error>;

    /// Carries out a stage. What it left is moved to a safe place before anything is made of it: it may have been paid.
    ///
    /// # Errors
    ///
    /// Failures of the infrastructure alone; the stage is then done again. How an agent fails is an outcome.
    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<Ended, Self::Error>;

    /// Makes a stage's files of what it left in the folder `ended`. Gives the same when it is done again after a kill.
    ///
    /// # Errors
    ///
    /// Failures of the infrastructure alone.
    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<Settled, Self::Error>;
}

/// A stage of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// In the study's own words, as in `checkpoint_2/session`; its folder below the unit's.
    pub name: String,
    /// Whether the budget has a say in it.
    pub is_paid: bool,
    /// Whether no other such stage of the run goes on at the same time on this machine.
    pub is_exclusive: bool,
}

impl Stage {
    /// A stage that asks a model.
    pub fn paid(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_paid: true, is_exclusive: false }
    }

    /// A stage that costs nothing and needs the machine's processors for itself.
    pub fn exclusive(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_paid: false, is_exclusive: true }
    }
}

/// A stage that is about to be carried out or settled.
#[derive(Debug)]
pub struct Assignment<'a> {
    /// What is done so far.
    pub store: &'a RunStore,
    /// The unit.
    pub unit: &'a str,
    /// The stage.
    pub stage: &'a str,
    /// An empty folder for the work, which nobody else reads.
    pub scratch: &'a Path,
}

/// What a stage left.
#[derive(Debug)]
pub struct Ended {
    /// All of it, on the file system of the run.
    pub folder: PathBuf,
    /// What it cost.
    pub spent: Spent,
}

/// A stage that can be kept.
#[derive(Debug)]
pub struct Settled {
    /// Its files, on the file system of the run.
    pub files: PathBuf,
    /// The workspaces that they name.
    pub trees: BTreeSet<TreeId>,
    /// Why it says nothing of who worked, so that it is put aside and done again by whoever resumes.
    pub unanswered: Option<String>,
    /// How it ended, for people.
    pub outcome: String,
}
