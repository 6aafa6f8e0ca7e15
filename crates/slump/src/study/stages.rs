//! What the stages of a session are called.

/// A stage of a session. Those with a number belong to the request of this number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionStage {
    /// The guard says what the agent is told before the request.
    Brief(usize),
    /// The agent carries the request out.
    Request(usize),
    /// The guard brings its state up to date.
    Update(usize),
    /// The tests that the agent wrote are run.
    Tests,
}

/// The name of [`SessionStage::Tests`].
const TESTS: &str = "tests";

impl SessionStage {
    /// The stages of a request, in order.
    pub(super) fn of_request(request: usize, guarded: bool) -> Vec<Self> {
        match guarded {
            true => vec![Self::Brief(request), Self::Request(request), Self::Update(request)],
            false => vec![Self::Request(request)],
        }
    }

    /// The name of its folder.
    pub(super) fn name(self) -> String {
        match self {
            Self::Brief(request) => format!("brief_{request:02}"),
            Self::Request(request) => format!("request_{request:02}"),
            Self::Update(request) => format!("update_{request:02}"),
            Self::Tests => TESTS.to_owned(),
        }
    }

    /// The stage that is called so.
    pub(super) fn parse(name: &str) -> Option<Self> {
        if name == TESTS {
            return Some(Self::Tests);
        }
        let request = name.split_once('_')?.1.parse().ok()?;
        Self::of_request(request, true).into_iter().find(|stage| stage.name() == name)
    }
}
