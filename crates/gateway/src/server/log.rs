//! What was asked of the gateway and what became of it. No header and no body is kept: they may hold secrets.
//!
//! A log is bounded, however much an agent asks: it keeps the first requests and the last ones, and counts the rest.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Not,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{InjectedFault, asked::Asked};
use crate::{
    packages::{Ecosystem, PackageRequest},
    turn::TokenUsage,
};

/// How many requests are kept of the first ones, and how many of the last ones.
const FIRST: usize = 8 << 10;
const LAST: usize = 1 << 10;

/// The longest text that is kept of a request, in bytes. What is longer ends in an ellipsis.
const LONGEST_TEXT: usize = 256;

/// How many models are counted one by one; those after them have their tokens in the last request's entry alone.
const MOST_MODELS: usize = 64;

/// One request and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogEntry {
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
    /// The model that was asked for a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What was answered; `None` where nothing was, or the connection was reset.
    pub status: Option<u16>,
    /// How that came about.
    #[serde(flatten)]
    pub outcome: RequestOutcome,
    /// The tokens that the answer tells of, as far as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum RequestOutcome {
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
    /// The provider, or the package index, could not be reached.
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
    /// A page or a file of a package index, as far as the agent has it.
    Packages {
        /// Who had it: a host, or nothing for a folder of this machine.
        host: String,
        /// Bytes to the agent.
        received: u64,
    },
    /// Spoilt on purpose.
    Faulted {
        /// How.
        fault: InjectedFault,
    },
}

/// What a session had of package indexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageUse {
    /// Pages and files that it asked for.
    pub requests: u64,
    /// Bytes of them that it got.
    pub bytes: u64,
    /// How many of the requests an index left unanswered, or broke off.
    pub failed: u64,
}

/// The requests of one gateway.
#[derive(Debug, Default)]
pub struct Log {
    kept: Mutex<KeptEntries>,
}

#[derive(Debug, Default)]
struct KeptEntries {
    /// The first requests, by their numbers.
    first: Vec<LogEntry>,
    /// Those after them, without a gap up to the last.
    last: VecDeque<LogEntry>,
    /// How many between them are no longer there.
    dropped: usize,
    usage: BTreeMap<String, TokenUsage>,
    packages: PackageUse,
}

impl Log {
    /// Every request that is kept, in the order of arrival.
    pub fn entries(&self) -> Vec<LogEntry> {
        let kept = self.lock();
        kept.first.iter().chain(&kept.last).cloned().collect()
    }

    /// Tokens by the model that was asked, as the answers tell. One that the agent did not wait for counts as far as it came;
    /// one that the provider broke off counts nothing, since that is no doing of the agent's.
    pub fn usage(&self) -> BTreeMap<String, TokenUsage> {
        let mut usage = self.lock().usage.clone();
        usage.retain(|_, used| *used != TokenUsage::default());
        usage
    }

    /// What was had of package indexes.
    pub fn packages(&self) -> PackageUse {
        self.lock().packages
    }

    /// The files of Python's packages that were had, by package and name, as far as their requests are kept.
    pub fn python_files(&self) -> BTreeSet<(String, String)> {
        let had = self.entries().into_iter().filter(|entry| entry.status == Some(200));
        had.filter_map(|entry| match PackageRequest::of_path(&entry.target)? {
            PackageRequest::File { ecosystem: Ecosystem::Python, name, file } => Some((name, file)),
            _ => None,
        })
        .collect()
    }

    /// Adds to that.
    pub(super) fn count_packages(&self, add: impl FnOnce(&mut PackageUse)) {
        add(&mut self.lock().packages);
    }

    /// The entries as JSON, one per line; at the end how many were dropped, if any.
    pub fn to_json_lines(&self) -> String {
        let entries = self.entries();
        let lines = entries.iter().filter_map(|entry| serde_json::to_string(entry).ok());
        let dropped = Some(self.lock().dropped).filter(|dropped| *dropped > 0);
        let dropped = dropped.map(|dropped| json!({"dropped": dropped}).to_string());
        lines.chain(dropped).map(|line| line + "\n").collect()
    }

    /// Begins the next entry, and gives its number.
    pub(super) fn add(&self, method: &str, target: &str) -> usize {
        let mut kept = self.lock();
        let number = kept.first.len() + kept.dropped + kept.last.len();
        let outcome = RequestOutcome::Unfinished { attempts: 0 };
        let (method, target) = (shortened(method), shortened(target));
        let entry = LogEntry { number, method, target, turn: false, model: None, status: None, outcome, usage: None };
        if kept.first.len() < FIRST {
            kept.first.push(entry);
            return number;
        }
        if kept.last.len() == LAST {
            kept.last.pop_front();
            kept.dropped += 1;
        }
        kept.last.push_back(entry);
        number
    }

    /// Begins the entry of a request of our own.
    pub(crate) fn begin(&self, asked: &Asked) -> usize {
        let number = self.add("POST", &asked.path);
        self.amend(number, |entry| entry.model = Some(shortened(&asked.model)));
        number
    }

    /// How a request ended, as far as is known by now; nothing of one that is no longer kept.
    pub(crate) fn outcome(&self, number: usize) -> Option<RequestOutcome> {
        self.lock().entry(number).map(|entry| entry.outcome.clone())
    }

    /// Says what is known by now of a request.
    pub(crate) fn amend(&self, number: usize, say: impl FnOnce(&mut LogEntry)) {
        let mut kept = self.lock();
        if let Some(entry) = kept.entry(number) {
            say(entry);
        }
    }

    /// Says how a request ended, as far as is known by now.
    pub(crate) fn settle(&self, number: usize, outcome: RequestOutcome) {
        self.amend(number, |entry| entry.outcome = outcome.shortened());
    }

    /// Adds to the tokens of a request that asked `model`.
    pub(crate) fn count(&self, number: usize, model: &str, used: TokenUsage) {
        if used == TokenUsage::default() {
            return;
        }
        let mut kept = self.lock();
        if let Some(entry) = kept.entry(number) {
            *entry.usage.get_or_insert_default() += used;
        }
        if kept.usage.len() < MOST_MODELS || kept.usage.contains_key(model) {
            *kept.usage.entry(model.to_owned()).or_default() += used;
        }
    }

    /// Takes tokens off the sums again: of an answer that the provider broke off. Its entry keeps them.
    pub(super) fn discount(&self, model: &str, used: TokenUsage) {
        if let Some(sum) = self.lock().usage.get_mut(model) {
            *sum = sum.since(used);
        }
    }

    fn lock(&self) -> MutexGuard<'_, KeptEntries> {
        // Entries are whole, whatever happened to another thread.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptEntries {
    fn entry(&mut self, number: usize) -> Option<&mut LogEntry> {
        match number.checked_sub(self.first.len()) {
            None => self.first.get_mut(number),
            Some(later) => self.last.get_mut(later.checked_sub(self.dropped)?),
        }
    }
}

impl RequestOutcome {
    fn shortened(mut self) -> Self {
        match &mut self {
            Self::Broken { reason, .. }
            | Self::Unreached { reason, .. }
            | Self::Missed { reason }
            | Self::Refused { reason } => *reason = shortened(reason),
            _ => {}
        }
        self
    }
}

pub(super) fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST_TEXT);
    if end == text.len() { text.to_owned() } else { format!("{}…", &text[..end]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_the_first_and_the_last_and_counts_the_rest() {
        let log = Log::default();
        let long = "/x".repeat(100_000);
        let count = FIRST + LAST + 10;
        for number in 0..count {
            assert_eq!(log.add("POST", &long), number);
            log.amend(number, |entry| entry.status = Some(404));
        }
        log.settle(FIRST + 5, RequestOutcome::Scripted);
        log.settle(count - 1, RequestOutcome::Refused { reason: long });
        let entries = log.entries();
        assert_eq!(entries.len(), FIRST + LAST);
        assert_eq!([entries[FIRST - 1].number, entries[FIRST].number], [FIRST - 1, FIRST + 10]);
        assert!(entries.iter().all(|entry| entry.status == Some(404)), "each is amended by its own number");
        assert!(!entries.iter().any(|entry| entry.outcome == RequestOutcome::Scripted), "what was dropped stays so");
        let lines = log.to_json_lines();
        assert!(lines.ends_with("{\"dropped\":10}\n"));
        assert!(lines.len() < 4 << 20, "{}", lines.len());
    }

    #[test]
    fn tokens_are_counted_by_model_also_of_requests_that_are_not_kept() {
        let log = Log::default();
        let used = |output| TokenUsage { output, ..TokenUsage::default() };
        for number in 0..FIRST + LAST + 2 {
            log.add("POST", "/v1/messages");
            log.count(number, "m", used(1));
        }
        log.count(0, "n", used(3));
        log.count(0, "n", used(4));
        assert_eq!(log.usage(), BTreeMap::from([("m".into(), used(9218)), ("n".into(), used(7))]));
        assert_eq!(log.entries()[0].usage, Some(used(8)));
    }
}
