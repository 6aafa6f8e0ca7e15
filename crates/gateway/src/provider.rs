//! Providers of models, and the keys that open them.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

use crate::api::Api;

/// A provider with its key.
#[derive(Clone, Debug)]
pub struct Provider {
    /// The API that it speaks.
    pub api: Api,
    /// What comes before an API's path, without a trailing slash.
    pub base: String,
    /// The name of the header that holds the key.
    pub header: String,
    /// The header's value.
    pub secret: Secret,
}

/// A text that is shown to nobody but the provider.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Keeps `text` secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The secret without the scheme before it, as in `Bearer SECRET`.
    pub(crate) fn key(&self) -> &str {
        self.0.rsplit(' ').next().unwrap_or_default()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A provider that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// No such provider.
    #[error("there is no provider \"{name}\"; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// It cannot be asked as an agent asks.
    #[error("the provider \"{name}\" does not speak {}; choose another agent for its models", api.title())]
    Foreign {
        /// The provider.
        name: String,
        /// The agent's API.
        api: Api,
    },
    /// Its key is not in the environment.
    #[error("the provider \"{name}\" needs a key: set {variable}")]
    NoKey {
        /// The provider.
        name: String,
        /// The variable that is missing or empty.
        variable: String,
    },
    /// The built-in table is not as it should be.
    #[error("providers.toml: {0}")]
    Table(#[from] toml::de::Error),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    api: Api,
    base: String,
    variable: String,
    header: (String, String),
}

impl Provider {
    /// Who serves the models of the provider `name` to agents that speak `api`: itself, or another with its key.
    pub fn for_api(name: &str, api: Api) -> Result<String, ProviderError> {
        let table: BTreeMap<String, Row> = toml::from_str(include_str!("../providers.toml"))?;
        let Some(named) = table.get(name) else {
            let known = table.into_keys().collect::<Vec<_>>().join(", ");
            return Err(ProviderError::Unknown { name: name.to_owned(), known });
        };
        let speaks = |row: &Row| row.variable == named.variable && row.api == api;
        let found = table.iter().find(|(_, row)| speaks(row)).map(|(name, _)| name.clone());
        found.ok_or_else(|| ProviderError::Foreign { name: name.to_owned(), api })
    }

    /// The built-in provider `name`; `variable` looks up the gateway's own environment.
    pub fn named(name: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, ProviderError> {
        let mut table: BTreeMap<String, Row> = toml::from_str(include_str!("../providers.toml"))?;
        let known = table.keys().cloned().collect::<Vec<_>>().join(", ");
        let row = table.remove(name).ok_or_else(|| ProviderError::Unknown { name: name.to_owned(), known })?;
        let key = variable(&row.variable).filter(|key| !key.is_empty());
        let no_key = || ProviderError::NoKey { name: name.to_owned(), variable: row.variable.clone() };
        let secret = Secret(row.header.1.replace("{key}", &key.ok_or_else(no_key)?));
        Ok(Self { api: row.api, base: row.base, header: row.header.0, secret })
    }
}

/// The environment variables that hold keys: who is not to know one must not inherit these.
pub fn variables() -> Vec<String> {
    // A table that cannot be read opens no provider.
    let table: BTreeMap<String, Row> = toml::from_str(include_str!("../providers.toml")).unwrap_or_default();
    table.into_values().map(|row| row.variable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_from_the_environment_and_is_never_shown() {
        let provider = Provider::named("openai", |name| (name == "OPENAI_API_KEY").then(|| "canary".to_owned()));
        let provider = provider.unwrap();
        assert_eq!(provider.secret.reveal(), "Bearer canary");
        assert!(!format!("{provider:?}").contains("canary"));
    }

    #[test]
    fn a_model_is_asked_as_its_agent_asks_or_not_at_all() {
        assert_eq!(Provider::for_api("openai", Api::OpenaiResponses).unwrap(), "openai");
        assert_eq!(Provider::for_api("openai", Api::OpenaiChat).unwrap(), "openai-chat");
        let error = Provider::for_api("openai", Api::AnthropicMessages).unwrap_err().to_string();
        assert_eq!(
            error,
            "the provider \"openai\" does not speak Anthropic Messages; choose another agent for its models"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = Provider::named("zai", |_| Some(String::new())).unwrap_err();
        assert_eq!(error.to_string(), "the provider \"zai\" needs a key: set ZAI_API_KEY");
        let error = Provider::named("acme", |_| None).unwrap_err();
        let expected = "there is no provider \"acme\"; there are anthropic, google, openai, openai-chat, zai";
        assert_eq!(error.to_string(), expected);
    }
}
