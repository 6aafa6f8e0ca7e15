//! What a judge says of one repository, component by component.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_judge::{Attempts, Evidence, Judgement, NotJudged, Outcome, VoteResult, VoteRule, Votes};

use super::questions::ComponentVerdict;
use crate::scores::RepositoryScores;

/// One repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedRepository {
    /// The session.
    pub session: String,
    /// Its figures.
    pub scores: RepositoryScores,
    /// The verdict on each component, by id.
    pub components: BTreeMap<String, JudgedComponent>,
    /// Texts of the repository that talk to the judge, and what hides something from it. They change no score.
    pub attempts: Attempts,
}

/// What was said of one component.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedComponent {
    /// Its score: of several votes the one that most give, of several such the lowest. Absent where it was not judged.
    pub score: Option<u8>,
    /// How far several votes agree; absent where one was asked for, or none judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<VoteResult>,
    /// The places that the judge gives, and whether these exist.
    pub evidence: Vec<Evidence>,
    /// In what it differs, in the judge's words; empty where it was not judged.
    pub deviation: String,
    /// Why it was not judged.
    pub not_judged: Option<NotJudged>,
}

impl JudgedRepository {
    /// How many places that the judge gives as evidence do not exist.
    pub fn unfounded(&self) -> usize {
        self.components.values().flat_map(|one| &one.evidence).filter(|one| !one.exists).count()
    }
}

impl From<Judgement<ComponentVerdict>> for JudgedComponent {
    fn from(judged: Judgement<ComponentVerdict>) -> Self {
        match judged.outcome {
            Outcome::Answered { answer, evidence } => {
                Self { score: Some(answer.score), evidence, deviation: answer.deviation, ..Self::default() }
            }
            Outcome::NotJudged { reason } => Self { not_judged: Some(reason), ..Self::default() },
        }
    }
}

impl From<Votes<ComponentVerdict>> for JudgedComponent {
    /// Evidence and deviation are those of the first vote that gives the score.
    fn from(votes: Votes<ComponentVerdict>) -> Self {
        let result = votes.result(VoteRule::Majority);
        let several = votes.judgements.len() > 1;
        let score = result.map(|result| result.score);
        let spokesman = votes.judgements.into_iter().find(|judgement| judgement.score == score);
        Self { votes: result.filter(|_| several), ..spokesman.map(Self::from).unwrap_or_default() }
    }
}
