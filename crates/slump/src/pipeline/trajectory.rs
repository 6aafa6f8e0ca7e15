//! Stage C: versions on the way, and dead ends.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    flaw::{AnswerFlaw, Flaws},
    prompt::{list, object},
    specification::PlannedDesign,
};
use crate::task::{DesignAlternative, ProjectVersion, REQUESTS_OF_TASK, TaskComponent, VERSIONS_OF_TASK, words::words};

/// How many requests a version may have.
pub(super) const REQUESTS_OF_VERSION: RangeInclusive<usize> = 1..=8;

/// The way there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectTrajectory {
    pub(super) versions: Vec<PlannedVersion>,
    pub(super) alternatives: Vec<PlannedAlternative>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedVersion {
    pub(super) id: u32,
    pub(super) summary: String,
    pub(super) decides: Vec<String>,
    /// Of which it gives a hint, and which a later one decides.
    pub(super) sketches: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) requests: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedAlternative {
    pub(super) design: String,
    pub(super) component: String,
    pub(super) description: String,
    pub(super) why_dropped: String,
    pub(super) tried: u32,
    pub(super) dropped: u32,
}

pub(super) fn schema() -> Value {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let texts = list(&text);
    let version = object(json!({
        "id": number, "summary": text, "decides": texts, "sketches": texts, "words": texts, "requests": number,
    }));
    let alternative = object(json!({
        "design": text, "component": text, "description": text, "why_dropped": text, "tried": number, "dropped": number,
    }));
    object(json!({"versions": list(&version), "alternatives": list(&alternative)}))
}

impl ProjectTrajectory {
    /// The versions as a task has them.
    pub(super) fn versions(&self) -> Vec<ProjectVersion> {
        let ids = |is_it: &dyn Fn(&PlannedAlternative) -> bool| {
            let all = (1..).zip(&self.alternatives).filter(|(_, one)| is_it(one));
            all.map(|(number, _)| alternative_id(number)).collect()
        };
        let version = |version: &PlannedVersion| ProjectVersion {
            id: version.id,
            summary: version.summary.clone(),
            decides: version.decides.clone(),
            tries: ids(&|one| one.tried == version.id),
            drops: ids(&|one| one.dropped == version.id),
            words: version.words.clone(),
        };
        self.versions.iter().map(version).collect()
    }

    /// The dead ends as a task has them.
    pub(super) fn alternatives(&self) -> Vec<DesignAlternative> {
        let alternative = |(number, one): (usize, &PlannedAlternative)| DesignAlternative {
            id: alternative_id(number),
            component: one.component.clone(),
            description: one.description.clone(),
            why_dropped: one.why_dropped.clone(),
        };
        (1..).zip(&self.alternatives).map(alternative).collect()
    }
}

fn alternative_id(number: usize) -> String {
    format!("a{number:02}")
}

/// What is wrong with an answer about these components and designs.
pub(super) fn check(
    answer: &ProjectTrajectory,
    components: &[TaskComponent],
    designs: &[PlannedDesign],
) -> Vec<AnswerFlaw> {
    let mut flaws = Flaws::default();
    amounts(answer, &mut flaws);
    let decided = decided(answer, components, &mut flaws);
    for (index, version) in answer.versions.iter().enumerate() {
        let place = |key: &str| format!("versions[{index}].{key}");
        flaws.expect_text(place("summary"), &version.summary);
        for (nth, id) in version.sketches.iter().enumerate() {
            let is_later = decided.get(id.as_str()).is_some_and(|later| *later > version.id);
            let message = format!("is \"{id}\"; expected a component that a later version decides");
            flaws.note(!is_later, place(&format!("sketches[{nth}]")), message);
        }
        for (nth, word) in version.words.iter().enumerate() {
            flaws.note(words(word).is_empty(), place(&format!("words[{nth}]")), "has no word in it");
        }
    }
    for (index, one) in answer.alternatives.iter().enumerate() {
        let place = |key: &str| format!("alternatives[{index}].{key}");
        flaws.expect_text(place("description"), &one.description);
        flaws.expect_text(place("why_dropped"), &one.why_dropped);
        let is_known = designs.iter().any(|design| design.design_id == one.design);
        flaws.note(
            !is_known,
            place("design"),
            format!("is \"{}\"; expected a design_id of the specification", one.design),
        );
        let is_version = answer.versions.iter().any(|version| version.id == one.tried);
        flaws.note(!is_version, place("tried"), format!("is {}; expected the id of a version", one.tried));
        let Some(last) = decided.get(one.component.as_str()) else {
            flaws.note(true, place("component"), format!("is \"{}\"; expected the id of a component", one.component));
            continue;
        };
        let (tried, dropped) = (one.tried, one.dropped);
        let message = format!(
            "is {dropped}; expected a version after {tried}, which tries it, up to {last}, which decides {}",
            one.component
        );
        flaws.note(dropped <= tried || dropped > *last, place("dropped"), message);
    }
    flaws.0
}

fn amounts(answer: &ProjectTrajectory, flaws: &mut Flaws) {
    let (least, most) = VERSIONS_OF_TASK.into_inner();
    let count = answer.versions.len();
    flaws.note(!VERSIONS_OF_TASK.contains(&count), "versions", format!("{count} versions; expected {least} to {most}"));
    let (least, most) = REQUESTS_OF_TASK.into_inner();
    let count = answer.versions.iter().map(|version| version.requests.min(most)).sum();
    let message = format!("their requests are {count} in all; expected {least} to {most}");
    flaws.note(!REQUESTS_OF_TASK.contains(&count), "versions", message);
    let (least, most) = REQUESTS_OF_VERSION.into_inner();
    for (number, version) in (1..).zip(&answer.versions) {
        let place = |key: &str| format!("versions[{}].{key}", number - 1);
        let (id, count) = (version.id, version.requests);
        flaws.note(id as usize != number, place("id"), format!("is {id}; expected {number}"));
        let message = format!("is {count}; expected {least} to {most}");
        flaws.note(!REQUESTS_OF_VERSION.contains(&count), place("requests"), message);
    }
    flaws.note(answer.alternatives.is_empty(), "alternatives", "is empty; expected at least one dead end");
}

/// The version that decides each component.
fn decided<'a>(
    answer: &'a ProjectTrajectory,
    components: &[TaskComponent],
    flaws: &mut Flaws,
) -> BTreeMap<&'a str, u32> {
    let mut decided = BTreeMap::new();
    for (index, version) in answer.versions.iter().enumerate() {
        for (nth, id) in version.decides.iter().enumerate() {
            let place = format!("versions[{index}].decides[{nth}]");
            let is_known = components.iter().any(|component| component.id == *id);
            flaws.note(!is_known, &place, format!("is \"{id}\"; expected the id of a component"));
            flaws.note(index == 0, &place, "the first version decides something; expected an intuition alone");
            let first = decided.get(id.as_str()).copied();
            let message = format!("version {} decides {id} already", first.unwrap_or_default());
            flaws.note(first.is_some(), &place, message);
            decided.entry(id.as_str()).or_insert(version.id);
        }
    }
    for component in components.iter().filter(|component| !decided.contains_key(component.id.as_str())) {
        flaws.note(true, "versions", format!("no version decides {}; expected one", component.id));
    }
    decided
}
