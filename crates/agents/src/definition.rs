//! What an agent is, as data: how it is installed, started and told where its model is. One TOML file per agent.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_gateway::{
    api::Api,
    catalogue::{self, CatalogueError},
    player::ToolUse,
};

use slopbench_sandbox::session::SessionJob;

/// What `format` says in an agent's file of this version.
pub const AGENT_FORMAT: &str = "slopbench.agent/2";

/// A coding agent's command line.
///
/// `arguments`, `environment` and `files` may hold `{prompt}`, `{model}`, `{small_model}`, `{reasoning}`, `{thinking}`,
/// `{gateway}`, `{key}`, `{home}` and `{conversation}`; see [`AgentTask`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// How it tells what it does.
    pub events: EventSource,
    /// Where it comes from.
    pub install: InstallSource,
    /// The recipe of the image of `cargo xtask images` that has what its program needs; without one it runs in no container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Its versions, the newest last, each with what pins it; there may be further ones that only a lock file names.
    #[serde(default)]
    pub versions: Vec<AgentVersion>,
    /// The model's name when a scripted model plays it.
    pub scripted_model: String,
    /// The shell command by which its model says that it is done, where silence is not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// Of its program, in a new conversation.
    pub arguments: Vec<String>,
    /// Of its program where it goes on with `{conversation}`; absent where it cannot.
    #[serde(default)]
    pub continue_arguments: Option<Vec<String>>,
    /// Of its process, beside what every process gets.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What lies in its home before it starts: text by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Its tools that read or edit files.
    #[serde(default)]
    pub file_tools: FileTools,
    /// Its tools, as a scripted model uses them; of those that do the same, the first that is on offer is used.
    #[serde(default)]
    pub tools: Vec<ToolUse>,
    /// The folder of its file: what the paths in it are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// How an agent tells what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventSource {
    /// The format's name, one of [`crate::events::formats`]. With `none` the gateway alone says what was used, and the exit code
    /// how a session ended.
    pub format: String,
    /// `stdout`, or a file in its home.
    #[serde(default = "stdout")]
    pub from: String,
}

fn stdout() -> String {
    "stdout".to_owned()
}

/// The tools by which an agent reads and edits files: what its footprint is counted by. What a shell does is not guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileTools {
    /// Those that read one file, each with the argument that holds its path.
    #[serde(default)]
    pub reads: BTreeMap<String, String>,
    /// The same of those that edit one.
    #[serde(default)]
    pub edits: BTreeMap<String, String>,
    /// Those that edit every file in their argument `changes`, a list of objects with a `path`.
    #[serde(default)]
    pub patches: Vec<String>,
}

/// A version of an agent, and what pins it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentVersion {
    /// As its registry calls it.
    pub version: String,
    /// The digest of its lock files; of a folder, that of its files. What is a folder needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<Sha256>,
}

/// Where an agent's program comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
pub enum InstallSource {
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
        /// Packages that it needs and does not declare.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<String>,
        /// The program.
        program: String,
    },
    /// A folder of this machine, shown as it is.
    Folder {
        /// The folder, relative to that of the agent's file.
        folder: PathBuf,
        /// The program, relative to the folder.
        program: String,
    },
}

/// What an agent is asked, and where.
#[derive(Clone, Copy, Debug)]
pub struct AgentTask<'a> {
    /// What it is told: `{prompt}`.
    pub prompt: &'a str,
    /// The conversation that it goes on with, as it called it: `{conversation}`; a new one without.
    pub conversation: Option<&'a str>,
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

impl Agent {
    /// Reads the `text` of an agent's file at `path`.
    ///
    /// # Errors
    ///
    /// [`CatalogueError::Format`] if it is not as [`Agent`] has it, with the line where one can be named.
    pub fn parse(path: &Path, text: &str) -> Result<Self, CatalogueError> {
        let flaw = |message: String| Err(CatalogueError::format(path, message));
        // Another version's file has other fields.
        let Format { format } = catalogue::parse(path, text)?;
        if format != AGENT_FORMAT {
            return flaw(format!("this version reads format \"{AGENT_FORMAT}\", not \"{format}\""));
        }
        let agent: Self = catalogue::parse(path, text)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if agent.name.is_empty() || !agent.name.bytes().all(is_plain) || agent.name.starts_with('.') {
            return flaw(format!("the name \"{}\" has other signs than letters, digits, - _ and .", agent.name));
        }
        if TAKEN.contains(&agent.name.as_str()) {
            return flaw(format!("the name {} is taken by a worker that is no agent", agent.name));
        }
        Ok(Self { folder: path.with_file_name(""), ..agent })
    }

    /// The models that it asks beside one of `provider`; a scripted model stands for one of the first provider.
    pub fn side_models(&self, provider: Option<&str>) -> &[String] {
        let models = match provider {
            Some(provider) => self.side_models.get(provider),
            None => self.side_models.values().next(),
        };
        models.map_or(&[], Vec::as_slice)
    }

    /// The model for small requests beside `model` of `provider`: that one itself where no other is known.
    pub fn small_model<'a>(&'a self, provider: Option<&str>, model: &'a str) -> &'a str {
        self.side_models(provider).first().map_or(model, String::as_str)
    }

    /// The job that does `task`, for at most `limit` of wall clock time: `program` is where the agent is installed.
    pub fn job(&self, program: &Path, task: &AgentTask<'_>, limit: Duration) -> SessionJob {
        let continued = self.continue_arguments.as_ref().filter(|_| task.conversation.is_some());
        let arguments = continued.unwrap_or(&self.arguments).iter().map(|argument| self.fill(argument, task));
        let argv = std::iter::once(program.to_string_lossy().into_owned()).chain(arguments).collect();
        let env = self.environment.iter().map(|(name, value)| (name.clone(), self.fill(value, task))).collect();
        SessionJob { env, ..SessionJob::new(argv, limit) }
    }

    /// The files that its home holds before it starts: text by path.
    pub fn home_files(&self, task: &AgentTask<'_>) -> BTreeMap<String, String> {
        self.files.iter().map(|(path, text)| (path.clone(), self.fill(text, task))).collect()
    }

    /// `template` with the values of `task`. The prompt's own braces are left alone: each value is put in once.
    fn fill(&self, template: &str, task: &AgentTask<'_>) -> String {
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
            ("{conversation}", task.conversation.unwrap_or_default()),
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

/// Names of workers that are no agents.
const TAKEN: &[&str] = &["command", "noop", "reference"];

/// The one field that every version of the format has.
#[derive(Deserialize)]
struct Format {
    format: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::AgentCatalogue;

    fn task(prompt: &str) -> AgentTask<'_> {
        let [workspace, home] = ["/workspace", "/agent"].map(Path::new);
        AgentTask {
            prompt,
            conversation: None,
            model: "m",
            small_model: "s",
            reasoning: "high",
            gateway: "http://127.0.0.1:1",
            key: "k",
            workspace,
            home,
        }
    }

    fn named(name: &str) -> Agent {
        AgentCatalogue::built_in().unwrap().agents.get(name).unwrap().value.clone()
    }

    #[test]
    fn a_flaw_of_a_file_is_named() {
        let codex = include_str!("../agents/codex.toml");
        let rows = [
            (codex.replace("agent/2", "agent/1"), "own.toml: this version reads format \"slopbench.agent/2\", not"),
            (codex.replace("title =", "tittle ="), "own.toml:3: unknown field `tittle`"),
            (codex.replace("name = \"codex\"\n", "name = \"a/b\"\n"), "own.toml: the name \"a/b\" has other signs"),
            (codex.replace("name = \"codex\"\n", "name = \"noop\"\n"), "own.toml: the name noop is taken"),
        ];
        for (text, expected) in rows {
            let error = Agent::parse(Path::new("own.toml"), &text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_prompt_is_passed_on_word_for_word() {
        let prompt = "Write {model} and {\"json\": 1}";
        let job = named("claude-code").job(Path::new("claude"), &task(prompt), Duration::MAX);
        assert_eq!(job.argv[..5], ["claude", "-p", prompt, "--model", "m"]);
        assert_eq!(job.env["ANTHROPIC_BASE_URL"], "http://127.0.0.1:1");
        assert_eq!(job.env["MAX_THINKING_TOKENS"], "31999");
    }

    #[test]
    fn side_models_are_of_the_models_provider() {
        let agent = named("claude-code");
        assert_eq!(agent.small_model(Some("zai"), "m"), "glm-4.5-air");
        assert_eq!(agent.small_model(None, "m"), "claude-haiku-4-5-20251001");
        assert_eq!(agent.side_models(Some("openai")), [""; 0]);
        assert_eq!(agent.small_model(Some("openai"), "m"), "m", "where none is known, the model itself");
        let environment = agent.job(Path::new("claude"), &task("p"), Duration::MAX).env;
        let models = ["OPUS", "SONNET", "HAIKU"].map(|name| &*environment[&format!("ANTHROPIC_DEFAULT_{name}_MODEL")]);
        assert_eq!(models, ["m", "m", "s"]);
    }

    #[test]
    fn configuration_files_are_filled_in() {
        let files = named("codex").home_files(&task("p"));
        assert!(files[".codex/config.toml"].contains("base_url = \"http://127.0.0.1:1/v1\""));
        let files = named("opencode").home_files(&task("p"));
        let config: serde_json::Value = serde_json::from_str(&files[".config/opencode/opencode.json"]).unwrap();
        assert_eq!(config["provider"]["slopbench"]["models"], serde_json::json!({"m": {}}));
    }
}
