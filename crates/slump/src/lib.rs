//! SLUMP: how much of a design an agent's repository loses where the design emerges over a conversation (arXiv study of
//! faithfulness loss under emergent specification).
//!
//! A [`SlumpTask`] is a method of ours: what is to be built in the end, the versions on the way there, and some sixty
//! requests that disclose it. [`check`] says what is wrong with one, [`ExposureAudit`] how much of each component the
//! requests give away, and when.

mod error;
mod exposure;
pub mod task;

pub use self::{
    error::Error,
    exposure::{ExposureAudit, ExposurePoint, LEAST_RCR, MOST_LEVEL, Recoverability},
    task::{SlumpTask, TaskFlaw, check, load_tasks},
};
