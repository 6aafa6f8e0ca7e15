//! Tables 3 and 6 as rows.

use serde::{Deserialize, Serialize};
use slopbench_stats::describe::mean;

use super::{
    loss::{LossMeasure, means_by_task, settle},
    repository::RepositoryScores,
};
use crate::condition::SlumpCondition;

/// A row of Table 3: means over tasks, each the mean of its repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AggregateScores {
    /// Who worked.
    pub platform: String,
    /// The condition's name.
    pub condition: String,
    /// Of how many tasks.
    pub tasks: usize,
    /// Mean component faithfulness, from 0 to 4; absent where no task has one, as the next two.
    pub mcf: Option<f64>,
    /// The dependency integration ratio.
    pub dir: Option<f64>,
    /// Implementation faithfulness.
    pub if50: Option<f64>,
    /// Components that are faithful, over all repositories.
    pub faithful: u64,
    /// Components that are absent or wrong.
    pub severe: u64,
    /// Components without a verdict.
    pub not_judged: u64,
}

/// A column of Table 6: what a guard does for one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardEffect {
    /// Who worked.
    pub platform: String,
    /// The task.
    pub task: String,
    /// The share of the gap in MCF that is closed: 1 is all of it, less than 0 wider.
    pub mcf_recovery: Option<f64>,
    /// The same of IF50.
    pub if50_recovery: Option<f64>,
    /// The relative change of DIR; absent where there was none before.
    pub dir_change: Option<f64>,
    /// Kilobytes of the guard's state.
    pub state_kb: Option<f64>,
    /// More compactions than without it, or fewer.
    pub compaction_change: Option<f64>,
}

/// Table 3, by platform and condition.
pub fn aggregates(scores: &[RepositoryScores]) -> Vec<AggregateScores> {
    let row = |platform: &str, condition: SlumpCondition| {
        let of = |measure: LossMeasure| {
            let means: Vec<_> =
                means_by_task(scores, platform, condition, |one| measure.of(one)).into_values().collect();
            mean(&means).ok()
        };
        let is_of = |one: &&RepositoryScores| one.platform == platform && one.condition == condition.name();
        let judged = || scores.iter().filter(is_of).filter_map(|one| one.faithfulness.as_ref());
        AggregateScores {
            platform: platform.to_owned(),
            condition: condition.name().to_owned(),
            tasks: means_by_task(scores, platform, condition, |one| Some(one.dir)).len(),
            mcf: of(LossMeasure::Mcf),
            dir: of(LossMeasure::Dir),
            if50: of(LossMeasure::If50),
            faithful: judged().map(|one| one.faithful()).sum(),
            severe: judged().map(|one| one.severe()).sum(),
            not_judged: judged().map(|one| one.not_judged).sum(),
        }
    };
    let all = platforms(scores).into_iter();
    let rows = all.flat_map(|platform| SlumpCondition::ALL.map(|condition| row(platform, condition)));
    rows.filter(|row| row.tasks > 0).collect()
}

/// Table 6, by platform and task.
pub fn guard_effects(scores: &[RepositoryScores]) -> Vec<GuardEffect> {
    let mut effects = Vec::new();
    for platform in platforms(scores) {
        let of = |condition, figure: &dyn Fn(&RepositoryScores) -> Option<f64>| {
            means_by_task(scores, platform, condition, figure)
        };
        let tasks = of(SlumpCondition::EMERGENT_GUARDED, &|one| Some(one.dir)).into_keys();
        for task in tasks {
            let at = |condition, figure: &dyn Fn(&RepositoryScores) -> Option<f64>| {
                of(condition, figure).get(&task).copied()
            };
            let recovered = |measure: LossMeasure| {
                let figure = |one: &RepositoryScores| measure.of(one);
                recovery(
                    at(SlumpCondition::EMERGENT_GUARDED, &figure)?,
                    at(SlumpCondition::EMERGENT, &figure)?,
                    at(SlumpCondition::SINGLE_SHOT, &figure)?,
                )
            };
            let pair = |figure: &dyn Fn(&RepositoryScores) -> Option<f64>| {
                at(SlumpCondition::EMERGENT_GUARDED, figure).zip(at(SlumpCondition::EMERGENT, figure))
            };
            let dir = pair(&|one| Some(one.dir)).filter(|(_, before)| *before > 0.0);
            let compactions = pair(&|one| one.compactions.map(|count| count as f64));
            effects.push(GuardEffect {
                platform: platform.to_owned(),
                mcf_recovery: recovered(LossMeasure::Mcf),
                if50_recovery: recovered(LossMeasure::If50),
                dir_change: dir.map(|(with, before)| (with - before) / before),
                state_kb: at(SlumpCondition::EMERGENT_GUARDED, &|one| one.state_kb),
                compaction_change: compactions.map(|(with, before)| with - before),
                task,
            });
        }
    }
    effects
}

/// (guarded − emergent) / (single shot − emergent): the share of the gap that is closed; absent where there is none.
pub fn recovery(guarded: f64, emergent: f64, single_shot: f64) -> Option<f64> {
    let gap = single_shot - emergent;
    (settle(gap) != 0.0).then(|| (guarded - emergent) / gap)
}

fn platforms(scores: &[RepositoryScores]) -> Vec<&str> {
    let mut platforms: Vec<_> = scores.iter().map(|one| one.platform.as_str()).collect();
    platforms.sort_unstable();
    platforms.dedup();
    platforms
}
