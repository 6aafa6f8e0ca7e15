//! When a session of an agent is to begin anew, before what it was told at its beginning is lost to it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// When a session is to begin anew. Where nothing is set, it never is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestartPolicy {
    /// After so many turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_turns: Option<u32>,
    /// Once the context has so many tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_context_tokens: Option<u64>,
    /// How many tokens the context may have at all: where the forecast needs more than are left, the session begins anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<u64>,
}

/// What a session holds already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SessionLoad {
    /// Turns since it began.
    pub turns: u32,
    /// Tokens in its context, as far as is known.
    pub context_tokens: Option<u64>,
}

/// Why a session is to begin anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum RestartReason {
    /// It has had its turns.
    Turns {
        /// How many it had.
        turns: u32,
    },
    /// Its context is full enough.
    ContextTokens {
        /// How many tokens it has.
        tokens: u64,
    },
    /// What is left of its context is too little for the request.
    Forecast {
        /// How many tokens are left.
        left: u64,
        /// How many the request may need.
        needed: u64,
    },
}

impl fmt::Display for RestartReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns { turns } => write!(f, "the session has had {turns} turns"),
            Self::ContextTokens { tokens } => write!(f, "the context has {tokens} tokens"),
            Self::Forecast { left, needed } => {
                write!(f, "{left} tokens of context are left, and the request may need {needed}")
            }
        }
    }
}

impl RestartPolicy {
    /// Why a session with this load is to begin anew before a request that may need `needed` tokens, if it is. One that has
    /// had no turn never is.
    pub fn due(&self, load: SessionLoad, needed: Option<u64>) -> Option<RestartReason> {
        if load.turns == 0 {
            return None;
        }
        let reached =
            |limit: Option<u64>| load.context_tokens.filter(|tokens| limit.is_some_and(|limit| *tokens >= limit));
        let by_turns = self.after_turns.is_some_and(|turns| load.turns >= turns);
        let by_turns = by_turns.then_some(RestartReason::Turns { turns: load.turns });
        let by_tokens = || reached(self.at_context_tokens).map(|tokens| RestartReason::ContextTokens { tokens });
        let by_forecast = || {
            let left = self.window_tokens?.saturating_sub(load.context_tokens?);
            let needed = needed.filter(|needed| *needed > left)?;
            Some(RestartReason::Forecast { left, needed })
        };
        by_turns.or_else(by_tokens).or_else(by_forecast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_that_is_reached_says_why() {
        let policy = RestartPolicy { after_turns: Some(3), at_context_tokens: Some(100), window_tokens: Some(120) };
        let due = |turns, context_tokens, needed| policy.due(SessionLoad { turns, context_tokens }, needed);
        assert_eq!(due(0, Some(1000), Some(1000)), None, "a fresh session");
        assert_eq!(due(2, Some(99), Some(21)), None);
        assert_eq!(due(2, Some(99), Some(22)), Some(RestartReason::Forecast { left: 21, needed: 22 }));
        assert_eq!(due(2, Some(100), None), Some(RestartReason::ContextTokens { tokens: 100 }));
        assert_eq!(due(3, None, None), Some(RestartReason::Turns { turns: 3 }));
        assert_eq!(due(2, None, Some(1000)), None, "nobody knows how full the context is");
        assert_eq!(RestartPolicy::default().due(SessionLoad { turns: 99, context_tokens: Some(1 << 40) }, None), None);
    }
}
