//! What a scripted model does: steps that name no agent's tools, read from TOML or made from a solution.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use slopbench_text::line_of;
use walkdir::WalkDir;

/// What `format` says in a script file of this version.
pub const SCRIPT_FORMAT: &str = "slopbench.script/1";

/// A scripted model's whole session.
///
/// ```toml
/// format = "slopbench.script/1"
/// finish = "The greeting is written."
///
/// [[steps]]
/// think = "There may be something here already."
/// say = "I look around first."
/// run = "ls"
///
/// [[steps]]
/// write = "greeting.txt"
/// text = "Hello.\n"
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// [`SCRIPT_FORMAT`].
    pub format: String,
    /// What the model says at the end.
    pub finish: String,
    /// What it does before, in order.
    #[serde(default)]
    pub steps: Vec<ScriptStep>,
    /// What it answers to requests of our own, which are no agent's: see [`crate::client`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<ScriptedAnswer>,
}

/// An answer to a request of our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedAnswer {
    /// What the request says somewhere: the first answer that fits is given.
    pub asked: String,
    /// The answer.
    pub text: String,
    /// The tools that are called before, all at once, where some are on offer and none was called yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptedCall>,
}

/// A call of a tool that a request of our own offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool's name.
    pub tool: String,
    /// What it is given.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// One turn of a scripted model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StepFile", into = "StepFile")]
pub struct ScriptStep {
    /// What it thinks before, as far as its provider shows that; may be empty.
    pub think: String,
    /// What it says beside; may be empty.
    pub say: String,
    /// What it does.
    pub action: Action,
}

/// What a model can do, in no agent's own words. Paths are relative to the agent's working folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Run a shell command there.
    Run(String),
    /// Read a file; some agents refuse to overwrite what their model has not read.
    Read(String),
    /// Create or overwrite a file, and the folders it lies in.
    Write(String, String),
}

/// A step as it is written: exactly one of `run`, `read` and `write`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepFile {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    think: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    say: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl TryFrom<StepFile> for ScriptStep {
    type Error = &'static str;

    fn try_from(file: StepFile) -> Result<Self, Self::Error> {
        let action = match (file.run, file.read, file.write, file.text) {
            (Some(command), None, None, None) => Action::Run(command),
            (None, Some(path), None, None) => Action::Read(path),
            (None, None, Some(path), Some(text)) => Action::Write(path, text),
            _ => return Err("a step has exactly one of `run`, `read`, and `write` with `text`"),
        };
        Ok(Self { think: file.think, say: file.say, action })
    }
}

impl From<ScriptStep> for StepFile {
    fn from(step: ScriptStep) -> Self {
        let file = Self { think: step.think, say: step.say, ..Self::default() };
        match step.action {
            Action::Run(command) => Self { run: Some(command), ..file },
            Action::Read(path) => Self { read: Some(path), ..file },
            Action::Write(path, text) => Self { write: Some(path), text: Some(text), ..file },
        }
    }
}

/// A script that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A script file that is not as [`Script`] has it.
    #[error("{}:{line}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u32,
        /// What is wrong.
        message: String,
    },
    /// Models write text.
    #[error("{} is not valid UTF-8: a scripted model can only write text; leave the file out", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
}

impl Script {
    /// A script of these actions, without a word beside them.
    pub fn of_actions(actions: impl IntoIterator<Item = Action>) -> Self {
        let steps =
            actions.into_iter().map(|action| ScriptStep { think: String::new(), say: String::new(), action }).collect();
        Self { format: SCRIPT_FORMAT.to_owned(), finish: "All of it is done.".to_owned(), steps, answers: Vec::new() }
    }

    /// Reads a script file.
    ///
    /// # Errors
    ///
    /// [`ScriptError`] if it cannot be read, or is not as the format has it, with the line.
    pub fn load(path: &Path) -> Result<Self, ScriptError> {
        let text = read_text(path)?;
        let format_error = |offset: usize, message: String| {
            let line = line_of(text.as_bytes(), offset);
            ScriptError::Format { path: path.to_path_buf(), line, message }
        };
        let script: Self = toml::from_str(&text)
            .map_err(|error| format_error(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        if script.format != SCRIPT_FORMAT {
            let message = format!("this version reads format \"{SCRIPT_FORMAT}\", not \"{}\"", script.format);
            return Err(format_error(0, message));
        }
        Ok(script)
    }

    /// The script that turns a folder that equals `before` (nothing, if `None`) into one that equals `solution`.
    ///
    /// Files that are equal are left alone; those that differ are read first, as agents ask of their models.
    ///
    /// # Errors
    ///
    /// [`ScriptError`] if a file cannot be read, or is no text.
    pub fn of_solution(before: Option<&Path>, solution: &Path) -> Result<Self, ScriptError> {
        let old = before.map_or(Ok(Vec::new()), files)?;
        let new = files(solution)?;
        let gone = old.iter().filter(|(path, _)| !new.iter().any(|(other, _)| other == path));
        let mut actions: Vec<_> = gone.map(|(path, _)| Action::Run(format!("rm -- {}", quote(path)))).collect();
        for (path, text) in new {
            match old.iter().find(|(other, _)| *other == path) {
                Some((_, same)) if *same == text => continue,
                Some(_) => actions.push(Action::Read(path.clone())),
                None => {}
            }
            actions.push(Action::Write(path, text));
        }
        Ok(Self::of_actions(actions))
    }
}

/// Every file below `folder`, with its path from there, sorted.
fn files(folder: &Path) -> Result<Vec<(String, String)>, ScriptError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_path_buf();
            ScriptError::Read { path, source: error.into() }
        })?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            files.push((path.to_string_lossy().into_owned(), read_text(entry.path())?));
        }
    }
    Ok(files)
}

fn read_text(path: &Path) -> Result<String, ScriptError> {
    let bytes = fs::read(path).map_err(|source| ScriptError::Read { path: path.to_path_buf(), source })?;
    String::from_utf8(bytes).map_err(|_| ScriptError::NotText { path: path.to_path_buf() })
}

/// `text` as one word of a shell command.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn a_solution_is_written_file_by_file_and_what_changed_is_read_first() {
        let before = folder(&[("same.py", "1\n"), ("changed.py", "1\n"), ("it's gone.py", "1\n")]);
        let after = folder(&[("same.py", "1\n"), ("changed.py", "2\n"), ("lib/new.py", "3\n")]);
        let script = Script::of_solution(Some(before.path()), after.path()).unwrap();
        let actions: Vec<_> = script.steps.into_iter().map(|step| step.action).collect();
        assert_eq!(
            actions,
            [
                Action::Run(r"rm -- 'it'\''s gone.py'".into()),
                Action::Read("changed.py".into()),
                Action::Write("changed.py".into(), "2\n".into()),
                Action::Write("lib/new.py".into(), "3\n".into()),
            ]
        );
    }

    #[test]
    fn a_script_survives_being_written_and_read() {
        let script = Script::of_actions([Action::Run("ls".into()), Action::Write("a".into(), "b".into())]);
        let folder = folder(&[("script.toml", &toml::to_string(&script).unwrap())]);
        assert_eq!(Script::load(&folder.path().join("script.toml")).unwrap(), script);
    }

    #[test]
    fn a_flaw_is_named_with_its_line() {
        let flaws = [
            ("format = \"slopbench.script/1\"\nfinish = \"\"\n[[steps]]\nrun = \"ls\"\nread = \"a\"\n", "script.toml:"),
            ("format = \"slopbench.script/2\"\nfinish = \"\"\n", "this version reads format"),
            ("format = \"slopbench.script/1\"\nfinish = \"\"\nspeed = 1\n", "script.toml:3: unknown field `speed`"),
        ];
        for (text, expected) in flaws {
            let folder = folder(&[("script.toml", text)]);
            let error = Script::load(&folder.path().join("script.toml")).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
