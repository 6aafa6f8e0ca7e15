//! The models that were measured: `models.toml`.

use serde::Deserialize;

/// A model, and the agent that it was measured with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called in options and tables.
    pub name: String,
    /// What its provider calls it.
    pub id: String,
    /// Its provider, as in `providers.toml`.
    pub provider: String,
    /// The agent; who that is is not known here.
    pub agent: String,
    /// The agent's version.
    pub version: String,
    /// How hard it is asked to think.
    pub reasoning: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    model: Vec<Model>,
}

/// A model that the catalogue lacks, or a catalogue that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// No such model.
    #[error("there is no model \"{name}\"; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The built-in catalogue is not as it should be.
    #[error("models.toml: {0}")]
    Catalogue(#[from] toml::de::Error),
}

impl Model {
    /// Every model of the catalogue, in its order.
    pub fn all() -> Result<Vec<Self>, ModelError> {
        Ok(toml::from_str::<Catalogue>(include_str!("../models.toml"))?.model)
    }

    /// The model `name`.
    pub fn named(name: &str) -> Result<Self, ModelError> {
        let all = Self::all()?;
        let known = all.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = all.into_iter().find(|model| model.name == name);
        found.ok_or_else(|| ModelError::Unknown { name: name.to_owned(), known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_model_is_told_what_there_is() {
        let error = Model::named("gpt-6").unwrap_err().to_string();
        assert!(error.starts_with("there is no model \"gpt-6\"; there are sonnet-4.5,"), "{error}");
    }
}
