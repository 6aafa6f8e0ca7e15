//! What can be named: providers, models and prices. Built-in entries are defaults; a user's files add to them and override
//! them by name.
//!
//! Whoever layers files says in which order: a later one overrides an earlier one, entry by entry and each as a whole.

mod table;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

pub use self::table::{CatalogueEntry, CatalogueTable, EntryIdentity, Origin, UnknownName};
use crate::{
    models::Model,
    prices::{PriceList, Prices, WrittenPrice},
    provider::ProviderDefinition,
};

/// What `format` says in a catalogue's file of this version.
pub const CATALOGUE_FORMAT: &str = "slopbench.catalogue/1";

/// Every provider, model and price that can be named.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// Who answers models' requests.
    pub providers: CatalogueTable<ProviderDefinition>,
    /// Models with a short name.
    pub models: CatalogueTable<Model>,
    /// What models' tokens cost.
    pub prices: Prices,
}

/// A catalogue's file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not as the format has it.
    #[error("{}{}: {message}", path.display(), line.map_or(String::new(), |line| format!(":{line}")))]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where one can be named.
        line: Option<usize>,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A name stands for nothing.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

impl CatalogueError {
    /// The file at `path` is not as its format has it.
    pub fn format(path: &Path, message: impl Into<String>) -> Self {
        Self::Format { path: path.to_path_buf(), line: None, message: message.into() }
    }
}

/// What a catalogue's file, or a section of another file, says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CatalogueLayer {
    format: Option<String>,
    provider: Vec<ProviderDefinition>,
    model: Vec<Model>,
    price: Vec<WrittenPrice>,
    /// Files of agents, relative to the file that names them; what is in them is not known here.
    pub agents: Vec<PathBuf>,
}

impl Catalogue {
    /// The built-in entries.
    ///
    /// # Errors
    ///
    /// If the built-in file is not as it should be: a bug.
    pub fn built_in() -> Result<Self, CatalogueError> {
        let path = Path::new("catalogue.toml");
        let mut this = Self {
            providers: CatalogueTable::new("provider"),
            models: CatalogueTable::new("model"),
            prices: Prices(CatalogueTable::new("price")),
        };
        let layer = CatalogueLayer::parse(path, include_str!("../../catalogue.toml"))?;
        this.add(path, layer, &Origin::BuiltIn)?;
        Ok(this)
    }

    /// Puts the entries of `layer`, which `path` holds, above those that are there; gives the files of agents that it
    /// names.
    ///
    /// # Errors
    ///
    /// [`CatalogueError::Format`] if an entry cannot be used, or a repository's names environment variables.
    pub fn add(&mut self, path: &Path, layer: CatalogueLayer, origin: &Origin) -> Result<Vec<PathBuf>, CatalogueError> {
        let flaw = |message: String| CatalogueError::format(path, message);
        let json = |error: serde_json::Error| flaw(error.to_string());
        for provider in layer.provider {
            provider.check().map_err(|what| flaw(format!("the provider \"{}\" {what}", provider.name)))?;
            if *origin == Origin::Repository && provider.variables().next().is_some() {
                // Whoever wrote it would be sent what is in them.
                let message = "reads environment variables, which a repository may not: name it in a catalogue of your \
                               own, or this file with --catalogue";
                return Err(flaw(format!("the provider \"{}\" {message}", provider.name)));
            }
            self.providers.put(&provider.name.clone(), provider, origin.clone()).map_err(json)?;
        }
        for model in layer.model {
            if model.name.contains(':') || model.name.is_empty() {
                return Err(flaw(format!("the model \"{}\" needs a name without a colon", model.name)));
            }
            self.models.put(&model.name.clone(), model, origin.clone()).map_err(json)?;
        }
        let lists = PriceList::by_model(layer.price).map_err(flaw)?;
        for (model, list) in lists {
            self.prices.0.put(&model, list, origin.clone()).map_err(json)?;
        }
        let beside = |agent: PathBuf| path.with_file_name("").join(agent);
        Ok(layer.agents.into_iter().map(beside).collect())
    }

    /// The model `name`: an entry's name, or `PROVIDER:ID` for one that has no entry.
    ///
    /// # Errors
    ///
    /// [`UnknownName`] if there is no such model, or no such provider.
    pub fn model(&self, name: &str) -> Result<Model, UnknownName> {
        match name.split_once(':') {
            Some((provider, id)) => {
                self.providers.get(provider)?;
                Ok(Model::unlisted(name, provider, id))
            }
            None => Ok(self.models.get(name)?.value.clone()),
        }
    }

    /// The entries behind a model: its own, its provider's, and the prices of it and of those asked `beside` it.
    pub fn behind<'a>(
        &'a self,
        model: &str,
        provider: &str,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> BTreeMap<String, EntryIdentity> {
        let model = self.models.find(model).map(|entry| (format!("model {model}"), entry.identity.clone()));
        let named = self.providers.find(provider).map(|entry| (format!("provider {provider}"), entry.identity.clone()));
        let prices = self.prices.of(provider);
        let price = |id: &str| prices.entry(id).map(|(name, entry)| (format!("price {name}"), entry.identity.clone()));
        model.into_iter().chain(named).chain(ids.into_iter().filter_map(price)).collect()
    }

    /// The environment variables that hold keys: who is not to know one must not inherit these.
    pub fn variables(&self) -> Vec<String> {
        self.providers.iter().flat_map(|(_, entry)| entry.value.variables()).collect()
    }
}

impl CatalogueLayer {
    /// Reads a catalogue's file.
    ///
    /// # Errors
    ///
    /// [`CatalogueError`] if it cannot be read, or is not as the format has it.
    pub fn load(path: &Path) -> Result<Self, CatalogueError> {
        Self::parse(path, &read(path)?)
    }

    /// The same of a text.
    fn parse(path: &Path, text: &str) -> Result<Self, CatalogueError> {
        let layer: Self = parse(path, text)?;
        match layer.format.as_deref() {
            Some(CATALOGUE_FORMAT) => Ok(layer),
            other => {
                let found = other.map_or("none".to_owned(), |format| format!("\"{format}\""));
                let message = format!("this version reads format \"{CATALOGUE_FORMAT}\", and the file says {found}");
                Err(CatalogueError::format(path, message))
            }
        }
    }

    /// The section `catalogue` of a repository's file, whose other keys are another reader's; nothing where it has none.
    ///
    /// # Errors
    ///
    /// As [`Self::load`].
    pub fn of_section(path: &Path) -> Result<Self, CatalogueError> {
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            catalogue: CatalogueLayer,
        }
        let file: File = parse(path, &read(path)?)?;
        Ok(file.catalogue)
    }
}

fn read(path: &Path) -> Result<String, CatalogueError> {
    fs::read_to_string(path).map_err(|source| CatalogueError::Read { path: path.to_path_buf(), source })
}

/// Reads the TOML `text` of the file at `path`.
///
/// # Errors
///
/// [`CatalogueError::Format`] with the line.
pub fn parse<T: for<'de> Deserialize<'de>>(path: &Path, text: &str) -> Result<T, CatalogueError> {
    toml::from_str(text).map_err(|error| {
        let line = |start: usize| text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
        let line = error.span().map(|span| line(span.start));
        CatalogueError::Format { path: path.to_path_buf(), line, message: error.message().trim().to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{api::Api, turn::TokenUsage};

    fn with(text: &str, origin: &Origin) -> Result<Catalogue, CatalogueError> {
        let mut catalogue = Catalogue::built_in()?;
        let path = Path::new("/own/catalogue.toml");
        catalogue.add(
            path,
            CatalogueLayer::parse(path, &format!("format = \"{CATALOGUE_FORMAT}\"\n{text}"))?,
            origin,
        )?;
        Ok(catalogue)
    }

    const LOCAL: &str = "[[provider]]\nname = \"local\"\napis = [\"openai-chat\"]\nbase = \"http://127.0.0.1:8000\"\n";

    #[test]
    fn own_entries_are_added_and_take_the_place_of_built_in_ones() {
        let model = "[[model]]\nname = \"gpt-5.4\"\nid = \"qwen3\"\nprovider = \"local\"\n";
        let price = "[[price]]\nmodels = [\"qwen3\"]\nfrom = \"2026-01-01\"\ninput = 1.0\noutput = 2.0\n";
        let catalogue = with(&format!("{LOCAL}{model}{price}"), &Origin::User).unwrap();
        let found = catalogue.model("gpt-5.4").unwrap();
        assert_eq!((found.id.as_str(), found.provider.as_str(), found.agent), ("qwen3", "local", None));
        let used = catalogue.behind("gpt-5.4", "local", ["qwen3"]);
        let names: Vec<_> = used.keys().map(String::as_str).collect();
        assert_eq!(names, ["model gpt-5.4", "price qwen3", "provider local"]);
        assert!(used.values().all(|identity| identity.origin == Origin::User));
        let usage = TokenUsage { input: 1_000_000, output: 1_000_000, ..TokenUsage::default() };
        assert_eq!(catalogue.prices.of("local").cost_usd("qwen3", "2026-06-01", &usage), Ok(3.0));
        assert!(catalogue.models.get("opus-4.6").unwrap().identity.origin == Origin::BuiltIn);
    }

    #[test]
    fn a_digest_is_of_what_is_said_and_not_of_its_layout() {
        let digest = |text: &str| with(text, &Origin::User).unwrap().providers.get("local").unwrap().identity.digest;
        let other = "[[provider]]\n# A comment.\nbase = \"http://127.0.0.1:8000\"\napis = [\"openai-chat\"]\nname = \"local\"\n";
        assert_eq!(digest(LOCAL), digest(other));
        assert_ne!(digest(LOCAL), digest(&LOCAL.replace("8000", "8001")));
    }

    #[test]
    fn a_model_without_an_entry_is_named_by_its_provider() {
        let catalogue = with(LOCAL, &Origin::User).unwrap();
        let model = catalogue.model("local:qwen2.5:7b").unwrap();
        assert_eq!((model.provider.as_str(), model.id.as_str()), ("local", "qwen2.5:7b"));
        let error = catalogue.model("acme:m").unwrap_err().to_string();
        assert_eq!(error, "there is no provider \"acme\"; there are anthropic, google, openai, zai, local");
        let error = catalogue.model("gpt-6").unwrap_err().to_string();
        assert!(error.starts_with("there is no model \"gpt-6\"; there are sonnet-4.5,"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_file() {
        let rows = [
            ("[[provder]]\n", "/own/catalogue.toml:2: unknown field `provder`"),
            ("[[model]]\nname = \"m\"\nid = \"m\"\nspeed = 1\n", "/own/catalogue.toml:5: unknown field `speed`"),
            (
                &LOCAL.replace("127.0.0.1", "models.example"),
                "/own/catalogue.toml: the provider \"local\" has a base that is not encrypted: https://, or http:// for \
                 this machine and its network alone",
            ),
            (
                "[[price]]\nmodels = [\"m\"]\nfrom = \"soon\"\ninput = 1.0\noutput = 1.0\n",
                "/own/catalogue.toml: a price holds from a day as in 2026-01-31, not from \"soon\"",
            ),
        ];
        for (text, expected) in rows {
            let error = with(text, &Origin::User).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let error = CatalogueLayer::parse(Path::new("c.toml"), "").unwrap_err().to_string();
        assert_eq!(error, "c.toml: this version reads format \"slopbench.catalogue/1\", and the file says none");
    }

    #[test]
    fn a_repository_reads_no_environment() {
        assert!(with(LOCAL, &Origin::Repository).is_ok());
        for line in ["key_variable = \"OPENAI_API_KEY\"", "headers = {x-a = \"${OPENAI_API_KEY}\"}"] {
            let error = with(&format!("{LOCAL}{line}\n"), &Origin::Repository).unwrap_err().to_string();
            assert!(error.contains("reads environment variables, which a repository may not"), "{error}");
        }
    }

    #[test]
    fn every_built_in_model_has_a_provider_and_a_price() {
        let catalogue = Catalogue::built_in().unwrap();
        assert_eq!(catalogue.models.iter().count(), 11, "the paper measures eleven models");
        for (name, entry) in catalogue.models.iter() {
            let provider = catalogue.providers.get(&entry.value.provider).unwrap();
            assert!(provider.value.variables().next().is_some(), "{name}");
            catalogue
                .prices
                .of(&entry.value.provider)
                .cost_usd(&entry.value.id, "2027-01-01", &TokenUsage::default())
                .unwrap();
        }
        let openai = &catalogue.providers.get("openai").unwrap().value;
        assert_eq!(openai.apis, [Api::OpenaiResponses, Api::OpenaiChat]);
    }
}
