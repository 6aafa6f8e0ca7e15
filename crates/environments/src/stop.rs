use crate::Error;

/// Why there is no environment.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The solution asks for what cannot be had: one sentence, the same on every machine.
    Refused(String),
    /// Anything else.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
