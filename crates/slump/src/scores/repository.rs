//! The figures of one repository.

use serde::{Deserialize, Serialize};

use crate::own_tests::OwnTests;

/// The highest score of a component: faithful (Table 1).
pub const MOST_SCORE: u8 = 4;

/// How faithful a repository is to its task's components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faithfulness {
    /// How many components have each score: absent, wrong, simplified, equivalent, faithful.
    pub levels: [u64; MOST_SCORE as usize + 1],
    /// How many have none: the judge gave no verdict. They are left out of the mean, never counted as absent.
    pub not_judged: u64,
    /// Mean component faithfulness, from 0 to 4; absent where none is judged.
    pub mcf: Option<f64>,
}

impl Faithfulness {
    /// Of the components' scores, in any order; a component without a verdict has none. Scores above 4 count as none.
    pub fn of(scores: impl IntoIterator<Item = Option<u8>>) -> Self {
        let (mut levels, mut not_judged) = ([0; MOST_SCORE as usize + 1], 0);
        for score in scores {
            match score.and_then(|score| levels.get_mut(usize::from(score))) {
                Some(level) => *level += 1,
                None => not_judged += 1,
            }
        }
        let judged: u64 = levels.iter().sum();
        let total: u64 = (0..).zip(&levels).map(|(score, count)| score * count).sum();
        Self { levels, not_judged, mcf: (judged > 0).then(|| total as f64 / judged as f64) }
    }

    /// Components that are absent or wrong: severe failures.
    pub fn severe(&self) -> u64 {
        self.levels[0] + self.levels[1]
    }

    /// Components that are faithful.
    pub fn faithful(&self) -> u64 {
        self.levels[usize::from(MOST_SCORE)]
    }
}

/// Implementation faithfulness, from 0 to 1: half of it MCF over 4, half of it DIR.
pub fn if50(mcf: f64, dir: f64) -> f64 {
    0.5 * (mcf / f64::from(MOST_SCORE)) + 0.5 * dir
}

/// The figures of one repository under one condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryScores {
    /// The task.
    pub task: String,
    /// Who worked: an agent in a version, with a model.
    pub platform: String,
    /// The condition's name.
    pub condition: String,
    /// From 1.
    pub repeat: u32,
    /// What the judge says; absent where it was not asked.
    pub faithfulness: Option<Faithfulness>,
    /// The dependency integration ratio, from 0 to 1.
    pub dir: f64,
    /// How often the conversation was compacted, where that is told.
    pub compactions: Option<u64>,
    /// Kilobytes of a guard's state; absent without a guard.
    pub state_kb: Option<f64>,
    /// What became of the tests that the agent wrote; absent where they were not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tests: Option<OwnTests>,
}

impl RepositoryScores {
    /// Mean component faithfulness.
    pub fn mcf(&self) -> Option<f64> {
        self.faithfulness.as_ref()?.mcf
    }

    /// The share of the agent's own tests that pass.
    pub fn pass_rate(&self) -> Option<f64> {
        self.own_tests.as_ref()?.pass_rate
    }

    /// Implementation faithfulness; absent where MCF is.
    pub fn if50(&self) -> Option<f64> {
        Some(if50(self.mcf()?, self.dir))
    }
}
