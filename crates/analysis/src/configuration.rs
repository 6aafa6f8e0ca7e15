//! Who worked, and how rows are grouped by that.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use slopbench_agents::stage::Worker;
use slopbench_tests::Track;

use crate::TidyRow;

/// An agent in one version, its model, and how it was told to work: what a row of Table 1 is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct AgentSetup {
    /// The model; absent for who has none, such as the reference.
    pub model: Option<String>,
    /// Who.
    pub agent: String,
    /// Its version, the harness's; empty for who has none.
    pub version: String,
    /// How hard the model is asked to think; empty for who has none.
    pub reasoning: String,
    /// The prompt's name.
    pub prompt: String,
    /// The language that solutions are written in.
    pub track: Track,
    /// Whether all checkpoints were given at once.
    pub one_shot: bool,
}

/// How many parts a configuration's name has.
const PARTS: usize = 6;

impl AgentSetup {
    pub(crate) fn of(worker: &Worker, prompt: &str, track: Track, one_shot: bool) -> Self {
        let (agent, reasoning) = match worker {
            Worker::Agent { name, model, .. } => (name.clone(), model.reasoning.clone()),
            other => (other.label(), String::new()),
        };
        let (model, version) = (worker.model().map(str::to_owned), worker.version().to_owned());
        Self { model, agent, version, reasoning, prompt: prompt.to_owned(), track, one_shot }
    }

    /// All parts, in words.
    pub fn full_label(&self) -> String {
        self.parts().into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// What it is called, in the order in which names are given.
    fn parts(&self) -> [Option<String>; PARTS] {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let agent = match self.version.is_empty() {
            true => self.agent.clone(),
            false => format!("{} {}", self.agent, self.version),
        };
        let track = (self.track != Track::default()).then(|| self.track.to_string());
        let mode = self.one_shot.then(|| "one shot".to_owned());
        [self.model.clone(), some(&agent), some(&self.reasoning), some(&self.prompt), track, mode]
    }
}

/// Short names for these: the model, and beside it what some of them differ in.
pub fn labels<'a>(all: impl IntoIterator<Item = &'a AgentSetup>) -> BTreeMap<&'a AgentSetup, String> {
    let all: BTreeSet<_> = all.into_iter().collect();
    let differs = |part: usize| all.iter().map(|one| one.parts()[part].clone()).collect::<BTreeSet<_>>().len() > 1;
    let varies: [bool; PARTS] = std::array::from_fn(differs);
    let label = |one: &AgentSetup| {
        let parts = one.parts();
        let name = parts[0].clone().unwrap_or_else(|| parts[1].clone().unwrap_or_default());
        // Models differ as a rule; whether agents that come with them are named depends on their telling more.
        let apart = all.iter().filter(|other| other.model == one.model).count() > 1;
        let more = (1..PARTS).filter(|&part| apart && varies[part]).filter_map(|part| parts[part].clone());
        [name].into_iter().chain(more.filter(|part| Some(part) != one.model.as_ref())).collect::<Vec<_>>().join(", ")
    };
    all.iter().map(|one| (*one, label(one))).collect()
}

/// The rows of each configuration.
pub(crate) fn by_configuration<'a>(
    rows: impl IntoIterator<Item = &'a TidyRow>,
) -> BTreeMap<&'a AgentSetup, Vec<&'a TidyRow>> {
    group(rows, |row| &row.configuration)
}

/// The rows of each trajectory, checkpoints in their order.
pub(crate) fn by_trajectory<'a>(rows: impl IntoIterator<Item = &'a TidyRow>) -> Vec<Vec<&'a TidyRow>> {
    let mut grouped = group(rows, |row| (&row.run, &row.trajectory));
    grouped.values_mut().for_each(|rows| rows.sort_by_key(|row| row.checkpoint));
    grouped.into_values().collect()
}

/// The rows under each key, in their order.
pub(crate) fn group<'a, K: Ord>(
    rows: impl IntoIterator<Item = &'a TidyRow>,
    key: impl Fn(&'a TidyRow) -> K,
) -> BTreeMap<K, Vec<&'a TidyRow>> {
    let mut grouped: BTreeMap<K, Vec<&TidyRow>> = BTreeMap::new();
    rows.into_iter().for_each(|row| grouped.entry(key(row)).or_default().push(row));
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(model: &str, version: &str, prompt: &str) -> AgentSetup {
        AgentSetup {
            model: Some(model.to_owned()),
            agent: "codex".to_owned(),
            version: version.to_owned(),
            prompt: prompt.to_owned(),
            ..AgentSetup::default()
        }
    }

    #[test]
    fn a_label_says_what_tells_apart_and_no_more() {
        let all = [
            configuration("a", "1", "just-solve"),
            configuration("b", "1", "just-solve"),
            configuration("b", "2", "just-solve"),
        ];
        let labels = labels(&all);
        assert_eq!(all.each_ref().map(|one| labels[one].as_str()), ["a", "b, codex 1", "b, codex 2"]);
        assert_eq!(all[2].full_label(), "b, codex 2, just-solve");
        let in_go = AgentSetup { track: Track::Go, ..all[0].clone() };
        assert_eq!(super::labels([&all[0], &in_go])[&in_go], "a, go");
        let reference = AgentSetup { agent: "reference".to_owned(), ..AgentSetup::default() };
        assert_eq!(super::labels([&reference])[&reference], "reference");
    }
}
