//! What a study has to say, so that the engine can do it.

use std::{error, path::Path};

use crate::{EndedStage, Error, RunStore, SettledStage, Stage};

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
    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, Self::Error>;

    /// Makes a stage's files of what it left in the folder `ended`. Gives the same when it is done again after a kill.
    ///
    /// # Errors
    ///
    /// Failures of the infrastructure alone.
    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Self::Error>;
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
