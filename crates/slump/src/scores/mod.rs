//! What repositories are worth (section 4.1), and what is lost where the specification emerged (sections 2.2 and 5.2).

mod loss;
mod repository;
mod tables;

pub use self::{
    loss::{LossMeasure, PairedScores, SlumpLoss, slump_losses},
    repository::{Faithfulness, MOST_SCORE, RepositoryScores, if50},
    tables::{AggregateScores, GuardEffect, aggregates, guard_effects, recovery},
};
