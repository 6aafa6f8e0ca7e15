//! What requests disclose, and when.

use super::place::{COMPONENTS, REQUESTS, request};
use crate::{
    exposure::{ExposureAudit, MOST_LEVEL, Recoverability},
    task::{TaskFlaw, model::SlumpTask},
};

/// Requests are of versions that there are, in their order.
pub(super) fn versions_in_order(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    let mut before = 0;
    for ((number, asked), line) in (1..).zip(&task.requests).zip(&task.lines.requests) {
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(REQUESTS, *line, request(number) + ": " + &message));
        if !task.versions.iter().any(|version| version.id == asked.version) {
            flaw(format!("version is {}, which versions.toml lacks", asked.version));
        }
        if asked.version < before {
            flaw(format!("version is {} after {before}; expected versions to ascend", asked.version));
        }
        before = before.max(asked.version);
    }
    flaws
}

/// Levels are 0 to 4 and change something; they fall only where an alternative puts a component in doubt.
pub(super) fn levels(task: &SlumpTask) -> Vec<TaskFlaw> {
    let known = Recoverability::authored(task);
    let mut flaws = Vec::new();
    for ((number, asked), line) in (1..).zip(&task.requests).zip(&task.lines.requests) {
        for (id, level) in &asked.reveals {
            let mut flaw = |message: String| {
                flaws.push(TaskFlaw::at(
                    REQUESTS,
                    *line,
                    format!("{}: reveals {id} = {level}: {message}", request(number)),
                ));
            };
            let before = known.after(number - 1, id);
            if *level > MOST_LEVEL {
                flaw(format!("expected a level from 0 to {MOST_LEVEL}"));
            } else if *level == before {
                flaw("it has this level already; expected only what changes".to_owned());
            } else if *level < before && !is_in_doubt(task, asked.version, id) {
                flaw(format!(
                    "it was {before}; expected no fall, unless version {} tries or drops an alternative to {id}",
                    asked.version
                ));
            }
        }
    }
    flaws
}

/// Whether a version tries an alternative to a component, or gives one up.
fn is_in_doubt(task: &SlumpTask, version: u32, component: &str) -> bool {
    let of_component = |id: &String| {
        task.alternatives.iter().any(|alternative| alternative.id == *id && alternative.component == component)
    };
    let version = task.versions.iter().find(|one| one.id == version);
    version.is_some_and(|version| version.tries.iter().chain(&version.drops).any(of_component))
}

/// A component that a version decides is stated by then at the earliest, and in the end at the latest.
pub(super) fn final_forms(task: &SlumpTask) -> Vec<TaskFlaw> {
    let known = Recoverability::authored(task);
    let mut flaws = Vec::new();
    for (component, line) in task.components.iter().zip(&task.lines.components) {
        let (id, last) = (&component.id, known.last(&component.id));
        let mut flaw = |message: String| flaws.push(TaskFlaw::at(COMPONENTS, *line, format!("{id}: {message}")));
        let Some(version) = task.versions.iter().find(|version| version.decides.contains(id)) else {
            if last == MOST_LEVEL {
                flaw("requests state it (R = 4), and no version decides it; expected it in decides of one".to_owned());
            }
            continue;
        };
        if last != MOST_LEVEL {
            let version = version.id;
            flaw(format!(
                "version {version} decides it, and requests reveal {last} of it in the end; expected {MOST_LEVEL}"
            ));
        }
        let stated = (1..).zip(&task.requests).find(|(number, _)| known.after(*number, id) == MOST_LEVEL);
        if let Some((number, asked)) = stated.filter(|(_, asked)| asked.version < version.id) {
            flaw(format!(
                "{} (version {}) states it; expected no 4 before version {}, which decides it",
                request(number),
                asked.version,
                version.id
            ));
        }
    }
    if let Err(error) = ExposureAudit::new(task, &known).admit() {
        flaws.push(TaskFlaw::of(REQUESTS, error.to_string()));
    }
    flaws
}
