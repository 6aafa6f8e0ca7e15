//! What no request may say: the agent sees neither document nor specification, nor what is decided later.

use super::{
    files,
    place::{REQUESTS, request},
};
use crate::{
    exposure::Recoverability,
    task::{
        TaskFlaw,
        model::{CodingRequest, SlumpTask},
        words::{holds, words},
    },
};

/// How someone speaks who has the document before them.
const GIVE_AWAYS: &[&str] = &[
    "paper.md",
    "specification.md",
    "the paper",
    "our paper",
    "my paper",
    "this paper",
    "canonical specification",
    "abstract says",
];

/// No request names the document, the method, or anything by its id.
pub(super) fn names(task: &SlumpTask) -> Vec<TaskFlaw> {
    let heading = files::heading(&task.paper);
    let ids = task.components.iter().map(|component| &component.id);
    let ids = ids.chain(task.alternatives.iter().map(|alternative| &alternative.id));
    let hidden = task.manifest.hidden.iter().map(|word| ("the hidden word", word.as_str()));
    let phrases: Vec<(&str, &str)> = [("the title", task.manifest.title.as_str())]
        .into_iter()
        .chain(heading.map(|heading| ("the document's title", heading)))
        .chain(hidden)
        .chain(ids.map(|id| ("the id", id.as_str())))
        .chain(GIVE_AWAYS.iter().map(|words| ("what gives a document away:", *words)))
        .chain([("the task's name", task.name.as_str())])
        .collect();
    let mut flaws = Vec::new();
    for_each_request(task, |number, _, line, text| {
        let found = phrases.iter().find(|(_, phrase)| holds(text, phrase));
        flaws.extend(found.map(|(what, phrase)| {
            let message =
                format!("{}: says {what} \"{phrase}\"; expected words that do not give it away", request(number));
            TaskFlaw::at(REQUESTS, line, message)
        }));
    });
    flaws
}

/// No request speaks of a component by its name before something of it is known, or in words of a later version.
pub(super) fn later_decisions(task: &SlumpTask) -> Vec<TaskFlaw> {
    let known = Recoverability::authored(task);
    let mut flaws = Vec::new();
    for_each_request(task, |number, asked, line, text| {
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(REQUESTS, line, request(number) + ": " + &message));
        for component in &task.components {
            // A single word, such as "optimizer", is anybody's.
            let is_telling = words(&component.name).len() > 1;
            if is_telling && known.after(number, &component.id) == 0 && holds(text, &component.name) {
                let (id, name) = (&component.id, &component.name);
                flaw(format!(
                    "says \"{name}\", the name of {id}, of which nothing is revealed yet; expected other words, or {id} in reveals"
                ));
            }
        }
        for version in task.versions.iter().filter(|version| version.id > asked.version) {
            for word in version.words.iter().filter(|word| holds(text, word)) {
                let id = version.id;
                flaw(format!("says \"{word}\", which version {id} decides; expected it from version {id} on"));
            }
        }
    });
    flaws
}

fn for_each_request(task: &SlumpTask, mut each: impl FnMut(usize, &CodingRequest, u32, &[String])) {
    for ((number, asked), line) in (1..).zip(&task.requests).zip(&task.lines.requests) {
        each(number, asked, *line, &words(&asked.text));
    }
}
