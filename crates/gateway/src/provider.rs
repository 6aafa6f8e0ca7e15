//! Providers of models, and the keys that open them.

use std::{collections::BTreeMap, fmt, net::IpAddr, sync::LazyLock};

use hyper::header::{HeaderName, HeaderValue};
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::api::Api;

/// A provider as a catalogue has it: any server that speaks one of the APIs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderDefinition {
    /// What it is called in options and other entries.
    pub name: String,
    /// The APIs that it speaks.
    pub apis: Vec<Api>,
    /// What comes before an API's path, without a trailing slash.
    pub base: String,
    /// What stands in the place of the version at the start of an API's paths (`/v1`, Gemini's `/v1beta`); it may be empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The environment variable of this process that holds the key; without one no key is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
    /// The header that the key is sent in.
    #[serde(default = "authorization")]
    pub key_header: String,
    /// What stands before the key there; `Bearer` in `authorization`, nothing in others, unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_scheme: Option<String>,
    /// Further headers of every request. `${NAME}` stands for an environment variable of this process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
}

fn authorization() -> String {
    "authorization".to_owned()
}

/// A provider with its keys.
#[derive(Clone, Debug)]
pub struct Provider {
    /// The APIs that it speaks.
    pub apis: Vec<Api>,
    /// What comes before an API's path, without a trailing slash.
    pub base: String,
    /// See [`ProviderDefinition::version`].
    pub version: Option<String>,
    /// What every request of its gets beside what the asker sends.
    pub headers: Vec<Header>,
}

/// A header that only the provider sees.
#[derive(Clone, Debug)]
pub struct Header {
    name: HeaderName,
    value: HeaderValue,
    /// What of the value is nobody else's business, and is taken out of answers.
    secrets: Vec<Secret>,
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
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A provider that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It cannot be asked as an agent asks.
    #[error("the provider \"{name}\" does not speak {}; choose another agent for its models", api.title())]
    Foreign {
        /// The provider.
        name: String,
        /// The agent's API.
        api: Api,
    },
    /// A variable is not in the environment.
    #[error("the provider \"{name}\" needs {what}: set {variable}")]
    NoVariable {
        /// The provider.
        name: String,
        /// What is in the variable.
        what: &'static str,
        /// The variable that is missing or empty.
        variable: String,
    },
    /// A value cannot be sent.
    #[error("the provider \"{name}\" cannot be sent the header {header}: its value holds what no header may")]
    Header {
        /// The provider.
        name: String,
        /// The header.
        header: String,
    },
}

/// Headers that belong to a connection, or that the gateway sets itself.
const OURS: &[&str] = &["connection", "content-length", "content-type", "host", "te", "transfer-encoding", "upgrade"];

/// A variable in a header's value.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$\{(\w+)\}").ok());

impl ProviderDefinition {
    /// What is wrong with it, after "the provider".
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.apis.is_empty() {
            return Err("speaks no API: name one in `apis`".to_owned());
        }
        if self.name.is_empty() || self.name.contains(':') {
            return Err("needs a name without a colon".to_owned());
        }
        let url = reqwest::Url::parse(&self.base).map_err(|error| format!("has a base that is no address: {error}"))?;
        match (url.scheme(), url.host_str().unwrap_or_default()) {
            ("https", _) => {}
            ("http", host) if is_near(host) => {}
            _ => {
                let allowed = "https://, or http:// for this machine and its network alone";
                return Err(format!("has a base that is not encrypted: {allowed}"));
            }
        }
        let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
        if !is_plain || url.password().is_some() || self.base.ends_with('/') {
            return Err("has a base that does not end in a folder without a slash".to_owned());
        }
        if self.version.as_ref().is_some_and(|version| !version.is_empty() && !version.starts_with('/')) {
            return Err("has a version that does not begin with a slash".to_owned());
        }
        let names = self.headers.keys().chain([&self.key_header]);
        let wrong =
            |name: &&String| HeaderName::try_from(name.as_str()).is_err() || OURS.contains(&&*name.to_lowercase());
        match names.into_iter().find(wrong) {
            Some(name) => Err(format!("cannot be sent a header `{name}`")),
            None => Ok(()),
        }
    }

    /// The environment variables that are read for it.
    pub fn variables(&self) -> impl Iterator<Item = String> {
        let in_headers = self.headers.values().flat_map(|value| variables(value));
        self.key_variable.iter().cloned().chain(in_headers)
    }

    /// Whether it can be asked in `api`.
    ///
    /// # Errors
    ///
    /// [`ProviderError::Foreign`] if it cannot.
    pub fn speaks(&self, api: Api) -> Result<(), ProviderError> {
        let foreign = || ProviderError::Foreign { name: self.name.clone(), api };
        self.apis.contains(&api).then_some(()).ok_or_else(foreign)
    }

    /// The provider with its keys; `variable` looks up the gateway's own environment.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] if a variable is missing, or holds what cannot be sent.
    pub fn open(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Provider, ProviderError> {
        let lookup = |name: &str, what| {
            let missing = || ProviderError::NoVariable { name: self.name.clone(), what, variable: name.to_owned() };
            variable(name).filter(|value| !value.is_empty()).ok_or_else(missing)
        };
        let header = |name: &str, value: &str, secrets: Vec<String>| {
            let made = Header::new(name, value, secrets.into_iter().map(Secret).collect());
            made.ok_or_else(|| ProviderError::Header { name: self.name.clone(), header: name.to_owned() })
        };
        let mut headers = Vec::new();
        if let Some(name) = &self.key_variable {
            let key = lookup(name, "a key")?;
            let is_usual = self.key_header.eq_ignore_ascii_case("authorization");
            let scheme = self.key_scheme.as_deref().unwrap_or(if is_usual { "Bearer" } else { "" });
            headers.push(header(&self.key_header, format!("{scheme} {key}").trim_start(), vec![key])?);
        }
        for (name, template) in &self.headers {
            let (mut value, mut secrets) = (template.clone(), Vec::new());
            for variable in variables(template) {
                let found = lookup(&variable, "a header's value")?;
                value = value.replace(&format!("${{{variable}}}"), &found);
                secrets.push(found);
            }
            headers.push(header(name, &value, secrets)?);
        }
        Ok(Provider { apis: self.apis.clone(), base: self.base.clone(), version: self.version.clone(), headers })
    }
}

impl Provider {
    /// A provider at `base` that speaks `api` to whoever knows `key`, without a scheme before it.
    pub fn keyed(api: Api, base: impl Into<String>, header: &str, key: &Secret) -> Self {
        let headers = Header::new(header, key.reveal(), vec![key.clone()]).into_iter().collect();
        Self { apis: vec![api], base: base.into(), version: None, headers }
    }

    /// The address of one of an API's paths.
    pub(crate) fn url(&self, path: &str) -> String {
        let rest = self.version.as_ref().map(|version| {
            let version_ends = path[1..].find('/').map_or(path.len(), |end| end + 1);
            format!("{version}{}", &path[version_ends..])
        });
        format!("{}{}", self.base, rest.as_deref().unwrap_or(path))
    }

    /// What is taken out of its answers.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.headers.iter().flat_map(|header| &header.secrets).map(Secret::reveal)
    }
}

impl Header {
    fn new(name: &str, value: &str, secrets: Vec<Secret>) -> Option<Self> {
        let (name, mut value) = (HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        value.set_sensitive(true);
        Some(Self { name, value, secrets })
    }

    pub(crate) fn pair(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }
}

fn variables(template: &str) -> Vec<String> {
    let found = VARIABLE.iter().flat_map(|pattern| pattern.captures_iter(template));
    found.map(|captures| captures[1].to_owned()).collect()
}

/// Whether a host is this machine, or one of a network that is not the internet.
fn is_near(host: &str) -> bool {
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_loopback() || address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
        Err(_) => !host.contains('.') || [".local", ".internal"].iter().any(|end| host.ends_with(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    fn built_in(name: &str) -> ProviderDefinition {
        Catalogue::built_in().unwrap().providers.get(name).unwrap().value.clone()
    }

    fn own(text: &str) -> ProviderDefinition {
        let start = "name = \"own\"\napis = [\"openai-chat\"]\nbase = \"https://models.example/api\"\n";
        toml::from_str(&format!("{start}{text}")).unwrap()
    }

    fn sent(provider: &Provider) -> Vec<String> {
        let text = |header: &Header| format!("{}: {}", header.name, header.value.to_str().unwrap());
        provider.headers.iter().map(text).collect()
    }

    #[test]
    fn a_key_comes_from_the_environment_and_is_never_shown() {
        let provider = built_in("openai").open(|name| (name == "OPENAI_API_KEY").then(|| "canary".to_owned())).unwrap();
        assert_eq!(sent(&provider), ["authorization: Bearer canary"]);
        assert!(!format!("{provider:?}").contains("canary"));
        assert_eq!(provider.secrets().collect::<Vec<_>>(), ["canary"]);
        assert_eq!(sent(&built_in("anthropic").open(|_| Some("k".to_owned())).unwrap()), ["x-api-key: k"]);
    }

    #[test]
    fn further_headers_and_schemes_are_as_written_and_values_may_be_secret() {
        let text =
            "key_variable = \"KEY\"\nkey_scheme = \"Token\"\nheaders = {x-org = \"${ORG}/${TEAM}\", x-title = \"t\"}";
        let provider = own(text).open(|name| Some(name.to_lowercase())).unwrap();
        assert_eq!(sent(&provider), ["authorization: Token key", "x-org: org/team", "x-title: t"]);
        assert_eq!(provider.secrets().collect::<Vec<_>>(), ["key", "org", "team"]);
        assert_eq!(own(text).variables().collect::<Vec<_>>(), ["KEY", "ORG", "TEAM"]);
        assert_eq!(sent(&own("").open(|_| None).unwrap()), [""; 0], "without a key none is sent");
    }

    #[test]
    fn a_model_is_asked_as_its_agent_asks_or_not_at_all() {
        assert!(built_in("openai").speaks(Api::OpenaiResponses).is_ok());
        assert!(built_in("openai").speaks(Api::OpenaiChat).is_ok());
        let error = built_in("openai").speaks(Api::AnthropicMessages).unwrap_err().to_string();
        assert_eq!(
            error,
            "the provider \"openai\" does not speak Anthropic Messages; choose another agent for its models"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = built_in("zai").open(|_| Some(String::new())).unwrap_err();
        assert_eq!(error.to_string(), "the provider \"zai\" needs a key: set ZAI_API_KEY");
        let error = own("headers = {x-org = \"${ORG}\"}").open(|_| None).unwrap_err();
        assert_eq!(error.to_string(), "the provider \"own\" needs a header's value: set ORG");
        let error = own("key_variable = \"KEY\"").open(|_| Some("two\nlines".to_owned())).unwrap_err();
        assert!(error.to_string().contains("authorization: its value holds what no header may"), "{error}");
    }

    #[test]
    fn another_version_takes_the_place_of_the_apis_own() {
        let url = |text: &str| own(text).open(|_| None).unwrap().url("/v1/chat/completions");
        assert_eq!(url(""), "https://models.example/api/v1/chat/completions");
        assert_eq!(url("version = \"/v4\""), "https://models.example/api/v4/chat/completions");
        assert_eq!(url("version = \"\""), "https://models.example/api/chat/completions");
    }

    #[test]
    fn plain_http_stays_in_the_house() {
        let check = |base: &str| ProviderDefinition { base: base.to_owned(), ..own("") }.check();
        let well = [
            "http://127.0.0.1:8000",
            "http://localhost:1",
            "http://[::1]:1",
            "http://10.1.2.3",
            "http://gpu:8000",
            "http://gpu.local",
            "https://models.example/openai",
        ];
        well.iter().for_each(|base| assert_eq!(check(base), Ok(()), "{base}"));
        let ill = [
            "http://models.example",
            "http://8.8.8.8",
            "ftp://localhost",
            "https://a.example/",
            "models.example",
            "https://user:key@a.example",
            "https://a.example?key=1",
        ];
        ill.iter().for_each(|base| assert!(check(base).is_err(), "{base}"));
        for header in ["host", "Content-Length", "with blank"] {
            assert!(own(&format!("key_header = \"{header}\"")).check().is_err(), "{header}");
        }
    }
}
