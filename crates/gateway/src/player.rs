//! A model that plays a [`Script`]: every step becomes calls of the tools that the asking agent offers.
//!
//! A turn depends on the request alone: the number of tool calls in the conversation says which is next. So retries and
//! requests that race each other change nothing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    script::{Action, Script, ScriptedCall, quote},
    turn::{Arguments, OfferedTool, Prompt, TokenUsage, ToolCall, Turn},
};

/// What a tool does with what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolEffect {
    /// Runs a shell command.
    Run,
    /// Shows a file.
    Read,
    /// Creates or overwrites a file.
    Write,
    /// Writes a file that is given as a patch in Codex' grammar, as a text without arguments.
    Patch,
}

/// A tool of an agent's, as its model uses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUse {
    /// The agent's name for it.
    pub name: String,
    /// What it is for.
    pub does: ToolEffect,
    /// Its arguments and what each holds, in order. `{path}` stands for the absolute path of the file, `{text}` for its new
    /// text, `{command}` for the shell command.
    #[serde(default)]
    pub arguments: Vec<(String, Value)>,
    /// Whether it writes an escaped byte order mark as the mark itself, so that a shell has to write such files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turns_marks: bool,
}

/// How much of a file one shell command writes: Linux gives a single argument 128 KiB, and quoting may take four times
/// as much.
const SHELL_CHUNK: usize = 24 << 10;

/// How programs write a byte order mark.
const BYTE_ORDER_MARK: &str = r"\ufeff";

/// What Gemini CLI asks for after thirty turns, and then for minutes if it gets something else: whether its model goes round
/// in circles.
const NO_LOOP: &str = r#"{"unproductive_state_analysis": "It follows a script.", "unproductive_state_confidence": 0}"#;

/// What it says to requests beside a session.
const ASIDE: &str = "A scripted session";

/// A scripted model at work in one agent's folder.
#[derive(Clone, Debug)]
pub struct Player {
    /// What it does.
    pub script: Script,
    /// The agent's working folder, absolute, as the agent sees it.
    pub workspace: PathBuf,
    /// The agent's tools; of those that do the same, the first that is on offer is used.
    pub tools: Vec<ToolUse>,
    /// The shell command that ends a session, for agents that do not take silence for the end.
    pub finish_command: Option<String>,
}

/// A script that cannot be played with the tools on offer.
#[derive(Debug, thiserror::Error)]
#[error(
    "the scripted model knows no tool that could {wanted}; the agent offers {offered}: add it to `tools` of the agent"
)]
pub struct NoTool {
    /// What the script asks for.
    pub wanted: &'static str,
    /// The names of the tools on offer.
    pub offered: String,
}

impl Player {
    /// What the model says to this prompt.
    ///
    /// Token counts are made up, and alike in every run: scripted models have no tokens.
    ///
    /// # Errors
    ///
    /// [`NoTool`] if no tool on offer can do the next step.
    pub fn turn(&self, prompt: &Prompt) -> Result<Turn, NoTool> {
        let mut turn = self.words(prompt)?;
        let said = turn.text.len() + turn.reasoning.len() + turn.calls.len() * 40;
        let input = 1000 + 100 * prompt.calls_so_far as u64;
        let output = 1 + said as u64 / 4;
        let reasoning = turn.reasoning.len() as u64 / 4;
        turn.usage = TokenUsage { input, cached_input: input - 100, cache_writes: 0, output, reasoning };
        Ok(turn)
    }

    /// Whether the script has an answer to a request of our own that says `asked`.
    pub(crate) fn has_answer(&self, asked: &str) -> bool {
        self.script.answers.iter().any(|answer| asked.contains(&answer.asked))
    }

    /// What the model answers to a request of our own that says `asked`: the first of the script's answers that fits, after
    /// its calls where it may call, or else `example`, a value that the request's schema allows.
    pub(crate) fn answer(&self, asked: &str, may_call: bool, example: Option<String>) -> Turn {
        let scripted = self.script.answers.iter().find(|answer| asked.contains(&answer.asked));
        let call = |(index, call): (usize, &ScriptedCall)| ToolCall {
            id: format!("call_{index}"),
            name: call.tool.clone(),
            arguments: Arguments::Json(call.arguments.clone()),
            signature: None,
        };
        let calls = scripted.filter(|_| may_call).map_or(&[][..], |answer| &answer.calls);
        let calls: Vec<_> = calls.iter().enumerate().map(call).collect();
        let text = scripted.map(|answer| answer.text.clone()).or(example).unwrap_or_else(|| ASIDE.to_owned());
        let text = if calls.is_empty() { text } else { String::new() };
        let (input, output) = (1 + asked.len() as u64 / 4, 1 + text.len() as u64 / 4 + 10 * calls.len() as u64);
        Turn { text, calls, usage: TokenUsage { input, output, ..TokenUsage::default() }, ..Turn::default() }
    }

    fn words(&self, prompt: &Prompt) -> Result<Turn, NoTool> {
        if prompt.tools.is_empty() {
            // Agents ask for titles, summaries and the like beside the session; these come without tools.
            let text = if prompt.wants_json { NO_LOOP } else { ASIDE };
            return Ok(Turn { text: text.to_owned(), ..Turn::default() });
        }
        let number = prompt.calls_so_far;
        let mut first = 0;
        for step in &self.script.steps {
            let calls = self.calls(&step.action, &prompt.tools)?;
            if let Some((name, arguments)) = calls.get(number - first) {
                let calls = vec![ToolCall {
                    id: format!("call_{number}"),
                    name: (*name).to_owned(),
                    arguments: arguments.clone(),
                    signature: None,
                }];
                // A step of several calls is explained once.
                let once = |text: &String| if number == first { text.clone() } else { String::new() };
                return Ok(Turn {
                    reasoning: once(&step.think),
                    text: once(&step.say),
                    calls,
                    usage: TokenUsage::default(),
                });
            }
            first += calls.len();
        }
        let calls = match &self.finish_command {
            Some(command) => self.calls(&Action::Run(command.clone()), &prompt.tools)?,
            None => Vec::new(),
        };
        let calls = calls.into_iter().map(|(name, arguments)| ToolCall {
            id: format!("call_{number}"),
            name: name.to_owned(),
            arguments,
            signature: None,
        });
        Ok(Turn { text: self.script.finish.clone(), calls: calls.collect(), ..Turn::default() })
    }

    /// The tool calls that do `action`, in order; at least one.
    fn calls(&self, action: &Action, offered: &[OfferedTool]) -> Result<Vec<(&str, Arguments)>, NoTool> {
        match action {
            Action::Run(command) => Ok(vec![self.run(command, offered)?]),
            Action::Read(path) => match self.find(ToolEffect::Read, offered) {
                Some(known) => Ok(vec![(&*known.name, self.fill(known, path, "", ""))]),
                None => Ok(vec![self.run(&format!("cat {}", quote(path)), offered)?]),
            },
            Action::Write(path, text) if text.contains(BYTE_ORDER_MARK) && self.turns_marks(offered) => {
                shell_writes(path, text).iter().map(|command| self.run(command, offered)).collect()
            }
            Action::Write(path, text) => {
                if let Some(known) = self.find(ToolEffect::Write, offered) {
                    return Ok(vec![(&*known.name, self.fill(known, path, text, ""))]);
                }
                if let (Some(known), Some(patch)) = (self.find(ToolEffect::Patch, offered), patch(path, text)) {
                    return Ok(vec![(&*known.name, Arguments::Text(patch))]);
                }
                shell_writes(path, text).iter().map(|command| self.run(command, offered)).collect()
            }
        }
    }

    fn run(&self, command: &str, offered: &[OfferedTool]) -> Result<(&str, Arguments), NoTool> {
        let Some(known) = self.find(ToolEffect::Run, offered) else {
            let names: Vec<_> = offered.iter().map(|tool| tool.name.as_str()).collect();
            return Err(NoTool { wanted: "run a shell command", offered: names.join(", ") });
        };
        Ok((&*known.name, self.fill(known, "", "", command)))
    }

    fn fill(&self, known: &ToolUse, path: &str, text: &str, command: &str) -> Arguments {
        let path = self.workspace.join(Path::new(path));
        let values = [("{path}", &*path.to_string_lossy()), ("{text}", text), ("{command}", command)];
        let filled = known.arguments.iter().map(|(name, template)| (name.clone(), filled(template, &values)));
        Arguments::Json(filled.collect::<Map<_, _>>())
    }

    fn find(&self, does: ToolEffect, offered: &[OfferedTool]) -> Option<&ToolUse> {
        let is_offered = |known: &&ToolUse| {
            offered.iter().any(|tool| tool.name == known.name && tool.takes_text == (does == ToolEffect::Patch))
        };
        self.tools.iter().filter(|known| known.does == does).find(is_offered)
    }

    fn turns_marks(&self, offered: &[OfferedTool]) -> bool {
        self.find(ToolEffect::Write, offered).is_some_and(|known| known.turns_marks)
            && self.find(ToolEffect::Run, offered).is_some()
    }
}

/// A template whose texts are placeholders or said as they are.
fn filled(template: &Value, values: &[(&str, &str)]) -> Value {
    match template {
        Value::String(text) => {
            values.iter().find(|(name, _)| name == text).map_or(text.as_str(), |(_, value)| value).into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        other => other.clone(),
    }
}

/// A file as a patch. The grammar has only whole lines: `None` for a text that does not end with one.
fn patch(path: &str, text: &str) -> Option<String> {
    let lines = text.strip_suffix('\n')?.split('\n').map(|line| format!("+{line}\n"));
    Some(format!("*** Begin Patch\n*** Add File: {path}\n{}*** End Patch\n", lines.collect::<String>()))
}

/// Commands that write `text` to `path`, byte for byte.
fn shell_writes(path: &str, text: &str) -> Vec<String> {
    let parent = Path::new(path).parent().map(|parent| parent.to_string_lossy()).unwrap_or_default();
    let make = if parent.is_empty() { String::new() } else { format!("mkdir -p {} && ", quote(&parent)) };
    // Between two quotations, so that it stands nowhere for an agent to see.
    let word = |text: &str| quote(text).replace(BYTE_ORDER_MARK, r"\''ufeff");
    let mut commands = vec![format!("{make}printf %s {} > {}", word(chunk(text)), quote(path))];
    let mut rest = &text[chunk(text).len()..];
    while !rest.is_empty() {
        commands.push(format!("printf %s {} >> {}", word(chunk(rest)), quote(path)));
        rest = &rest[chunk(rest).len()..];
    }
    commands
}

/// The first part of `text`, cut between characters.
fn chunk(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHELL_CHUNK)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_byte_order_mark_is_written_by_a_shell_that_never_sees_it_whole() {
        let text = "MARK = \"\\ufeff\"  # it's one\n";
        let tool = |name: &str| OfferedTool { name: name.to_owned(), takes_text: false };
        let argument = |name: &str, holds: &str| (name.to_owned(), holds.into());
        let known = |name: &str, does, arguments: &[(String, Value)], turns_marks| ToolUse {
            name: name.to_owned(),
            does,
            arguments: arguments.to_vec(),
            turns_marks,
        };
        let write =
            known("Write", ToolEffect::Write, &[argument("file_path", "{path}"), argument("content", "{text}")], true);
        let tools = vec![known("Bash", ToolEffect::Run, &[argument("command", "{command}")], false), write];
        let script = Script::of_actions([]);
        let player = Player { script, workspace: "/workspace".into(), tools, finish_command: None };
        let calls = player.calls(&Action::Write("a.py".into(), text.into()), &[tool("Write"), tool("Bash")]).unwrap();
        let [("Bash", Arguments::Json(arguments))] = calls.as_slice() else { panic!("{calls:?}") };
        let command = arguments["command"].as_str().unwrap();
        assert!(!command.contains(BYTE_ORDER_MARK), "{command}");
        let folder = tempfile::tempdir().unwrap();
        let status = std::process::Command::new("sh").args(["-c", command]).current_dir(&folder).status().unwrap();
        assert!(status.success());
        assert_eq!(std::fs::read_to_string(folder.path().join("a.py")).unwrap(), text);
    }
}
