//! What became of a question.

use serde::{Deserialize, Serialize};

use crate::question::Citation;

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome<A> {
    /// There is one answer, of the type that was asked for.
    Answered {
        /// The answer.
        answer: A,
        /// What it points to, each looked up in the tree.
        evidence: Vec<Evidence>,
    },
    /// There is none, which is no score of 0.
    NotJudged {
        /// Why not.
        reason: NotJudged,
    },
}

impl<A> Outcome<A> {
    /// The answer, if there is one.
    pub fn answer(&self) -> Option<&A> {
        match self {
            Self::Answered { answer, .. } => Some(answer),
            Self::NotJudged { .. } => None,
        }
    }

    /// Evidence that names no existing file and line.
    pub fn unfounded(&self) -> impl Iterator<Item = &Evidence> {
        let evidence = match self {
            Self::Answered { evidence, .. } => evidence.as_slice(),
            Self::NotJudged { .. } => &[],
        };
        evidence.iter().filter(|one| !one.exists)
    }
}

/// A place that an answer points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Where it points.
    pub citation: Citation,
    /// Whether the tree has that file, and the file those lines.
    pub exists: bool,
}

/// Why a question was not judged. The model was asked once more for the verdict alone before any of these stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "kebab-case", deny_unknown_fields)]
pub enum NotJudged {
    /// It says nothing.
    #[error("the model says nothing")]
    Silent,
    /// It says something, and none of it is JSON.
    #[error("the model answers in prose, without a verdict")]
    Prose,
    /// It answers in JSON that is not what was asked for.
    #[error("the model's verdict is not of the form asked for: {flaw}")]
    Malformed {
        /// What is wrong.
        flaw: String,
    },
    /// It gives two verdicts that differ.
    #[error("the model gives {verdicts} different verdicts")]
    AnsweredTwice {
        /// How many.
        verdicts: u32,
    },
    /// Its answer ends before it is whole.
    #[error("the model's answer is cut off")]
    CutOff,
    /// It goes on to look around where it may not any more.
    #[error("the model calls for more than the {calls} looks that it has, instead of a verdict")]
    CallsSpent {
        /// How many it had.
        calls: u32,
    },
    /// It, or its provider's filter, will not answer.
    #[error("the model refuses to answer: {reason}")]
    Refused {
        /// As far as it says why.
        reason: String,
    },
}
