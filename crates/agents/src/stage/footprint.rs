//! The footprint that an agent leaves in a session, counted in its trajectory (the code cleanliness study, section 3).
//!
//! Lines come from the two workspaces, the rest from the trajectory without its subagents'. What a shell command reads or
//! writes is not guessed: for agents that read and edit by shell alone, those figures are `None`.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use serde::{Deserialize, Serialize};

use super::changes::FileDiff;
use crate::{
    definition::FileTools,
    trajectory::{StepCall, StepSource, TrajectoryStep},
};

/// What a session took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    /// Characters of the reasoning that the provider shows.
    pub reasoning_chars: u64,
    /// Turns in which the agent called tools.
    pub turns: u64,
    /// Of these, those before the one that first edits a file with a tool for that; `None` where none does.
    pub turns_before_edit: Option<u64>,
    /// Characters of the conversation before it, the prompt included.
    pub chars_before_edit: Option<u64>,
    /// Distinct files read with a tool for that; `None` where no such tool was used.
    pub files_read: Option<u64>,
    /// Reads of a file that was read and edited before; `None` where no tool for reading was used.
    pub revisits: Option<u64>,
    /// Lines added and lines removed, in source files: those in the language of the stage.
    pub lines_edited: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FileAccess {
    Read,
    Edit,
}

impl Footprint {
    /// Counts the footprint of a session that took `steps` with these `tools`; what it changed is
    /// [still to be said](Self::set_changes).
    pub fn of(steps: &[TrajectoryStep], tools: &FileTools) -> Self {
        let mut footprint = Self {
            reasoning_chars: steps.iter().filter_map(|step| step.reasoning_content.as_deref()).map(chars).sum(),
            ..Self::default()
        };
        let mut history = AccessHistory::default();
        let mut chars_so_far = 0;
        for step in steps {
            let deeds: Vec<_> = step.tool_calls.iter().flat_map(|call| deeds(call, tools)).collect();
            if footprint.turns_before_edit.is_none() && deeds.iter().any(|(does, _)| *does == FileAccess::Edit) {
                footprint.turns_before_edit = Some(footprint.turns);
                footprint.chars_before_edit = Some(chars_so_far);
            }
            deeds.into_iter().for_each(|(does, path)| history.add(does, path));
            footprint.turns += u64::from(step.source == StepSource::Agent && !step.tool_calls.is_empty());
            chars_so_far += step_chars(step);
        }
        let reads = !history.read.is_empty();
        footprint.files_read = reads.then_some(history.read.len() as u64);
        footprint.revisits = reads.then_some(history.revisits);
        footprint
    }

    /// Says which files the session changed; those with this `extension` are source.
    pub fn set_changes(&mut self, files: &[FileDiff], extension: Option<&OsStr>) {
        let is_source = |file: &&FileDiff| Path::new(&file.path).extension() == extension;
        self.lines_edited = files.iter().filter(is_source).map(|file| file.added + file.removed).sum();
    }
}

/// Which files were read, and which of them edited after that.
#[derive(Default)]
struct AccessHistory<'a> {
    read: std::collections::BTreeSet<&'a str>,
    edited_since: std::collections::BTreeSet<&'a str>,
    revisits: u64,
}

impl<'a> AccessHistory<'a> {
    fn add(&mut self, does: FileAccess, path: &'a str) {
        match does {
            FileAccess::Edit if self.read.contains(path) => drop(self.edited_since.insert(path)),
            FileAccess::Edit => {}
            FileAccess::Read => {
                self.read.insert(path);
                self.revisits += u64::from(self.edited_since.contains(path));
            }
        }
    }
}

/// What a call does to which files, as far as its tool is one for that.
fn deeds<'a>(call: &'a StepCall, tools: &FileTools) -> Vec<(FileAccess, &'a str)> {
    if tools.patches.contains(&call.function_name) {
        let changes = call.arguments.get("changes").and_then(|changes| changes.as_array()).into_iter().flatten();
        return changes.filter_map(|change| Some((FileAccess::Edit, change.get("path")?.as_str()?))).collect();
    }
    let deed = |does: FileAccess, tools: &BTreeMap<String, String>| {
        Some((does, call.arguments.get(tools.get(&call.function_name)?)?.as_str()?))
    };
    [(FileAccess::Read, &tools.reads), (FileAccess::Edit, &tools.edits)]
        .into_iter()
        .find_map(|(does, of)| deed(does, of))
        .into_iter()
        .collect()
}

fn step_chars(step: &TrajectoryStep) -> u64 {
    let said = chars(&step.message) + step.reasoning_content.as_deref().map_or(0, chars);
    let called: u64 =
        step.tool_calls.iter().map(|call| serde_json::to_string(&call.arguments).map_or(0, |text| chars(&text))).sum();
    let seen: u64 = step.observation.iter().flat_map(|seen| &seen.results).map(|result| chars(&result.content)).sum();
    said + called + seen
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalogue::AgentCatalogue;

    fn tools(agent: &str) -> FileTools {
        AgentCatalogue::built_in().unwrap().agents.get(agent).unwrap().value.file_tools.clone()
    }

    fn step(message: &str, calls: &[(&str, serde_json::Value)]) -> TrajectoryStep {
        let calls: Vec<_> = calls
            .iter()
            .map(|(name, arguments)| json!({"tool_call_id": "1", "function_name": name, "arguments": arguments}))
            .collect();
        let step = json!({"step_id": 1, "source": "agent", "message": message, "tool_calls": calls});
        serde_json::from_value(step).unwrap()
    }

    #[test]
    fn a_file_that_was_read_and_edited_is_revisited_when_it_is_read_again() {
        let read = |path: &str| ("Read", json!({"file_path": path}));
        let steps = [
            step("I look.", &[read("a.py"), read("b.py")]),
            step("Again.", &[read("a.py")]),
            step("I write.", &[("Edit", json!({"file_path": "a.py"})), ("Write", json!({"file_path": "new.py"}))]),
            step("I check.", &[read("a.py"), read("b.py"), read("new.py")]),
            step("Done.", &[]),
        ];
        let edited = FileDiff { path: "a.py".into(), added: 3, removed: 2 };
        let mut footprint = Footprint::of(&steps, &tools("claude-code"));
        let data = FileDiff { path: "data.json".into(), added: 1000, removed: 0 };
        footprint.set_changes(&[edited, data], Some(OsStr::new("py")));
        let before = "I look.".len() + "Again.".len() + 3 * r#"{"file_path":"a.py"}"#.len();
        assert_eq!(
            footprint,
            Footprint {
                reasoning_chars: 0,
                turns: 4,
                turns_before_edit: Some(2),
                chars_before_edit: Some(before as u64),
                files_read: Some(3),
                revisits: Some(1),
                lines_edited: 5,
            }
        );
    }

    #[test]
    fn what_a_shell_reads_is_not_guessed() {
        let patch = json!({"changes": [{"path": "/workspace/a.py", "kind": "add"}]});
        let steps = [step("", &[("shell", json!({"command": "cat a.py"}))]), step("", &[("apply_patch", patch)])];
        let footprint = Footprint::of(&steps, &tools("codex"));
        assert_eq!((footprint.turns_before_edit, footprint.files_read, footprint.revisits), (Some(1), None, None));
    }
}
