//! Whether every id is one, and leads somewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::place::{COMPONENTS, REQUESTS, VERSIONS, request};
use crate::task::{TaskFlaw, model::SlumpTask};

/// Ids are a letter and two digits, counted from 01 without a gap.
pub(super) fn identifiers(task: &SlumpTask) -> Vec<TaskFlaw> {
    let components = task.components.iter().map(|component| &component.id).zip(&task.lines.components);
    let alternatives = task.alternatives.iter().map(|alternative| &alternative.id).zip(&task.lines.alternatives);
    let components = (1..).zip(components).map(|(number, (id, line))| (COMPONENTS, 'c', number, id, *line));
    let alternatives = (1..).zip(alternatives).map(|(number, (id, line))| (VERSIONS, 'a', number, id, *line));
    let check = |(file, letter, number, id, line): (&str, char, usize, &String, u32)| {
        let expected = format!("{letter}{number:02}");
        (*id != expected).then(|| TaskFlaw::at(file, line, format!("id is \"{id}\"; expected \"{expected}\"")))
    };
    components.chain(alternatives).filter_map(check).collect()
}

/// Connections lead to other components, once each, and back.
pub(super) fn connections(task: &SlumpTask) -> Vec<TaskFlaw> {
    let all: BTreeMap<_, _> = task.components.iter().map(|component| (&component.id, component)).collect();
    let mut flaws = Vec::new();
    for (component, line) in task.components.iter().zip(&task.lines.components) {
        let id = &component.id;
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(COMPONENTS, *line, format!("{id}: {message}")));
        if component.connections.is_empty() {
            flaw("connections is empty; expected every component that it takes from or gives to".to_owned());
        }
        let mut seen = BTreeSet::new();
        for other in &component.connections {
            match all.get(other) {
                _ if !seen.insert(other) => flaw(format!("connections names {other} twice")),
                _ if other == id => flaw("connections names the component itself".to_owned()),
                None => flaw(format!("connections names \"{other}\", which is no component")),
                Some(there) if !there.connections.contains(id) => {
                    flaw(format!(
                        "connections names {other}, whose connections lack {id}; expected both to name the other"
                    ));
                }
                Some(_) => {}
            }
        }
    }
    flaws
}

/// Versions count from 1, have requests, and name components and alternatives that there are.
pub(super) fn versions(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    let mut decided = BTreeMap::new();
    for ((number, version), line) in (1..).zip(&task.versions).zip(&task.lines.versions) {
        let mut flaw =
            |message: String| flaws.push(TaskFlaw::at(VERSIONS, *line, format!("version {}: {message}", version.id)));
        if version.id != number {
            flaw(format!("id is {}; expected {number}, as versions count from 1 in their order", version.id));
        }
        if task.first_request(version.id).is_none() {
            flaw("no request of requests.toml is of it; expected at least one".to_owned());
        }
        for id in &version.decides {
            match task.component(id) {
                None => flaw(format!("decides names \"{id}\", which is no component")),
                Some(_) => match decided.insert(id, version.id) {
                    None => {}
                    Some(first) => flaw(format!("decides names {id}, which version {first} decides already")),
                },
            }
        }
        for (key, ids) in [("tries", &version.tries), ("drops", &version.drops)] {
            for id in ids.iter().filter(|id| !task.alternatives.iter().any(|alternative| alternative.id == **id)) {
                flaw(format!("{key} names \"{id}\", which is no alternative"));
            }
        }
    }
    flaws
}

/// Dead ends: each is of a component, tried in one version, and given up in a later one, before its component is decided.
pub(super) fn alternatives(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    if task.alternatives.is_empty() {
        flaws.push(TaskFlaw::of(VERSIONS, "no alternative; expected at least one dead end that is tried and given up"));
    }
    for (alternative, line) in task.alternatives.iter().zip(&task.lines.alternatives) {
        let (id, component) = (&alternative.id, &alternative.component);
        let versions_with = |ids: fn(&crate::task::ProjectVersion) -> &Vec<String>, id: &String| -> Vec<u32> {
            task.versions.iter().filter(|version| ids(version).contains(id)).map(|version| version.id).collect()
        };
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(VERSIONS, *line, format!("{id}: {message}")));
        if task.component(component).is_none() {
            flaw(format!("component is \"{component}\", which is no component"));
        }
        let tried = versions_with(|version| &version.tries, id);
        let dropped = versions_with(|version| &version.drops, id);
        let decided = versions_with(|version| &version.decides, component);
        match (&tried[..], &dropped[..]) {
            ([first], [last]) if first < last => {
                if let Some(early) = decided.iter().find(|version| *version < last) {
                    flaw(format!(
                        "version {early} decides {component}; expected it to be decided from version {last} on, which drops {id}"
                    ));
                }
            }
            ([first], [last]) => {
                flaw(format!("version {last} drops it; expected a version after {first}, which tries it"))
            }
            _ => flaw(format!("{} versions try it and {} drop it; expected one of each", tried.len(), dropped.len())),
        }
    }
    flaws.extend(revealed(task));
    flaws
}

/// What requests reveal is of components.
fn revealed(task: &SlumpTask) -> Vec<TaskFlaw> {
    let of_request = |((number, asked), line): ((usize, &crate::task::CodingRequest), &u32)| {
        let unknown = asked.reveals.keys().filter(|id| task.component(id).is_none());
        let flaw = |id: &String| {
            TaskFlaw::at(REQUESTS, *line, format!("{}: reveals names \"{id}\", which is no component", request(number)))
        };
        unknown.map(flaw).collect::<Vec<_>>()
    };
    (1..).zip(&task.requests).zip(&task.lines.requests).flat_map(of_request).collect()
}
