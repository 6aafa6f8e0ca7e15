//! What was asked of the gateway and what became of it. No header and no body is kept: they may hold secrets.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::Fault;

/// One request and its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// From 0, in the order of arrival.
    pub number: usize,
    /// The HTTP method.
    pub method: String,
    /// The path, without a query (which may hold a key); for another host than the gateway, the host too.
    pub target: String,
    /// What was answered; `None` where the connection was reset.
    pub status: Option<u16>,
    /// How that came about.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// The scripted model answered.
    Scripted,
    /// The provider answered.
    Forwarded {
        /// How often it was asked.
        attempts: u32,
    },
    /// The provider answered, and the exchange is on the cassette if it ended well.
    Recorded {
        /// How often it was asked.
        attempts: u32,
    },
    /// The provider's answer did not end well, after its beginning had been passed on.
    Broken {
        /// How.
        reason: String,
    },
    /// Answered from the cassette.
    Replayed {
        /// Whether the agent's tools printed something else than when it was recorded.
        drifted: bool,
    },
    /// The cassette has no such request.
    Missed {
        /// What is different.
        reason: String,
    },
    /// Not allowed or not understood, so not answered by any model.
    Refused {
        /// Why, as the agent was told too.
        reason: String,
    },
    /// Passed on unread to a host on the list, until the tunnel or the gateway closed; zero until then.
    Tunnelled {
        /// Bytes from the agent.
        sent: u64,
        /// Bytes to the agent.
        received: u64,
    },
    /// Spoilt on purpose.
    Faulted {
        /// How.
        fault: Fault,
    },
}

/// The requests of one gateway.
#[derive(Debug, Default)]
pub struct Log {
    entries: Mutex<Vec<Entry>>,
}

impl Log {
    /// Every request that ended, in the order of their ends.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    /// The entries as JSON, one a line.
    pub fn to_json_lines(&self) -> String {
        let lines = self.entries().iter().filter_map(|entry| serde_json::to_string(entry).ok()).collect::<Vec<_>>();
        lines.into_iter().map(|line| line + "\n").collect()
    }

    pub(super) fn add(&self, entry: Entry) {
        self.lock().push(entry);
    }

    /// Corrects how a request ended, once it is known better.
    pub(super) fn amend(&self, number: usize, outcome: Outcome) {
        if let Some(entry) = self.lock().iter_mut().find(|entry| entry.number == number) {
            entry.outcome = outcome;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        // A list of finished entries is whole, whatever happened to another thread.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
