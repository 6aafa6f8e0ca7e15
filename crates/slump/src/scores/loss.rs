//! SLUMP_F = F(single shot) − F(emergent), paired by task.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_stats::{
    describe::mean,
    wilcoxon::{WilcoxonMethod, ZeroRule, wilcoxon},
};

use super::repository::RepositoryScores;
use crate::condition::SlumpCondition;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossMeasure {
    /// Mean component faithfulness, from 0 to 4.
    Mcf,
    /// The dependency integration ratio, from 0 to 1.
    Dir,
    /// Both, from 0 to 1.
    If50,
}

impl LossMeasure {
    /// All, in the order of tables.
    pub const ALL: [Self; 3] = [Self::Mcf, Self::Dir, Self::If50];

    /// Of a repository.
    pub fn of(self, scores: &RepositoryScores) -> Option<f64> {
        match self {
            Self::Mcf => scores.mcf(),
            Self::Dir => Some(scores.dir),
            Self::If50 => scores.if50(),
        }
    }
}

/// Means over repeats of one task under two conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairedScores {
    /// The task.
    pub task: String,
    /// Under the single-shot control.
    pub single_shot: f64,
    /// Under emergent specification.
    pub emergent: f64,
}

/// What is lost on one platform, by one measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpLoss {
    /// Who worked.
    pub platform: String,
    /// By what it is measured.
    pub measure: LossMeasure,
    /// Every task with both conditions, by name.
    pub pairs: Vec<PairedScores>,
    /// The mean of single shot − emergent; absent without a pair.
    pub mean_loss: Option<f64>,
    /// Tasks on which the single shot is higher.
    pub wins: usize,
    /// On which both are equal.
    pub ties: usize,
    /// On which the single shot is lower.
    pub losses: usize,
    /// Two-sided, of Wilcoxon's signed-rank test without zeros, exact where SciPy's is; absent without a pair.
    pub p: Option<f64>,
}

/// What is lost, for each platform and measure, in the order of names and measures.
pub fn slump_losses(scores: &[RepositoryScores]) -> Vec<SlumpLoss> {
    let mut platforms: Vec<_> = scores.iter().map(|one| one.platform.as_str()).collect();
    platforms.sort_unstable();
    platforms.dedup();
    let each = |platform: &&str| LossMeasure::ALL.map(|measure| loss(scores, platform, measure));
    platforms.iter().flat_map(each).collect()
}

fn loss(scores: &[RepositoryScores], platform: &str, measure: LossMeasure) -> SlumpLoss {
    let of = |condition| means_by_task(scores, platform, condition, |one| measure.of(one));
    let (single_shot, emergent) = (of(SlumpCondition::SINGLE_SHOT), of(SlumpCondition::EMERGENT));
    let pair = |(task, single_shot): (String, f64)| {
        let emergent = *emergent.get(&task)?;
        Some(PairedScores { task, single_shot, emergent })
    };
    let pairs: Vec<_> = single_shot.into_iter().filter_map(pair).collect();
    let differences: Vec<_> = pairs.iter().map(|pair| settle(pair.single_shot - pair.emergent)).collect();
    let count = |is: fn(f64) -> bool| differences.iter().filter(|difference| is(**difference)).count();
    SlumpLoss {
        platform: platform.to_owned(),
        measure,
        mean_loss: mean(&differences).ok(),
        wins: count(|difference| difference > 0.0),
        ties: count(|difference| difference == 0.0),
        losses: count(|difference| difference < 0.0),
        p: wilcoxon(&differences, ZeroRule::Wilcoxon, WilcoxonMethod::Auto).ok().map(|test| test.p),
        pairs,
    }
}

/// The mean over repeats of `figure` for each task on `platform` under a condition. Repeats without a figure are left out.
pub(super) fn means_by_task(
    scores: &[RepositoryScores],
    platform: &str,
    condition: SlumpCondition,
    figure: impl Fn(&RepositoryScores) -> Option<f64>,
) -> BTreeMap<String, f64> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let is_of = |one: &&RepositoryScores| one.platform == platform && one.condition == condition.name();
    for one in scores.iter().filter(is_of) {
        values.entry(one.task.clone()).or_default().extend(figure(one));
    }
    values.into_iter().filter_map(|(task, values)| Some((task, mean(&values).ok()?))).collect()
}

/// Differences that are equal but for rounding tie: to twelve decimals, far finer than any score.
pub(super) fn settle(difference: f64) -> f64 {
    // Zero has one sign.
    (difference * 1e12).round() / 1e12 + 0.0
}
