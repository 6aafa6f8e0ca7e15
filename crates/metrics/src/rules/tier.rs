//! What a rule is for: to count in a figure, or to tell a person what to change.

use serde::{Deserialize, Serialize};

use super::load::{Document, Mistake};

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

/// The tiers in a rule's `metadata.tiers`; without that, as in rules made for other tools, all.
pub(super) fn of(document: &Document) -> Result<Vec<Tier>, Mistake> {
    let metadata = document.metadata.as_ref().and_then(|metadata| serde_json::to_value(metadata).ok());
    let Some(written) = metadata.as_ref().and_then(|metadata| metadata.get("tiers")) else {
        return Ok(Tier::ALL.to_vec());
    };
    let mut tiers: Vec<Tier> = Deserialize::deserialize(written).unwrap_or_default();
    tiers.sort();
    tiers.dedup();
    if tiers.is_empty() {
        let message = format!("rule `{}`: `metadata.tiers` is {written}", document.id);
        return Err((message, "write a list of `verbosity` and `advice`, or leave it out for both"));
    }
    Ok(tiers)
}
