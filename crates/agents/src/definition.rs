//! What an agent is, as data: how it is installed, started and told where its model is. One TOML file an agent.

use std::{collections::BTreeMap, path::Path, time::Duration};

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use slopbench_sandbox::session::Job;

use crate::api::Api;

/// What `format` says in an agent's file of this version.
pub const AGENT_FORMAT: &str = "slopbench.agent/1";

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/agents");

/// A coding agent's command line.
///
/// `arguments`, `environment` and `files` may hold `{prompt}`, `{model}`, `{small_model}`, `{reasoning}`, `{thinking}`,
/// `{gateway}`, `{key}` and `{home}`; see [`Task`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// [`AGENT_FORMAT`].
    pub format: String,
    /// What it is called in options and files.
    pub name: String,
    /// What it is called elsewhere.
    pub title: String,
    /// The API that it speaks to its model's provider.
    pub api: Api,
    /// Where it tells what it does: `stdout`, or a file in its home.
    pub events: String,
    /// Where it comes from.
    pub install: Source,
    /// The versions that lock files pin.
    pub versions: Vec<String>,
    /// The model's name when a scripted model plays it.
    pub scripted_model: String,
    /// The shell command by which its model says that it is done, where silence is not enough.
    pub finish_command: Option<String>,
    /// The models that it asks beside its own, by its model's provider; the first is its small model: `{small_model}`.
    #[serde(default)]
    pub side_models: BTreeMap<String, Vec<String>>,
    /// Tokens that its model may think with, by reasoning effort, where it takes a budget beside the word: `{thinking}`.
    #[serde(default)]
    pub thinking: BTreeMap<String, u32>,
    /// Whether it will not work for the superuser.
    #[serde(default)]
    pub refuses_root: bool,
    /// Of its program.
    pub arguments: Vec<String>,
    /// Of its process, beside what every process gets.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What lies in its home before it starts: text by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// A package registry's package, and the program in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
pub enum Source {
    /// From the npm registry.
    Npm {
        /// The package.
        npm: String,
        /// The program.
        program: String,
    },
    /// From PyPI.
    Pypi {
        /// The package.
        pypi: String,
        /// The program.
        program: String,
    },
}

impl Source {
    /// The image of `cargo xtask images` that has what such a program needs; nothing where it is bound to the machine that
    /// it was installed on, as Python's virtual environments are to their interpreter.
    pub fn image(&self) -> Option<&'static str> {
        match self {
            Self::Npm { .. } => Some("node"),
            Self::Pypi { .. } => None,
        }
    }
}

/// What an agent is asked, and where.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What it is told: `{prompt}`.
    pub prompt: &'a str,
    /// Its model's name: `{model}`.
    pub model: &'a str,
    /// The name of the model for small requests beside: `{small_model}`; see [`Agent::small_model`].
    pub small_model: &'a str,
    /// How hard its model is asked to think, in its provider's words: `{reasoning}`. Gemini CLI has no option for that.
    pub reasoning: &'a str,
    /// The gateway's address, without a trailing slash: `{gateway}`.
    pub gateway: &'a str,
    /// What it presents as its key; the gateway puts the real one in its place: `{key}`.
    pub key: &'a str,
    /// The folder that it works in, as it sees it.
    pub workspace: &'a Path,
    /// Its home, as it sees it: `{home}`.
    pub home: &'a Path,
}

/// An agent that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// No such agent.
    #[error("there is no agent \"{name}\"; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// An agent's file is not as [`Agent`] has it.
    #[error("agents/{file}: {message}")]
    Format {
        /// The file's name.
        file: String,
        /// What is wrong, and where.
        message: String,
    },
}

impl Agent {
    /// Every built-in agent, sorted by name.
    pub fn all() -> Result<Vec<Self>, AgentError> {
        let mut agents = FILES.files().map(parse).collect::<Result<Vec<_>, _>>()?;
        agents.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(agents)
    }

    /// The built-in agent `name`.
    pub fn named(name: &str) -> Result<Self, AgentError> {
        let all = Self::all()?;
        let known = all.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = all.into_iter().find(|agent| agent.name == name);
        found.ok_or_else(|| AgentError::Unknown { name: name.to_owned(), known })
    }

    /// The models that it asks beside one of `provider`; a scripted model stands for one of the first provider.
    pub fn side_models(&self, provider: Option<&str>) -> &[String] {
        let models = match provider {
            Some(provider) => self.side_models.get(provider),
            None => self.side_models.values().next(),
        };
        models.map_or(&[], Vec::as_slice)
    }

    /// The model for small requests beside one of `provider`; empty where none is known.
    pub fn small_model(&self, provider: Option<&str>) -> &str {
        self.side_models(provider).first().map_or("", String::as_str)
    }

    /// The job that does `task`, for at most `limit` of wall clock time: `program` is where the agent is installed.
    pub fn job(&self, program: &Path, task: &Task<'_>, limit: Duration) -> Job {
        let arguments = self.arguments.iter().map(|argument| self.fill(argument, task));
        let argv = std::iter::once(program.to_string_lossy().into_owned()).chain(arguments).collect();
        let env = self.environment.iter().map(|(name, value)| (name.clone(), self.fill(value, task))).collect();
        Job { env, ..Job::new(argv, limit) }
    }

    /// The files that its home holds before it starts: text by path.
    pub fn home_files(&self, task: &Task<'_>) -> BTreeMap<String, String> {
        self.files.iter().map(|(path, text)| (path.clone(), self.fill(text, task))).collect()
    }

    /// `template` with the values of `task`. The prompt's own braces are left alone: each value is put in once.
    fn fill(&self, template: &str, task: &Task<'_>) -> String {
        let home = task.home.to_string_lossy();
        let thinking = self.thinking.get(task.reasoning).map(u32::to_string).unwrap_or_default();
        let values = [
            ("{prompt}", task.prompt),
            ("{model}", task.model),
            ("{small_model}", task.small_model),
            ("{reasoning}", task.reasoning),
            ("{thinking}", &*thinking),
            ("{gateway}", task.gateway),
            ("{key}", task.key),
            ("{home}", &*home),
        ];
        let mut filled = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            let (before, from_brace) = rest.split_at(open);
            filled.push_str(before);
            let found = values.iter().find(|(name, _)| from_brace.starts_with(name));
            let (taken, value) = found.map_or((1, "{"), |(name, value)| (name.len(), value));
            filled.push_str(value);
            rest = &from_brace[taken..];
        }
        filled + rest
    }
}

fn parse(file: &include_dir::File<'_>) -> Result<Agent, AgentError> {
    let name = file.path().to_string_lossy().into_owned();
    let flaw = |message: String| AgentError::Format { file: name.clone(), message };
    let text = file.contents_utf8().ok_or_else(|| flaw("not valid UTF-8".to_owned()))?;
    let agent: Agent = toml::from_str(text).map_err(|error| flaw(error.to_string()))?;
    match agent.format == AGENT_FORMAT {
        true => Ok(agent),
        false => Err(flaw(format!("this version reads format \"{AGENT_FORMAT}\", not \"{}\"", agent.format))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(prompt: &str) -> Task<'_> {
        let [workspace, home] = ["/workspace", "/agent"].map(Path::new);
        Task {
            prompt,
            model: "m",
            small_model: "s",
            reasoning: "high",
            gateway: "http://127.0.0.1:1",
            key: "k",
            workspace,
            home,
        }
    }

    #[test]
    fn every_agent_is_readable_and_locked() {
        let agents = Agent::all().unwrap();
        let names: Vec<_> = agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["claude-code", "codex", "gemini-cli", "mini-swe-agent", "opencode"]);
        let unknown = Agent::named("cluade").unwrap_err().to_string();
        assert!(unknown.starts_with("there is no agent \"cluade\"; there are claude-code, codex,"), "{unknown}");
    }

    #[test]
    fn a_prompt_is_passed_on_word_for_word() {
        let prompt = "Write {model} and {\"json\": 1}";
        let job = Agent::named("claude-code").unwrap().job(Path::new("claude"), &task(prompt), Duration::MAX);
        assert_eq!(job.argv[..5], ["claude", "-p", prompt, "--model", "m"]);
        assert_eq!(job.env["ANTHROPIC_BASE_URL"], "http://127.0.0.1:1");
        assert_eq!(job.env["MAX_THINKING_TOKENS"], "31999");
    }

    #[test]
    fn side_models_are_of_the_models_provider() {
        let agent = Agent::named("claude-code").unwrap();
        assert_eq!(agent.small_model(Some("zai")), "glm-4.5-air");
        assert_eq!(agent.small_model(None), "claude-haiku-4-5-20251001");
        assert_eq!(agent.side_models(Some("openai")), [""; 0]);
        let environment = agent.job(Path::new("claude"), &task("p"), Duration::MAX).env;
        let models = ["OPUS", "SONNET", "HAIKU"].map(|name| &*environment[&format!("ANTHROPIC_DEFAULT_{name}_MODEL")]);
        assert_eq!(models, ["m", "m", "s"]);
    }

    #[test]
    fn configuration_files_are_filled_in() {
        let files = Agent::named("codex").unwrap().home_files(&task("p"));
        assert!(files[".codex/config.toml"].contains("base_url = \"http://127.0.0.1:1/v1\""));
        let files = Agent::named("opencode").unwrap().home_files(&task("p"));
        let config: serde_json::Value = serde_json::from_str(&files[".config/opencode/opencode.json"]).unwrap();
        assert_eq!(config["provider"]["slopbench"]["models"], serde_json::json!({"m": {}}));
    }
}
