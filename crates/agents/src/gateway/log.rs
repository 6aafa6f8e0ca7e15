//! What was asked of the gateway and what became of it. No header and no body is kept: they may hold secrets.

use std::{
    ops::Not,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;

use super::Fault;

/// One request and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// From 0, in the order of arrival.
    pub number: usize,
    /// The HTTP method.
    pub method: String,
    /// The path, without a query (which may hold a key); for another host than the gateway, the host too.
    pub target: String,
    /// Whether it asked for the session's next step: a turn of the model, with tools on offer. Agents ask for titles and
    /// summaries beside.
    #[serde(skip_serializing_if = "Not::not")]
    pub turn: bool,
    /// What was answered; `None` where nothing was, or the connection was reset.
    pub status: Option<u16>,
    /// How that came about.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// No whole answer was there yet, and none is any more once the agent has hung up or the session is over.
    Unfinished {
        /// How often the provider was asked.
        attempts: u32,
    },
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
        /// How often it was asked.
        attempts: u32,
        /// How.
        reason: String,
    },
    /// No provider could be reached.
    Unreached {
        /// How often it was tried.
        attempts: u32,
        /// What was in the way the last time, as the agent was told too.
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
    /// Every request, in the order of arrival.
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

    /// Says what is known by now of a request.
    pub(super) fn amend(&self, number: usize, say: impl FnOnce(&mut Entry)) {
        self.lock().iter_mut().find(|entry| entry.number == number).map(say);
    }

    /// Says how a request ended, as far as is known by now.
    pub(super) fn settle(&self, number: usize, outcome: Outcome) {
        self.amend(number, |entry| entry.outcome = outcome);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        // A list of entries is whole, whatever happened to another thread.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
