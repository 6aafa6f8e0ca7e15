//! Under which condition an agent works.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the design is disclosed, and whether somebody keeps track of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpCondition {
    /// How the design is disclosed.
    pub disclosure: Disclosure,
    /// Whether a guard goes before each request.
    pub guarded: bool,
}

/// How a design is disclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disclosure {
    /// All of it at once: the control.
    SingleShot,
    /// Over the requests of one conversation.
    Emergent,
}

impl SlumpCondition {
    /// The control.
    pub const SINGLE_SHOT: Self = Self { disclosure: Disclosure::SingleShot, guarded: false };
    /// What is studied.
    pub const EMERGENT: Self = Self { disclosure: Disclosure::Emergent, guarded: false };
    /// The control with a guard.
    pub const SINGLE_SHOT_GUARDED: Self = Self { disclosure: Disclosure::SingleShot, guarded: true };
    /// With a guard.
    pub const EMERGENT_GUARDED: Self = Self { disclosure: Disclosure::Emergent, guarded: true };

    /// All, in the order of tables.
    pub const ALL: [Self; 4] = [Self::EMERGENT, Self::SINGLE_SHOT, Self::EMERGENT_GUARDED, Self::SINGLE_SHOT_GUARDED];

    /// What it is called in options, files and tables.
    pub fn name(self) -> &'static str {
        match (self.disclosure, self.guarded) {
            (Disclosure::SingleShot, false) => "single-shot",
            (Disclosure::Emergent, false) => "emergent",
            (Disclosure::SingleShot, true) => "single-shot-guarded",
            (Disclosure::Emergent, true) => "emergent-guarded",
        }
    }

    /// The condition that is called so.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|condition| condition.name() == name)
    }
}

impl fmt::Display for SlumpCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
