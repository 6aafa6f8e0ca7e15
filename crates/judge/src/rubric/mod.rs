//! The rubric of SlopCodeBench's first version (its blog, v0.1), with 45 criteria of our own wording: what changed between
//! two states of a program is judged, span by span.
//!
//! What is not changed is not asked about again: a flag on lines that stand as they stood is *carried*, one on changed lines
//! is *new*. So a checkpoint's flags are those of its own changes and those that it inherits, apart.

mod changes;
mod checkpoint;
mod criteria;
mod question;

pub use changes::{ChangedPart, changed_parts};
pub use checkpoint::{CheckpointFlags, FlagCount, PlacedFlag, UnjudgedPart, estimate_checkpoint, judge_checkpoint};
pub use criteria::{Criterion, CriterionKind, RUBRIC_FORMAT, criteria};
pub use question::{RubricAnswer, RubricFlag, RubricQuestion};
