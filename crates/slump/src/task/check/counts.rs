//! How much there is of everything, and that nothing is empty.

use std::{collections::BTreeMap, ops::RangeInclusive};

use super::place::{COMPONENTS, MANIFEST, REQUESTS, VERSIONS, request};
use crate::task::{TaskFlaw, model::SlumpTask, words::words};

/// The least and the most of each, as in the paper (section 3.1; appendix A.1), where one task may have more components.
pub(crate) const COMPONENTS_OF_TASK: RangeInclusive<usize> = 12..=25;
pub(crate) const REQUESTS_OF_TASK: RangeInclusive<usize> = 48..=61;
pub(crate) const VERSIONS_OF_TASK: RangeInclusive<usize> = 10..=20;

/// How many words a request has.
const WORDS_OF_REQUEST: RangeInclusive<usize> = 5..=220;

pub(super) fn manifest(task: &SlumpTask) -> Vec<TaskFlaw> {
    let manifest = &task.manifest;
    let mut flaws = Vec::new();
    let mut flaw = |message: String| flaws.push(TaskFlaw::of(MANIFEST, message));
    let is_name = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    if !task.name.starts_with(|sign: char| sign.is_ascii_lowercase()) || !task.name.chars().all(is_name) {
        flaw(format!("the folder is called \"{}\"; expected lower-case words joined by _", task.name));
    }
    if manifest.language != "python" {
        flaw(format!("language is \"{}\"; expected \"python\"", manifest.language));
    }
    if manifest.hidden.is_empty() {
        flaw("hidden is empty; expected the words of the title that identify the method, and its acronym".to_owned());
    }
    let texts = [("title", &manifest.title), ("summary", &manifest.summary)];
    for (key, _) in texts.into_iter().filter(|(_, text)| text.trim().is_empty()) {
        flaw(format!("{key} is empty; expected a text"));
    }
    for word in manifest.hidden.iter().filter(|word| words(word).is_empty()) {
        flaw(format!("hidden holds \"{word}\", which has no word in it"));
    }
    flaws
}

pub(super) fn amounts(task: &SlumpTask) -> Vec<TaskFlaw> {
    let rows = [
        (COMPONENTS, "components", task.components.len(), COMPONENTS_OF_TASK),
        (REQUESTS, "requests", task.requests.len(), REQUESTS_OF_TASK),
        (VERSIONS, "versions", task.versions.len(), VERSIONS_OF_TASK),
    ];
    let outside = rows.into_iter().filter(|(_, _, count, range)| !range.contains(count));
    let flaw = |(file, what, count, range): (&str, &str, usize, RangeInclusive<usize>)| {
        TaskFlaw::of(file, format!("{count} {what}; expected {} to {}", range.start(), range.end()))
    };
    outside.map(flaw).collect()
}

pub(super) fn texts(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    let mut expect = |file: &str, line: u32, of: &str, key: &str, is_empty: bool| {
        if is_empty {
            flaws.push(TaskFlaw::at(file, line, format!("{of}: {key} is empty; expected something")));
        }
    };
    for (component, line) in task.components.iter().zip(&task.lines.components) {
        for (key, text) in [("name", &component.name), ("description", &component.description)] {
            expect(COMPONENTS, *line, &component.id, key, text.trim().is_empty());
        }
        expect(COMPONENTS, *line, &component.id, "outputs", component.outputs.is_empty());
    }
    for (version, line) in task.versions.iter().zip(&task.lines.versions) {
        expect(VERSIONS, *line, &format!("version {}", version.id), "summary", version.summary.trim().is_empty());
    }
    for (alternative, line) in task.alternatives.iter().zip(&task.lines.alternatives) {
        for (key, text) in [("description", &alternative.description), ("why_dropped", &alternative.why_dropped)] {
            expect(VERSIONS, *line, &alternative.id, key, text.trim().is_empty());
        }
    }
    flaws.extend(request_texts(task));
    flaws
}

fn request_texts(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut seen = BTreeMap::new();
    let mut flaws = Vec::new();
    for ((number, asked), line) in (1..).zip(&task.requests).zip(&task.lines.requests) {
        let words = words(&asked.text);
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(REQUESTS, *line, request(number) + ": " + &message));
        if !WORDS_OF_REQUEST.contains(&words.len()) {
            let (least, most) = WORDS_OF_REQUEST.into_inner();
            flaw(format!("{} words; expected {least} to {most}", words.len()));
        }
        if asked.text.contains("```") {
            flaw("holds a block of code; expected what a researcher says in words".to_owned());
        }
        if let Some(first) = seen.insert(words, number) {
            flaw(format!("says the same as request {first}; expected something new"));
        }
    }
    flaws
}
