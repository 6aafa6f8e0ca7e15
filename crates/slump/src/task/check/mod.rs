//! The rules of a task, one file for each subject.

mod blindness;
mod counts;
mod disclosure;
mod files;
mod links;
mod place;

pub(crate) use self::{
    blindness::forbidden,
    counts::{COMPONENTS_OF_TASK, REQUESTS_OF_TASK, VERSIONS_OF_TASK},
    place::{COMPONENTS, REQUESTS},
};
use super::{TaskFlaw, model::SlumpTask};

/// Every rule; each finds all that breaks it.
const RULES: &[fn(&SlumpTask) -> Vec<TaskFlaw>] = &[
    counts::manifest,
    counts::amounts,
    counts::texts,
    links::identifiers,
    links::connections,
    links::versions,
    links::alternatives,
    disclosure::versions_in_order,
    disclosure::levels,
    disclosure::final_forms,
    blindness::names,
    blindness::later_decisions,
    files::paper,
    files::specification,
    files::audit,
    files::provenance,
    files::reference,
];

/// Everything that is wrong with a task that has the right form, by file and line.
pub fn check(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws: Vec<_> = RULES.iter().flat_map(|rule| rule(task)).collect();
    flaws.sort();
    flaws.dedup();
    flaws
}
