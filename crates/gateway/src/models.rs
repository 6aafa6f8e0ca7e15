//! Models by name.

use serde::{Deserialize, Serialize};

/// A model, and whom it is measured with unless another agent is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called in options and tables.
    pub name: String,
    /// What its provider calls it.
    pub id: String,
    /// Its provider's name.
    pub provider: String,
    /// The agent that it is run with unless another is named; who that is is not known here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// That agent's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How hard it is asked to think, in its provider's words.
    #[serde(default = "medium")]
    pub reasoning: String,
}

/// How hard models think that nobody says more of.
fn medium() -> String {
    "medium".to_owned()
}

impl Model {
    /// A model that no catalogue has.
    pub(crate) fn unlisted(name: &str, provider: &str, id: &str) -> Self {
        let [name, id, provider] = [name, id, provider].map(str::to_owned);
        Self { name, id, provider, agent: None, version: None, reasoning: medium() }
    }
}
