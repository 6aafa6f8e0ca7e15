//! A stage of a unit: before it begins, when it has ended, and when it can be kept.

use std::{collections::BTreeSet, path::PathBuf};

use slopbench_digest::TreeId;

use crate::budget::Spent;

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

/// What a stage left.
#[derive(Debug)]
pub struct EndedStage {
    /// All of it, on the file system of the run.
    pub folder: PathBuf,
    /// What it cost.
    pub spent: Spent,
}

/// A stage that can be kept.
#[derive(Debug)]
pub struct SettledStage {
    /// Its files, on the file system of the run.
    pub files: PathBuf,
    /// The workspaces that they name.
    pub trees: BTreeSet<TreeId>,
    /// Why it says nothing of who worked, so that it is put aside and done again by whoever resumes.
    pub unanswered: Option<String>,
    /// How it ended, for people.
    pub outcome: String,
}
