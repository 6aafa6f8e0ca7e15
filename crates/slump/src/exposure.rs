//! The exposure audit: how much of each component is recoverable from the requests alone (section 3.3).
//!
//! R(c) is 0 where a component cannot be found out from the visible requests, 1 weakly, 2 with ambiguity left, 3 clearly, and 4
//! where it is stated. After every prefix of the requests each component has one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Error, task::SlumpTask};

/// The highest level: stated explicitly.
pub const MOST_LEVEL: u8 = 4;

/// The recoverable component rate below which a task's scores are not published.
pub const LEAST_RCR: f64 = 0.95;

/// R(c) of each component after each request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recoverability {
    /// The components' ids, in the task's order.
    pub components: Vec<String>,
    /// After each request, the level of each component.
    pub levels: Vec<Vec<u8>>,
}

/// What the requests of a task disclose, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposureAudit {
    /// The task.
    pub task: String,
    /// How many components it has.
    pub components: usize,
    /// With R(c) ≥ 1 after the last request.
    pub recoverable: usize,
    /// With R(c) = 4 after the last request.
    pub explicit: usize,
    /// Those that are recoverable and whose final form a version decides.
    pub committed_and_recoverable: usize,
    /// The recoverable component rate: `recoverable / components`.
    pub rcr: f64,
    /// The explicitly specified rate: `explicit / components`.
    pub esr: f64,
    /// After each request (Figure 1).
    pub curve: Vec<ExposurePoint>,
}

/// A point of both curves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposurePoint {
    /// Requests so far, from 1.
    pub request: usize,
    /// The share of components with R(c) = 4 now, from 0 to 1. It falls where an alternative puts one in doubt.
    pub explicit: f64,
    /// The share with R(c) ≥ 1 now.
    pub recoverable: f64,
}

impl ExposurePoint {
    /// After a request, with the level of each component.
    pub(crate) fn of(request: usize, levels: &[u8]) -> Self {
        let (recoverable, explicit) = counts(levels);
        let [explicit, recoverable] = [explicit, recoverable].map(|count| share(count, levels.len()));
        Self { request, explicit, recoverable }
    }
}

impl Recoverability {
    /// As the task's author says in `reveals`. What a request does not name stays as it was; before the first, all is 0.
    pub fn authored(task: &SlumpTask) -> Self {
        let components: Vec<_> = task.components.iter().map(|component| component.id.clone()).collect();
        let mut now = vec![0; components.len()];
        let mut levels = Vec::new();
        for request in &task.requests {
            for (place, id) in now.iter_mut().zip(&components) {
                *place = request.reveals.get(id).copied().unwrap_or(*place);
            }
            levels.push(now.clone());
        }
        Self { components, levels }
    }

    /// The level of a component after `request`, from 1; 0 before the first and of what is no component.
    pub fn after(&self, request: usize, component: &str) -> u8 {
        let place = self.components.iter().position(|id| id == component);
        let levels = request.checked_sub(1).and_then(|index| self.levels.get(index));
        place.zip(levels).and_then(|(place, levels)| levels.get(place).copied()).unwrap_or_default()
    }

    /// The level of a component after the last request.
    pub fn last(&self, component: &str) -> u8 {
        self.after(self.levels.len(), component)
    }
}

impl ExposureAudit {
    /// The audit of `task` with these levels.
    pub fn new(task: &SlumpTask, levels: &Recoverability) -> Self {
        let decided: BTreeSet<&String> = task.versions.iter().flat_map(|version| &version.decides).collect();
        let nothing = vec![0; levels.components.len()];
        let last = levels.levels.last().unwrap_or(&nothing);
        let committed =
            levels.components.iter().zip(last).filter(|(id, level)| **level > 0 && decided.contains(id)).count();
        let (recoverable, explicit) = counts(last);
        let components = levels.components.len();
        Self {
            task: task.name.clone(),
            components,
            recoverable,
            explicit,
            committed_and_recoverable: committed,
            rcr: share(recoverable, components),
            esr: share(explicit, components),
            curve: (1..).zip(&levels.levels).map(|(request, now)| ExposurePoint::of(request, now)).collect(),
        }
    }

    /// Whether scores of the task may be published.
    ///
    /// # Errors
    ///
    /// [`Error::Exposure`] where the rate is below [`LEAST_RCR`].
    pub fn admit(&self) -> Result<(), Error> {
        let Self { components, recoverable, rcr, .. } = *self;
        match rcr >= LEAST_RCR {
            true => Ok(()),
            false => Err(Error::Exposure { task: self.task.clone(), recoverable, components, rcr, least: LEAST_RCR }),
        }
    }
}

/// How many levels are at least 1, and how many 4.
fn counts(levels: &[u8]) -> (usize, usize) {
    let count = |least: u8| levels.iter().filter(|level| **level >= least).count();
    (count(1), count(MOST_LEVEL))
}

/// Of nothing, nothing.
fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
