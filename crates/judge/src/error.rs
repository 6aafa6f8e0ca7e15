//! Why a question could not be asked: the machine's or the provider's doing, never an outcome.

use std::{io, path::PathBuf};

use slopbench_gateway::client::ClientError;

/// Why a question could not be asked. Nothing of it is kept, and the same question may be asked again.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The tree cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A judgement cannot be kept.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A kept judgement is not what was written.
    #[error("{}: {message}; remove the file, and the question is asked anew", path.display())]
    Spoiled {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// There is no provider, and the answer is not kept.
    #[error("{kind} is not in the cache {} (vote {vote}, {digest}), and there is no provider to ask: judge it with one, or name the cache that has it", cache.display())]
    NotCached {
        /// The kind of question.
        kind: String,
        /// Which vote.
        vote: u32,
        /// The name it would have.
        digest: String,
        /// Where it was looked for.
        cache: PathBuf,
    },
    /// There is neither a provider nor a cache.
    #[error("there is nobody to answer {kind}: give the judge a provider or a cache")]
    Nobody {
        /// The kind of question.
        kind: String,
    },
    /// The budget has no room for the next request.
    #[error(
        "judging stops: ${spent:.4} of ${limit:.2} are spent, and the next request may cost ${next:.4}; raise --budget-usd"
    )]
    BudgetSpent {
        /// In US dollars, what is under way included.
        spent: f64,
        /// The budget.
        limit: f64,
        /// What the next request may cost.
        next: f64,
    },
    /// A budget can only be kept where prices are known.
    #[error(
        "there is no price of {model}, so that a budget cannot be kept: add one to a catalogue, or judge without a budget"
    )]
    NoPrice {
        /// The model.
        model: String,
    },
    /// The question's template cannot be filled.
    #[error("the template of {kind} cannot be filled: {message}")]
    Template {
        /// The kind of question.
        kind: String,
        /// What is wrong.
        message: String,
    },
    /// A value is none that JSON knows.
    #[error("a value cannot be written as JSON: {0}")]
    Unwritable(serde_json::Error),
    /// No answer came from the provider.
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl JudgeError {
    /// Whether it is the machine's or the provider's doing, so that the same may be asked again.
    pub fn is_of_infrastructure(&self) -> bool {
        match self {
            Self::Client(ClientError::Request(_) | ClientError::NotRecorded(_) | ClientError::NoAnswer { .. }) => false,
            Self::Client(_) | Self::Read { .. } | Self::Write { .. } | Self::Unwritable(_) => true,
            _ => false,
        }
    }
}
