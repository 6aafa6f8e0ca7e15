//! What is played of a checkpoint.

/// Which part of a checkpoint is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All that its solution is graded by.
    Suite,
    /// Of the checkpoint's own, what is core.
    OwnCore,
}
