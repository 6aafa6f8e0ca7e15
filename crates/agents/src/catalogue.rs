//! Everything that a run can name: providers, models, prices and agents, built in and of a user's own.
//!
//! Layers, each overriding the ones before by name: what is built in; the user's folder; the `slopbench.toml` of a
//! repository; files that a command names.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use include_dir::{Dir, include_dir};
use slopbench_gateway::catalogue::{CatalogueError, CatalogueLayer, CatalogueTable, EntryIdentity, Origin};

use crate::{
    definition::{Agent, InstallSource},
    events,
    lock::{AgentLock, LockError},
};

static AGENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/agents");

/// The catalogue's file in the user's folder.
const FILE: &str = "catalogue.toml";

/// Agents, and the models behind them.
#[derive(Clone, Debug)]
pub struct AgentCatalogue {
    /// Providers, models and prices.
    pub models: slopbench_gateway::catalogue::Catalogue,
    /// Who writes code.
    pub agents: CatalogueTable<Agent>,
    /// The user's own lock files, by agent and version.
    locks: BTreeMap<(String, String), AgentLock>,
}

impl AgentCatalogue {
    /// The built-in entries.
    ///
    /// # Errors
    ///
    /// If a built-in file is not as it should be: a bug.
    pub fn built_in() -> Result<Self, CatalogueError> {
        let models = slopbench_gateway::catalogue::Catalogue::built_in()?;
        let mut this = Self { models, agents: CatalogueTable::new("agent"), locks: BTreeMap::new() };
        let mut files: Vec<_> = AGENTS.files().collect();
        files.sort_by_key(|file| file.path());
        for file in files {
            let path = Path::new("agents").join(file.path());
            let text = file.contents_utf8().ok_or_else(|| CatalogueError::format(&path, "it is not valid UTF-8"))?;
            this.add_agent(&path, text, &Origin::BuiltIn)?;
        }
        Ok(this)
    }

    /// Adds the user's own entries: `catalogue.toml`, `agents/*.toml` and the lock files in `locks`, where they are there.
    ///
    /// # Errors
    ///
    /// [`CatalogueError`] if a file cannot be used.
    pub fn add_user(&mut self, folder: &Path) -> Result<(), CatalogueError> {
        let file = folder.join(FILE);
        if file.is_file() {
            self.add_layer(&file, CatalogueLayer::load(&file)?, &Origin::User)?;
        }
        for path in entries(&folder.join("agents"))? {
            if path.extension().is_some_and(|extension| extension == "toml") {
                self.load_agent(&path, &Origin::User)?;
            }
        }
        for path in entries(&folder.join("locks"))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // A name may hold the sign, a version none.
            if let Some((agent, version)) = name.rsplit_once('@') {
                let lock = AgentLock::load(&path, Origin::User)
                    .map_err(|source| CatalogueError::Read { path: path.clone(), source })?;
                self.locks.insert((agent.to_owned(), version.to_owned()), lock);
            }
        }
        Ok(())
    }

    /// Adds the section `catalogue` of a repository's `slopbench.toml`.
    ///
    /// # Errors
    ///
    /// [`CatalogueError`] if it cannot be used.
    pub fn add_repository(&mut self, file: &Path) -> Result<(), CatalogueError> {
        self.add_layer(file, CatalogueLayer::of_section(file)?, &Origin::Repository)
    }

    /// Adds the entries of a file that a command names.
    ///
    /// # Errors
    ///
    /// [`CatalogueError`] if it cannot be used.
    pub fn add_file(&mut self, file: &Path) -> Result<(), CatalogueError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.add_layer(file, CatalogueLayer::load(file)?, &Origin::File(name))
    }

    fn add_layer(&mut self, file: &Path, layer: CatalogueLayer, origin: &Origin) -> Result<(), CatalogueError> {
        let agents = self.models.add(file, layer, origin)?;
        agents.iter().try_for_each(|path| self.load_agent(path, origin))
    }

    fn load_agent(&mut self, path: &Path, origin: &Origin) -> Result<(), CatalogueError> {
        let text = fs::read_to_string(path);
        let text = text.map_err(|source| CatalogueError::Read { path: path.to_path_buf(), source })?;
        self.add_agent(path, &text, origin)
    }

    fn add_agent(&mut self, path: &Path, text: &str, origin: &Origin) -> Result<(), CatalogueError> {
        let agent = Agent::parse(path, text)?;
        let (format, formats) = (agent.events.format.as_str(), events::formats());
        if !formats.contains(&format) {
            let known = formats.join(", ");
            return Err(CatalogueError::format(
                path,
                format!("there is no event format \"{format}\"; there are {known}"),
            ));
        }
        let failed = |error: serde_json::Error| CatalogueError::format(path, error.to_string());
        self.agents.put(&agent.name.clone(), agent, origin.clone()).map_err(failed)
    }

    /// The versions of an agent that can be had, its own before those that only the user's lock files name; each with where
    /// its lock comes from, nothing where there is none.
    pub fn versions(&self, agent: &Agent) -> Vec<(String, Option<Origin>)> {
        let origin = |version: &str| Some(self.lock(agent, version).ok()?.identity.origin);
        let with_origin = |version: String| {
            let origin = origin(&version);
            (version, origin)
        };
        self.known(agent).into_iter().map(with_origin).collect()
    }

    /// What pins `version` of `agent`: the user's own lock files, or those that its definition names, or its folder.
    ///
    /// # Errors
    ///
    /// [`LockError`] if nothing does, or it is not what the definition names.
    pub fn lock(&self, agent: &Agent, version: &str) -> Result<AgentLock, LockError> {
        if let Some(lock) = self.locks.get(&(agent.name.clone(), version.to_owned())) {
            return Ok(lock.clone());
        }
        let known = || self.known(agent);
        let pinned = agent.versions.iter().find(|known| known.version == version);
        let pinned = pinned.ok_or_else(|| LockError::not_locked(&agent.name, version, known()))?;
        let origin = self.agents.find(&agent.name).map_or(Origin::BuiltIn, |entry| entry.identity.origin.clone());
        let found = match &agent.install {
            InstallSource::Folder { folder, .. } => Some(AgentLock::of_folder(&agent.folder.join(folder), origin)?),
            _ => AgentLock::built_in(&agent.name, version),
        };
        match found {
            Some(lock) if pinned.lock.is_none_or(|digest| digest == lock.identity.digest) => Ok(lock),
            Some(lock) => Err(LockError::Other {
                agent: agent.name.clone(),
                version: version.to_owned(),
                found: lock.identity.digest,
            }),
            None => Err(LockError::not_locked(&agent.name, version, known())),
        }
    }

    /// The versions that its definition names, and after them those that only the user's lock files do.
    fn known(&self, agent: &Agent) -> Vec<String> {
        let mut known: Vec<_> = agent.versions.iter().map(|version| version.version.clone()).collect();
        for (_, version) in self.locks.keys().filter(|(name, _)| *name == agent.name) {
            if !known.contains(version) {
                known.push(version.clone());
            }
        }
        known
    }

    /// The identity of every entry that a session of `agent` at `version` is made with: of the agent and its lock, and of what
    /// is behind its model, where that is no scripted one; see [`slopbench_gateway::catalogue::Catalogue::behind`].
    ///
    /// # Errors
    ///
    /// [`LockError`] if nothing pins the version.
    pub fn identities(
        &self,
        agent: &Agent,
        version: &str,
        model: Option<(&str, &str, &str)>,
    ) -> Result<BTreeMap<String, EntryIdentity>, LockError> {
        let name = &agent.name;
        let entry = self.agents.find(name).map(|entry| (format!("agent {name}"), entry.identity.clone()));
        let lock = (format!("lock {name}@{version}"), self.lock(agent, version)?.identity);
        let mut identities: BTreeMap<_, _> = entry.into_iter().chain([lock]).collect();
        if let Some((model, provider, id)) = model {
            let beside = agent.side_models(Some(provider)).iter().map(String::as_str);
            identities.extend(self.models.behind(model, provider, beside.chain([id])));
        }
        Ok(identities)
    }
}

/// What lies in a folder, sorted; nothing where there is none.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, CatalogueError> {
    let read =
        || fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = read().map_err(|source| CatalogueError::Read { path: folder.to_path_buf(), source })?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use slopbench_gateway::{catalogue::CATALOGUE_FORMAT, turn::TokenUsage};

    use super::*;
    use crate::definition::AGENT_FORMAT;

    #[test]
    fn every_built_in_agent_is_readable_and_each_of_its_versions_locked() {
        let catalogue = AgentCatalogue::built_in().unwrap();
        let names: Vec<_> = catalogue.agents.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["claude-code", "codex", "gemini-cli", "mini-swe-agent", "opencode"]);
        for (name, entry) in catalogue.agents.iter() {
            for (version, origin) in catalogue.versions(&entry.value) {
                assert_eq!(origin, Some(Origin::BuiltIn), "{name} {version}");
            }
        }
        let unknown = catalogue.agents.get("cluade").unwrap_err().to_string();
        assert!(unknown.starts_with("there is no agent \"cluade\"; there are claude-code, codex,"), "{unknown}");
    }

    #[test]
    fn every_built_in_model_has_an_agent_and_a_provider_that_speak_with_each_other() {
        let catalogue = AgentCatalogue::built_in().unwrap();
        for (name, entry) in catalogue.models.models.iter() {
            let model = &entry.value;
            let agent = &catalogue.agents.get(model.agent.as_ref().unwrap()).unwrap().value;
            catalogue.models.providers.get(&model.provider).unwrap().value.speaks(agent.api).unwrap();
            catalogue.lock(agent, model.version.as_ref().unwrap()).unwrap();
            catalogue
                .models
                .prices
                .of(&model.provider)
                .cost_usd(&model.id, "2027-01-01", &TokenUsage::default())
                .unwrap();
            assert!(agent.thinking.is_empty() || agent.thinking.contains_key(&model.reasoning), "{name}");
        }
    }

    /// A user's folder with an agent that is a folder beside its file.
    fn own() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["agents/tiny", "locks/codex@9.9.9"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        let text = format!(
            "format = \"{AGENT_FORMAT}\"\nname = \"tiny\"\ntitle = \"Tiny\"\napi = \"openai-chat\"\n\
             events = {{format = \"none\"}}\ninstall = {{folder = \"tiny\", program = \"run.sh\"}}\n\
             versions = [{{version = \"1\"}}]\nscripted_model = \"s\"\narguments = [\"{{prompt}}\"]\n"
        );
        fs::write(path("agents/tiny.toml"), text).unwrap();
        fs::write(path("agents/tiny/run.sh"), "#!/bin/sh\n").unwrap();
        fs::write(path("locks/codex@9.9.9/package.json"), "{}").unwrap();
        folder
    }

    #[test]
    fn a_users_folder_adds_agents_and_locks() {
        let folder = own();
        let mut catalogue = AgentCatalogue::built_in().unwrap();
        catalogue.add_user(folder.path()).unwrap();
        let tiny = &catalogue.agents.get("tiny").unwrap();
        assert_eq!(tiny.identity.origin, Origin::User);
        let before = catalogue.lock(&tiny.value, "1").unwrap().identity;
        fs::write(folder.path().join("agents/tiny/run.sh"), "#!/bin/sh\nexit 1\n").unwrap();
        assert_ne!(
            catalogue.lock(&tiny.value, "1").unwrap().identity.digest,
            before.digest,
            "it is of what the folder holds"
        );
        let codex = &catalogue.agents.get("codex").unwrap().value;
        assert_eq!(catalogue.lock(codex, "9.9.9").unwrap().identity.origin, Origin::User);
        assert_eq!(catalogue.versions(codex).last().unwrap().0, "9.9.9");
        let error = catalogue.lock(codex, "0.1.0").unwrap_err().to_string();
        let expected = "codex 0.1.0 is in no lock file; the versions to be had are 0.65.0, 0.72.0, 0.80.0, 0.98.0, 0.100.0, \
                        0.110.0, 0.169.0, 9.9.9: lock it with `slopbench agents lock codex@0.1.0`";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_file_names_its_agents_and_a_plan_every_entry_behind_a_session() {
        let folder = own();
        let file = folder.path().join("team.toml");
        let text = format!(
            "format = \"{CATALOGUE_FORMAT}\"\nagents = [\"agents/tiny.toml\"]\n[[provider]]\nname = \"local\"\n\
             apis = [\"openai-chat\"]\nbase = \"http://localhost:1\"\n"
        );
        fs::write(&file, text).unwrap();
        let mut catalogue = AgentCatalogue::built_in().unwrap();
        catalogue.add_file(&file).unwrap();
        let tiny = &catalogue.agents.get("tiny").unwrap().value;
        let identities = catalogue.identities(tiny, "1", Some(("local:m", "local", "m"))).unwrap();
        let of_file = Origin::File("team.toml".to_owned());
        assert_eq!(identities.keys().collect::<Vec<_>>(), ["agent tiny", "lock tiny@1", "provider local"]);
        assert!(identities.values().all(|identity| identity.origin == of_file));
    }

    #[test]
    fn an_event_format_that_nobody_reads_is_refused() {
        let text = include_str!("../agents/codex.toml").replace("format = \"codex\"", "format = \"jsonl\"");
        let error =
            AgentCatalogue::built_in().unwrap().add_agent(Path::new("own.toml"), &text, &Origin::User).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("own.toml: there is no event format \"jsonl\"; there are none, claude-code,"),
            "{error}"
        );
    }

    #[test]
    fn a_lock_that_is_not_the_named_one_is_refused() {
        let mut catalogue = AgentCatalogue::built_in().unwrap();
        let text = include_str!("../agents/opencode.toml").replace("lock = \"sha256:", "lock = \"sha256:0000");
        let text: String = text
            .lines()
            .map(|line| match line.split_once("sha256:0000") {
                Some((start, rest)) => format!("{start}sha256:0000{}\n", &rest[4..]),
                None => format!("{line}\n"),
            })
            .collect();
        catalogue.add_agent(Path::new("own.toml"), &text, &Origin::User).unwrap();
        let agent = &catalogue.agents.get("opencode").unwrap().value;
        let error = catalogue.lock(agent, "1.18.33").unwrap_err().to_string();
        assert!(error.starts_with("what pins opencode 1.18.33 has the digest sha256:"), "{error}");
    }
}
