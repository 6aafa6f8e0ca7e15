//! A scratch project with a guard, and models that answer as they are told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    catalogue::Catalogue,
    client::Client,
    player::Player,
    script::{Script, ScriptedAnswer},
    server::Mode,
};
use slopbench_guard::{FinishedTurn, Guard, GuardModel, GuardSettings, SourceTree, TurnReport};
use tempfile::TempDir;

/// A repository, and the state beside it.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(project.code()).unwrap();
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        Guard::create(&project.state(), &GuardSettings::default()).unwrap();
        project
    }

    pub(crate) fn code(&self) -> PathBuf {
        self.folder.path().join("code")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.code().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "turn"]);
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
        let output = Command::new("git").args(identity).args(args).current_dir(self.code()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// The last commit.
    pub(crate) fn head(&self) -> SourceTree {
        SourceTree::Revision { repository: self.code(), revision: "HEAD".to_owned() }
    }

    /// The working tree.
    pub(crate) fn now(&self) -> SourceTree {
        SourceTree::Folder(self.code())
    }

    pub(crate) fn guard(&self, model: Option<GuardModel>) -> Guard {
        Guard::open(&self.state()).unwrap().with_model(model)
    }

    /// A turn whose request is `request`, after which a model that answers as `answers` say is asked.
    pub(crate) fn turn(&self, request: &str, answers: &[(&str, Value)]) -> TurnReport {
        let mut guard = self.guard(Some(scripted(answers)));
        guard.after(&FinishedTurn { request, answer: "Done as asked." }, &self.now()).unwrap()
    }

    /// Every file of the state but the log and the structure, with its content.
    pub(crate) fn records(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for folder in ["", "design", "decision", "resource"] {
            for entry in fs::read_dir(self.state().join(folder)).into_iter().flatten().map(Result::unwrap) {
                let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
                if [".md", ".csv"].iter().any(|ending| name.ends_with(ending)) {
                    files.push((name, fs::read_to_string(entry.path()).unwrap()));
                }
            }
        }
        files.sort();
        files
    }

    /// A record as a person writes it.
    pub(crate) fn person_writes(&self, path: &str, content: &str) {
        write(&self.state().join(path), content);
    }
}

pub(crate) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A model that gives each answer to what says its first part.
pub(crate) fn scripted(answers: &[(&str, Value)]) -> GuardModel {
    model(script(answers))
}

/// The same under the name and at the prices of a provider's model.
pub(crate) fn scripted_as(provider: &str, id: &str, answers: &[(&str, Value)]) -> GuardModel {
    let prices = Catalogue::built_in().unwrap().prices;
    GuardModel::new(Client::new(Api::AnthropicMessages, script(answers), provider, prices, "2026-11-22"), id).unwrap()
}

fn script(answers: &[(&str, Value)]) -> Mode {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let answers = answers.iter().map(|(asked, answer)| ScriptedAnswer {
        asked: (*asked).into(),
        text: text(answer),
        calls: Vec::new(),
    });
    let script = Script { answers: answers.collect(), ..Script::of_actions([]) };
    let player = Player { script, workspace: "/workspace".into(), tools: Vec::new(), finish_command: None };
    Mode::Scripted(player)
}

pub(crate) fn model(mode: Mode) -> GuardModel {
    let prices = Catalogue::built_in().unwrap().prices;
    GuardModel::new(Client::new(Api::AnthropicMessages, mode, "acme", prices, "2026-01-01"), "m").unwrap()
}

/// What an extractor answers.
pub(crate) fn extracted(commitments: &[[&str; 3]], turn: u32) -> Value {
    let commitment = |[title, statement, quote]: &[&str; 3]| {
        json!({
            "kind": "decision", "title": title, "statement": statement, "turn": turn, "source": "request",
            "quote": quote,
        })
    };
    json!({"commitments": commitments.iter().map(commitment).collect::<Vec<_>>()})
}

/// What a merger answers: operations with the members that matter, of the first commitment where none is named.
pub(crate) fn merged(operations: &[Value]) -> Value {
    let whole = |operation: &Value| {
        let mut whole = json!({
            "operation": "", "commitment": 1, "record": "", "kind": "", "title": "", "find": "", "text": "",
            "relation": "", "to": "",
        });
        for (name, value) in operation.as_object().unwrap() {
            whole[name] = value.clone();
        }
        whole
    };
    json!({"operations": operations.iter().map(whole).collect::<Vec<_>>()})
}
