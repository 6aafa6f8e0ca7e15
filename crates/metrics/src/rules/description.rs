//! What a rule says of itself.

use serde::Serialize;

use super::tier::Tier;

/// What a rule says of itself to people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleDescription {
    /// Unique in its set.
    pub id: String,
    /// The language it is for, in ast-grep's spelling; several are separated by `, `.
    pub language: String,
    /// What its matches are used for, sorted; never empty.
    pub tiers: Vec<Tier>,
    /// What is wrong with what it matches, in one sentence.
    pub message: String,
    /// Why, and how to say it better, in Markdown; empty where the rule has no note.
    pub note: String,
}
