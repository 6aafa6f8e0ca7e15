//! What is told of a run while it goes on.

/// Somebody who watches a run. Called from several threads.
pub trait Watch: Sync {
    /// Something happened in `unit`.
    fn tell(&self, unit: &str, event: &RunEvent<'_>);
}

/// Nobody.
impl Watch for () {
    fn tell(&self, _: &str, _: &RunEvent<'_>) {}
}

/// What happens in a unit.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// A stage begins.
    Began {
        /// Which.
        stage: &'a str,
    },
    /// A stage ended.
    Ended {
        /// Which.
        stage: &'a str,
        /// How, in the study's own words.
        outcome: &'a str,
    },
    /// All of it is done.
    Finished,
    /// No further stage begins, for this reason.
    Stopped(&'a str),
    /// The machine or a provider failed; resuming tries again.
    Broke(&'a dyn std::error::Error),
}
