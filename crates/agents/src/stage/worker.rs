//! Who works in a stage.

use serde::{Deserialize, Serialize};

/// Who works in a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Worker {
    /// Puts the reference of the stage in place, where the study has one.
    Reference,
    /// Does nothing.
    Noop,
    /// A program, with `{prompt}` in its arguments for what it is told.
    Command {
        /// The program and its arguments.
        words: Vec<String>,
    },
    /// A coding agent.
    Agent {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
        /// The model behind it.
        model: ModelChoice,
    },
}

/// The model behind an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    /// What it is called in tables.
    pub name: String,
    /// What its provider calls it.
    pub id: String,
    /// Its provider; a scripted model has none.
    pub provider: Option<String>,
    /// How hard it is asked to think.
    pub reasoning: String,
}

impl Worker {
    /// What it is called in tables.
    pub fn label(&self) -> String {
        match self {
            Self::Reference => "reference".to_owned(),
            Self::Noop => "noop".to_owned(),
            Self::Command { .. } => "command".to_owned(),
            Self::Agent { name, version, .. } => format!("{name}-{version}"),
        }
    }

    /// The agent's version; empty for who has none.
    pub fn version(&self) -> &str {
        match self {
            Self::Agent { version, .. } => version,
            _ => "",
        }
    }

    /// The model behind it, as tables call it.
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Agent { model, .. } => Some(&model.name),
            _ => None,
        }
    }
}
