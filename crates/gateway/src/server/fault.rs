//! Faults on purpose: what providers do on bad days, at the turn of our choice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One way in which a model's turn goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum InjectedFault {
    /// An error in place of the turn.
    Status {
        /// The HTTP status.
        status: u16,
        /// The seconds of a `retry-after` header, if there is one.
        retry_after: Option<u32>,
    },
    /// The answer breaks off after so many events, and the connection with it.
    Cut {
        /// Events sent before.
        after: usize,
    },
    /// Nothing more comes after so many events, and the connection stays open.
    Stall {
        /// Events sent before.
        after: usize,
    },
    /// The answer is no JSON.
    InvalidJson,
    /// The connection is reset before an answer.
    Reset,
}

/// The faults of a session: which turn request (from 0, in the order of arrival) meets which.
pub type Faults = BTreeMap<usize, InjectedFault>;
