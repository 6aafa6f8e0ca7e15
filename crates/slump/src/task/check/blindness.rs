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

/// Words that carry none of a title's meaning.
const PASSING: &[&str] = &[
    "a", "an", "and", "as", "at", "between", "by", "for", "from", "how", "in", "into", "is", "it", "its", "of", "on",
    "or", "over", "that", "the", "their", "to", "under", "using", "via", "what", "when", "where", "whose", "with",
];

/// How many telling words of a title in a row give it away.
const TELLING_WORDS: usize = 3;

/// What no request of a task may say at all, and what that is.
fn phrases(task: &SlumpTask) -> Vec<(&'static str, String)> {
    let heading = files::heading(&task.paper).unwrap_or_default();
    let title = task.manifest.title.as_str();
    let ids = task.components.iter().map(|component| &component.id);
    let ids = ids.chain(task.alternatives.iter().map(|alternative| &alternative.id));
    let whole = [("the title", title), ("the document's title", heading)];
    let parts = [("a part of the title", title), ("a part of the document's title", heading)];
    let parts = parts.into_iter().flat_map(|(what, title)| telling_parts(title).map(move |part| (what, part)));
    let hidden = task.manifest.hidden.iter().map(|word| ("the hidden word", word.clone()));
    whole
        .map(|(what, title)| (what, title.to_owned()))
        .into_iter()
        .chain(hidden)
        .chain(ids.map(|id| ("the id", id.clone())))
        .chain(GIVE_AWAYS.iter().map(|words| ("what gives a document away:", (*words).to_owned())))
        .chain([("the task's name", task.name.clone())])
        .chain(parts)
        .collect()
}

/// Every three telling words of a title in a row, with the passing words between them.
fn telling_parts(title: &str) -> impl Iterator<Item = String> {
    let words = words(title);
    let telling = words.iter().enumerate().filter(|(_, word)| !PASSING.contains(&word.as_str()));
    let telling: Vec<_> = telling.map(|(place, _)| place).collect();
    let part = |run: &[usize]| run.first().zip(run.last()).map(|(first, last)| words[*first..=*last].join(" "));
    telling.windows(TELLING_WORDS).filter_map(part).collect::<Vec<_>>().into_iter()
}

/// What requests of `version` may not say, for whoever writes them: `touched` are components of which they give something away.
pub(crate) fn forbidden(task: &SlumpTask, version: u32, touched: &dyn Fn(&String) -> bool) -> Vec<String> {
    let known = Recoverability::authored(task);
    let later = task.versions.iter().filter(|one| one.id > version).flat_map(|one| one.words.iter().cloned());
    let names = task.components.iter().filter(|one| known.last(&one.id) == 0 && !touched(&one.id));
    let names = names.filter(|one| is_telling(&one.name)).map(|one| one.name.clone());
    let all = phrases(task).into_iter().map(|(_, phrase)| phrase);
    all.filter(|phrase| !words(phrase).is_empty()).chain(later).chain(names).collect()
}

/// A single word, such as "optimizer", is anybody's.
fn is_telling(name: &str) -> bool {
    words(name).len() > 1
}

/// No request names the document, the method, or anything by its id.
pub(super) fn names(task: &SlumpTask) -> Vec<TaskFlaw> {
    let phrases = phrases(task);
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
            if is_telling(&component.name) && known.after(number, &component.id) == 0 && holds(text, &component.name) {
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
