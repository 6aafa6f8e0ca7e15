//! Judges that can be checked: a model answers one typed question about one tree, within bounds, and every answer is kept.
//!
//! A judge is an instrument, and is treated as one. What it is asked is fixed by digests, what it may look at is bounded,
//! what it answers is typed, its evidence is looked up, and what it did not answer is its own outcome, never a score. How far
//! it agrees with people is measured, or said to be unknown.
//!
//! | what | where |
//! | --- | --- |
//! | what is asked: input, template, schema, citations, score | [`Question`] |
//! | what may be looked at: one tree, read once, bounded, no link followed | [`JudgedTree`] |
//! | how it is looked at: `search`, `list` and `read`, so many calls | [`Inspector`] |
//! | who asks: the conversation, the cache, the budget, votes | [`Judge`] |
//! | what became of it: answered, with checked evidence, or not judged, and why | [`Judgement`], [`Outcome`], [`NotJudged`] |
//! | who tries to talk to the judge, or to hide from it | [`Attempt`] |
//! | how far people agree with a judge, or another judge does | [`calibration`] |
//! | the 45 criteria of SlopCodeBench's first version | [`rubric`] |
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use slopbench_judge::{Citation, Question};
//!
//! #[derive(Serialize)]
//! struct Documented { name: String }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Verdict { score: u8, evidence: String }
//!
//! impl Question for Documented {
//!     type Answer = Verdict;
//!     fn kind(&self) -> &str { "documented/1" }
//!     fn template(&self) -> &str { "Is `{{ name }}` documented? 0 = no, 1 = in part, 2 = yes." }
//!     fn schema(&self) -> serde_json::Value {
//!         serde_json::json!({
//!             "type": "object", "required": ["score", "evidence"], "additionalProperties": false,
//!             "properties": {"score": {"type": "integer", "enum": [0, 1, 2]}, "evidence": {"type": "string"}},
//!         })
//!     }
//!     fn check(&self, answer: &Verdict) -> Result<(), String> {
//!         if answer.score <= 2 { Ok(()) } else { Err(format!("the score is {}, expected 0 to 2", answer.score)) }
//!     }
//!     fn citations(&self, answer: &Verdict) -> Vec<Citation> { Citation::all_in(&answer.evidence) }
//!     fn score(&self, answer: &Verdict) -> Option<f64> { Some(f64::from(answer.score)) }
//! }
//! ```
//!
//! Then `judge.judge(&question, Some(&tree), 0).await` gives a [`Judgement`]; `judge.votes(&question, Some(&tree), 3).await`
//! gives [`Votes`].

mod attempts;
mod budget;
mod cache;
pub mod calibration;
mod conversation;
mod error;
mod estimate;
mod file;
mod ignored;
mod inspector;
mod judge;
mod judgement;
mod outcome;
mod prompt;
mod question;
mod reading;
pub mod rubric;
mod settings;
mod shown;
mod tree;
mod votes;

pub use attempts::{Attempt, AttemptKind, Attempts};
pub use budget::{JudgeBudget, Reservation};
pub use cache::JudgementCache;
pub use error::JudgeError;
pub use estimate::JudgingEstimate;
pub use inspector::{InspectionCall, Inspector};
pub use judge::Judge;
pub use judgement::{JUDGEMENT_FORMAT, Judgement, JudgementKey};
pub use outcome::{Evidence, NotJudged, Outcome};
pub use question::{Citation, Question};
pub use settings::JudgeSettings;
pub use tree::{JudgedTree, LeftOut};
pub use votes::{VoteResult, VoteRule, Votes};
