//! Several answers to one question.

use serde::{Deserialize, Serialize};

use crate::judgement::Judgement;

/// Several judgements of one question, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes<A> {
    /// Each vote, judged or not.
    pub judgements: Vec<Judgement<A>>,
}

/// How votes become one score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoteRule {
    /// The score that most give; of several such the lowest.
    Majority,
    /// The mean of all.
    Mean,
}

/// What several votes come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoteResult {
    /// The score.
    pub score: f64,
    /// How many votes have one.
    pub judged: u32,
    /// How many have none: they count for nothing.
    pub not_judged: u32,
    /// How many give the score itself.
    pub agreeing: u32,
    /// The lowest.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// The sample standard deviation; 0 for a single vote.
    pub sd: f64,
}

impl<A> Votes<A> {
    /// What the votes come to; nothing if none of them has a score.
    pub fn result(&self, rule: VoteRule) -> Option<VoteResult> {
        let scores: Vec<f64> = self.judgements.iter().filter_map(|one| one.score).collect();
        result(&scores, self.judgements.len(), rule)
    }
}

fn result(scores: &[f64], votes: usize, rule: VoteRule) -> Option<VoteResult> {
    let judged = scores.len();
    let mean = scores.iter().sum::<f64>() / judged as f64;
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (lowest, highest) = (*sorted.first()?, *sorted.last()?);
    let frequency = |score: f64| sorted.iter().filter(|other| **other == score).count();
    let score = match rule {
        VoteRule::Mean => mean,
        VoteRule::Majority => {
            sorted.iter().copied().fold(lowest, |best, next| match frequency(next) > frequency(best) {
                true => next,
                false => best,
            })
        }
    };
    let squares: f64 = scores.iter().map(|one| (one - mean).powi(2)).sum();
    let sd = if judged > 1 { (squares / (judged - 1) as f64).sqrt() } else { 0.0 };
    let count = |number: usize| number as u32;
    Some(VoteResult {
        score,
        judged: count(judged),
        not_judged: count(votes - judged),
        agreeing: count(frequency(score)),
        lowest,
        highest,
        sd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_come_to_what_most_give_or_to_their_mean() {
        let of = |scores: &[f64], rule| result(scores, scores.len() + 1, rule).map(|one| (one.score, one.agreeing));
        assert_eq!(of(&[3.0, 4.0, 4.0], VoteRule::Majority), Some((4.0, 2)));
        assert_eq!(of(&[4.0, 2.0, 3.0], VoteRule::Majority), Some((2.0, 1)), "of several the lowest");
        assert_eq!(of(&[1.0, 2.0, 3.0], VoteRule::Mean), Some((2.0, 1)));
        assert_eq!(of(&[], VoteRule::Mean), None);
        let spread = result(&[1.0, 3.0], 3, VoteRule::Mean);
        assert!(spread.is_some_and(|one| one.not_judged == 1 && (one.sd - 2.0_f64.sqrt()).abs() < 1e-12));
    }
}
