//! What a rule is for: to count in a figure, or to tell a person what to change.

use serde::{Deserialize, Serialize};

/// What a rule's matches are used for; a rule may be in both tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// It counts in the figures, with subjects as broad as the paper's, so that ours compare with theirs.
    Verbosity,
    /// It names what a person should change: precise, and the same behaviour afterwards unless its note says what differs.
    Advice,
}

impl Tier {
    /// Both, which is what a rule is in that does not say.
    pub const ALL: [Self; 2] = [Self::Verbosity, Self::Advice];

    /// As rule files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verbosity => "verbosity",
            Self::Advice => "advice",
        }
    }
}
