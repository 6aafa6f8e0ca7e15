//! SLUMP: how much of a design an agent's repository loses where the design emerges over a conversation (arXiv study of
//! faithfulness loss under emergent specification).
//!
//! A [`SlumpTask`] is a method of ours: what is to be built in the end, the versions on the way there, and some sixty
//! requests that disclose it. [`check`] says what is wrong with one, [`ExposureAudit`] how much of each component the
//! requests give away, and when. [`study::Slump`] is the study on the engine: agents build tasks all at once, or request after
//! request in one conversation. [`scores`] say what their repositories are worth, and what is lost; [`own_tests`], what the tests say that agents wrote. [`pipeline`] makes tasks of documents.

mod condition;
mod error;
mod exposure;
pub mod judging;
pub mod own_tests;
pub mod pipeline;
pub mod scores;
pub mod study;
pub mod task;

pub use self::{
    condition::{Disclosure, SlumpCondition},
    error::Error,
    exposure::{ExposureAudit, ExposurePoint, LEAST_RCR, MOST_LEVEL, Recoverability},
    task::{SlumpTask, TaskFlaw, check, load_tasks},
};
