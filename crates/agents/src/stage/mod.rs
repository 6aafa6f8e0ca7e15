//! One stage: a worker in a workspace, told one prompt, in a new or a continued conversation.
//!
//! [`WorkerStage::carry_out`] gives the worker a copy of a workspace and a home in a sandbox, and the gateway as its only way out.
//! All that it left is then in one folder: what was told in `session/`, `workspace/` as it is, and `home/` where the
//! conversation can go on. [`Settlement::carry_out`] makes a [`StageRecord`] and a snapshot of that; it may be done again.

mod activation;
mod answers;
mod changes;
mod equipment;
mod error;
mod footprint;
mod gateway;
mod provider_access;
mod record;
mod settle;
mod work;
mod worker;

pub use self::{
    activation::DeclaredPackages,
    answers::{Answers, CASSETTE},
    changes::{FileDiff, diff, unified_diff},
    equipment::{Equipment, Systems, identities, image_id, now},
    error::StageError,
    footprint::Footprint,
    provider_access::ProviderAccess,
    record::{StageOutcome, StageRecord},
    settle::{SESSION, Settlement},
    work::{Conversation, WorkerStage},
    worker::{ModelChoice, Worker},
};
