//! What a plan may cost and take, before any of it is done.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{ModelChoice, Worker, identities, now},
};
use slopbench_gateway::{catalogue::EntryIdentity, turn::TokenUsage};

use super::{design::Trajectory, plan::Plan};
use crate::Error;

/// US cents and minutes for a checkpoint, by model: the paper's means (Table 1), of its problems and harnesses.
const PAPER: &[(&str, u32, f64)] = &[
    ("sonnet-4.5", 149, 8.8),
    ("sonnet-4.6", 192, 20.0),
    ("opus-4.5", 264, 7.6),
    ("opus-4.6", 347, 14.4),
    ("gpt-5.1-codex-max", 286, 14.0),
    ("gpt-5.2", 455, 15.0),
    ("gpt-5.2-codex", 289, 14.6),
    ("gpt-5.3-spark", 91, 2.8),
    ("gpt-5.3-codex", 314, 7.5),
    ("gpt-5.4", 327, 8.6),
    ("glm-4.7", 161, 9.1),
];

/// A plan in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The digest of the plan.
    pub plan: slopbench_digest::Sha256,
    /// The longest that all sessions can take one after the other, in hours.
    pub limit_hours: f64,
    /// A row per worker, model and prompt.
    pub rows: Vec<EstimateRow>,
    /// The models that have no price today: what they cost will not be known.
    pub unpriced: BTreeSet<String>,
    /// The catalogue's entries that sessions would be held with.
    pub catalogue: BTreeMap<String, EntryIdentity>,
}

/// What one worker with one model and one prompt may cost and take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateRow {
    /// Who.
    pub worker: String,
    /// The model behind it.
    pub model: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// How many trajectories.
    pub trajectories: usize,
    /// Sessions in all.
    pub sessions: usize,
    /// In US dollars, by the paper's mean of the model; absent where there is none.
    pub usd: Option<f64>,
    /// In hours, one session after the other; likewise.
    pub hours: Option<f64>,
}

impl Estimate {
    /// Estimates `plan`.
    ///
    /// # Errors
    ///
    /// [`Error::Stage`] if the catalogue lacks what the plan names.
    pub fn of(plan: &Plan, catalogue: &AgentCatalogue) -> Result<Self, Error> {
        let mut grouped: BTreeMap<_, Vec<&Trajectory>> = BTreeMap::new();
        for trajectory in &plan.design.trajectories {
            let key = (trajectory.worker.label(), trajectory.worker.model().map(str::to_owned), &trajectory.prompt);
            grouped.entry(key).or_default().push(trajectory);
        }
        let row = |((worker, model, prompt), all): ((String, Option<String>, &String), Vec<&Trajectory>)| {
            let sessions = all.iter().map(|trajectory| plan.design.stops(&trajectory.problem).len()).sum();
            let means = PAPER.iter().find(|(name, ..)| model.as_deref() == Some(name));
            EstimateRow {
                prompt: prompt.clone(),
                trajectories: all.len(),
                sessions,
                usd: means.map(|(_, cents, _)| f64::from(*cents) * sessions as f64 / 100.0),
                hours: means.map(|(.., minutes)| minutes * sessions as f64 / 60.0),
                worker,
                model,
            }
        };
        let rows: Vec<_> = grouped.into_iter().map(row).collect();
        let sessions: usize = rows.iter().map(|row| row.sessions).sum();
        let limit_hours = (sessions as u64 * plan.design.limit_seconds) as f64 / 3600.0;
        let catalogued = identities(plan.design.workers(), catalogue)?;
        let unpriced = unpriced(plan, catalogue);
        Ok(Self { plan: plan.digest()?, limit_hours, rows, unpriced, catalogue: catalogued })
    }
}

/// What the planned models are called whose price is not known today.
fn unpriced(plan: &Plan, catalogue: &AgentCatalogue) -> BTreeSet<String> {
    let today = &now()[..10];
    let model = |worker: &Worker| match worker {
        Worker::Agent { model, .. } if model.provider.is_some() => Some(model.clone()),
        _ => None,
    };
    let has_price = |model: &ModelChoice| {
        let prices = catalogue.models.prices.of(model.provider.as_deref().unwrap_or_default());
        prices.cost_usd(&model.id, today, &TokenUsage::default()).is_ok()
    };
    let models = plan.design.workers().filter_map(model);
    models.filter(|model| !has_price(model)).map(|model| model.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_and_the_papers_means_name_the_same_models() {
        let catalogue = AgentCatalogue::built_in().unwrap();
        let catalogue: Vec<_> = catalogue.models.models.iter().map(|(name, _)| name).collect();
        assert_eq!(catalogue, PAPER.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    }
}
