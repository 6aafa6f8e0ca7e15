//! Stage D: the requests of one version, by someone who does not know where the way leads.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    flaw::{AnswerFlaw, Flaws},
    prompt::{list, object},
    stage::PipelineStage,
    trajectory::PlannedVersion,
};
use crate::{
    exposure::{MOST_LEVEL, Recoverability},
    task::{CodingRequest, REQUESTS, SlumpTask, check as check_task, forbidden},
};

/// What a researcher types on the way to a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRequests {
    pub(super) requests: Vec<WrittenRequest>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRequest {
    pub(super) text: String,
    pub(super) reveals: Vec<RevealedLevel>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RevealedLevel {
    pub(super) component: String,
    pub(super) level: u8,
}

pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    let levels: Vec<u8> = (0..=MOST_LEVEL).collect();
    let level = object(json!({"component": text, "level": {"type": "integer", "enum": levels}}));
    list_of(&object(json!({"text": text, "reveals": list(&level)})))
}

fn list_of(request: &Value) -> Value {
    object(json!({"requests": list(request)}))
}

impl WrittenRequests {
    /// The requests as a task has them.
    pub(super) fn of_version(&self, version: u32) -> impl Iterator<Item = CodingRequest> {
        self.requests.iter().map(move |request| CodingRequest {
            version,
            text: request.text.trim().to_owned(),
            reveals: request.reveals.iter().map(|one| (one.component.clone(), one.level)).collect(),
        })
    }
}

/// What someone is told who writes the requests of `version` after those that `task` has.
pub(super) fn material(task: &SlumpTask, version: &PlannedVersion) -> Value {
    let known = Recoverability::authored(task);
    let so_far: Vec<_> = task.versions.iter().filter(|one| one.id < version.id).collect();
    let whole: Vec<_> = version.decides.iter().filter_map(|id| task.component(id)).collect();
    let hints = version.sketches.iter().filter_map(|id| task.component(id));
    let hints: Vec<_> =
        hints.map(|one| json!({"id": one.id, "name": one.name, "description": one.description})).collect();
    let dead_ends =
        |ids: &[String]| -> Vec<_> { task.alternatives.iter().filter(|one| ids.contains(&one.id)).cloned().collect() };
    let (tries, drops) = task
        .versions
        .iter()
        .find(|one| one.id == version.id)
        .map_or_else(Default::default, |one| (dead_ends(&one.tries), dead_ends(&one.drops)));
    let this = json!({
        "version": version.id, "summary": version.summary, "requests": version.requests, "decides": whole, "sketches": hints,
        "tries": tries, "gives up": drops,
    });
    let mut project = String::new();
    for one in &so_far {
        project += &format!("Version {}: {}\n", one.id, one.summary);
    }
    for (number, request) in (1..).zip(&task.requests) {
        project += &format!("\nRequest {number}: {}\n", request.text);
    }
    for component in task.components.iter().filter(|one| known.last(&one.id) > 0) {
        let (id, name) = (&component.id, &component.name);
        project += &format!("\nLevel of {id} ({name}) by now: {}", known.last(id));
    }
    let touched = |id: &String| version.decides.contains(id) || version.sketches.contains(id);
    let forbidden = forbidden(task, version.id, &|id| touched(id)).join("\n");
    json!({
        "version": version.id, "count": version.requests, "this_version": format!("{this:#}"), "forbidden": forbidden,
        "project": if project.is_empty() { "Nothing yet.".to_owned() } else { project },
        "stage": PipelineStage::Requests.name(),
    })
}

/// What is wrong with an answer, after the requests that `task` has.
pub(super) fn check(answer: &WrittenRequests, version: &PlannedVersion, task: &SlumpTask) -> Vec<AnswerFlaw> {
    let before = task.requests.len();
    let mut flaws = Flaws::default();
    let (count, planned) = (answer.requests.len(), version.requests);
    flaws.note(count != planned, "requests", format!("{count} requests; expected {planned}, as the trajectory has it"));
    for (index, request) in answer.requests.iter().enumerate() {
        levels(request, index, version.id, task, &mut flaws);
    }
    let mut whole = task.clone();
    whole.requests.extend(answer.of_version(version.id));
    let whole = whole.by_number();
    for flaw in check_task(&whole).into_iter().filter(|flaw| flaw.file == REQUESTS) {
        let place = flaw.line.and_then(|number| (number as usize).checked_sub(before + 1));
        if let Some(place) = place {
            flaws.note(true, format!("requests[{place}]"), flaw.message);
        }
    }
    let known = Recoverability::authored(&whole);
    for id in version.decides.iter().filter(|id| known.last(id) != MOST_LEVEL) {
        let message =
            format!("{id} has level {} after them; expected {MOST_LEVEL}, as this version decides it", known.last(id));
        flaws.note(true, "requests", message);
    }
    for id in version.sketches.iter().filter(|id| known.last(id) == 0) {
        flaws.note(
            true,
            "requests",
            format!("{id} has level 0 after them; expected 1 to 3, as this version sketches it"),
        );
    }
    flaws.0
}

/// Levels are of components, once each, and 4 is for what is decided by now.
fn levels(request: &WrittenRequest, index: usize, version: u32, task: &SlumpTask, flaws: &mut Flaws) {
    let mut seen = BTreeMap::new();
    for (nth, revealed) in request.reveals.iter().enumerate() {
        let RevealedLevel { component: id, level } = revealed;
        let place = |key: &str| format!("requests[{index}].reveals[{nth}].{key}");
        let is_twice = seen.insert(id, level).is_some();
        flaws.note(is_twice, place("component"), format!("is \"{id}\" again; expected each component once"));
        flaws.note(
            task.component(id).is_none(),
            place("component"),
            format!("is \"{id}\"; expected the id of a component"),
        );
        let later = task.versions.iter().find(|one| one.id > version && one.decides.contains(id));
        if let Some(later) = later.filter(|_| *level >= MOST_LEVEL) {
            let message = format!("is {level}, and version {} decides {id}; expected less by now", later.id);
            flaws.note(true, place("level"), message);
        }
    }
}
