//! Recorded exchanges with a provider, answered again by content: JSON, one exchange a line after a line of what it is.
//!
//! By content and not by order, since agents' side requests race their main ones. The n-th request with a key is answered
//! with its n-th recording, and any further one with the last.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::request_key::{Fingerprint, SessionPaths};

/// What `format` says in a cassette of this version.
pub const CASSETTE_FORMAT: &str = "slopbench.cassette/1";

/// The first line of a cassette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// [`CASSETTE_FORMAT`].
    pub format: String,
    /// Who was recorded: an agent's name and version.
    pub agent: String,
    /// The folders that the agent saw: its tool calls name them, so a replay happens in the same ones.
    pub places: SessionPaths,
}

/// A request's identity, and what was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedExchange {
    /// The request's path, without a query.
    pub path: String,
    /// Which request it was.
    pub request: Fingerprint,
    /// The answer's status.
    pub status: u16,
    /// The answer's content type.
    pub content_type: String,
    /// The answer's body.
    pub body: String,
}

/// A cassette: its label, and its exchanges in an order of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cassette {
    /// What it is.
    pub label: Label,
    /// By key; those with one key in the order in which they happened.
    pub exchanges: Vec<RecordedExchange>,
}

/// A cassette that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// It cannot be read or written.
    #[error("cannot use the cassette {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is not as the format has it.
    #[error("{}:{line}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// It was recorded where paths were others.
    #[error("recorded in {recorded}, which the recorded tool calls name: replay it there, not in {here}")]
    Elsewhere {
        /// The recorded workspace.
        recorded: String,
        /// The workspace of the replay.
        here: String,
    },
}

impl Cassette {
    /// A cassette with nothing on it yet.
    pub fn empty(agent: &str, places: SessionPaths) -> Self {
        let label = Label { format: CASSETTE_FORMAT.to_owned(), agent: agent.to_owned(), places };
        Self { label, exchanges: Vec::new() }
    }

    /// Reads a cassette.
    ///
    /// # Errors
    ///
    /// [`CassetteError`] if it cannot be read, or a line is not as the format has it.
    pub fn load(path: &Path) -> Result<Self, CassetteError> {
        let text = fs::read_to_string(path).map_err(|source| CassetteError::File { path: path.into(), source })?;
        let flaw = |line: usize, message: String| CassetteError::Format { path: path.into(), line, message };
        let mut lines = (1..).zip(text.lines());
        let (_, first) = lines.next().ok_or_else(|| flaw(1, "the file is empty".to_owned()))?;
        let label: Label = serde_json::from_str(first).map_err(|error| flaw(1, error.to_string()))?;
        if label.format != CASSETTE_FORMAT {
            let message = format!("this version reads format \"{CASSETTE_FORMAT}\", not \"{}\"", label.format);
            return Err(flaw(1, message));
        }
        let parse = |(number, line)| serde_json::from_str(line).map_err(|error| flaw(number, error.to_string()));
        Ok(Self { label, exchanges: lines.map(parse).collect::<Result<_, _>>()? })
    }

    /// Writes it whole or not at all. The same exchanges are the same bytes, in whatever order they ended.
    ///
    /// # Errors
    ///
    /// [`CassetteError::File`] if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CassetteError> {
        let failed = |source| CassetteError::File { path: path.into(), source };
        let mut exchanges: Vec<_> = self.exchanges.iter().collect();
        exchanges.sort_by(|a, b| a.request.key.cmp(&b.request.key));
        let mut text = serde_json::to_string(&self.label).map_err(io::Error::other).map_err(failed)? + "\n";
        for exchange in exchanges {
            text += &serde_json::to_string(exchange).map_err(io::Error::other).map_err(failed)?;
            text.push('\n');
        }
        slopbench_walk::put(path, text.as_bytes()).map_err(failed)
    }
}

/// A cassette in play.
#[derive(Debug)]
pub struct Replay {
    cassette: Cassette,
    used: Mutex<HashMap<String, usize>>,
}

/// A recorded answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RecordedAnswer<'a> {
    pub(crate) exchange: &'a RecordedExchange,
    /// Whether the request differs from the recorded one in what its tools printed.
    pub(crate) drifted: bool,
}

impl Replay {
    /// Plays `cassette` to an agent that works in `places`.
    ///
    /// # Errors
    ///
    /// [`CassetteError::Elsewhere`] if it was recorded in other places.
    pub fn new(cassette: Cassette, places: &SessionPaths) -> Result<Self, CassetteError> {
        if cassette.label.places.workspace != places.workspace {
            let (recorded, here) = (cassette.label.places.workspace, places.workspace.clone());
            return Err(CassetteError::Elsewhere { recorded, here });
        }
        Ok(Self { cassette, used: Mutex::default() })
    }

    pub(crate) fn places(&self) -> &SessionPaths {
        &self.cassette.label.places
    }

    /// The recorded answer; what is different, where there is none.
    pub(crate) fn find(&self, path: &str, request: &Fingerprint) -> Result<RecordedAnswer<'_>, String> {
        let same = |exchange: &&RecordedExchange| exchange.request.key == request.key;
        let recorded: Vec<_> = self.cassette.exchanges.iter().filter(same).collect();
        let Some(last) = recorded.last() else { return Err(self.nearest(path, request)) };
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.entry(request.key.clone()).or_default();
        let exchange = recorded.get(*count).unwrap_or(last);
        *count += 1;
        Ok(RecordedAnswer { exchange, drifted: exchange.request.strict != request.strict })
    }

    fn nearest(&self, path: &str, request: &Fingerprint) -> String {
        let candidates = self.cassette.exchanges.iter().filter(|exchange| exchange.path == path);
        match candidates.max_by_key(|exchange| exchange.request.likeness(request)) {
            Some(exchange) => {
                let part = request.first_difference(&exchange.request).unwrap_or("the path");
                format!("no recording has this request; the most similar one differs first in {part}")
            }
            None => format!("no recording has a request to {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn places(workspace: &str) -> SessionPaths {
        SessionPaths { workspace: workspace.to_owned(), home: "/agent".to_owned() }
    }

    fn exchange(said: &str, body: &str) -> RecordedExchange {
        let request = Fingerprint::of("/v1/messages", &json!({"messages": [said]}), &places("/workspace"));
        let content_type = "application/json".to_owned();
        RecordedExchange { path: "/v1/messages".into(), request, status: 200, content_type, body: body.to_owned() }
    }

    fn cassette(exchanges: impl IntoIterator<Item = RecordedExchange>) -> Cassette {
        let exchanges = exchanges.into_iter().collect();
        Cassette { exchanges, ..Cassette::empty("codex 0.65.0", places("/workspace")) }
    }

    #[test]
    fn a_key_is_answered_with_its_recordings_in_order_whatever_comes_between() {
        let cassette = cassette([exchange("a", "1"), exchange("b", "2"), exchange("a", "3")]);
        let replay = Replay::new(cassette, &places("/workspace")).unwrap();
        let mut answers = String::new();
        for said in ["b", "a", "b", "a", "a"] {
            let asked = exchange(said, "");
            answers += &replay.find(&asked.path, &asked.request).unwrap().exchange.body;
        }
        assert_eq!(answers, "21233");
    }

    #[test]
    fn what_a_tool_printed_otherwise_is_drift_and_no_miss() {
        let asked = |printed: &str| {
            let body = json!({"messages": [{"role": "tool", "content": printed}]});
            Fingerprint::of("/v1/messages", &body, &places("/workspace"))
        };
        let recorded = RecordedExchange { request: asked("1 file"), ..exchange("", "1") };
        let replay = Replay::new(cassette([recorded]), &places("/workspace")).unwrap();
        let drifted = |printed: &str| replay.find("/v1/messages", &asked(printed)).unwrap().drifted;
        assert_eq!([drifted("1 file"), drifted("2 files")], [false, true]);
    }

    #[test]
    fn a_stranger_is_told_what_is_strange() {
        let replay = Replay::new(cassette([exchange("a", "1")]), &places("/workspace")).unwrap();
        let asked = exchange("c", "");
        let message = "no recording has this request; the most similar one differs first in messages[0]";
        assert_eq!(replay.find(&asked.path, &asked.request).unwrap_err(), message);
        assert_eq!(replay.find("/other", &asked.request).unwrap_err(), "no recording has a request to /other");
    }

    #[test]
    fn a_cassette_survives_its_file_and_does_not_show_who_came_first() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        cassette([exchange("a", "1"), exchange("b", "2")]).save(&one).unwrap();
        cassette([exchange("b", "2"), exchange("a", "1")]).save(&two).unwrap();
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
        Cassette::load(&one).unwrap().save(&two).unwrap();
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
        let error = Replay::new(Cassette::load(&one).unwrap(), &places("/elsewhere")).unwrap_err().to_string();
        assert!(error.starts_with("recorded in /workspace,"), "{error}");
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken");
        cassette([exchange("a", "1")]).save(&path).unwrap();
        fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"path\": 1}\n").unwrap();
        let error = Cassette::load(&path).unwrap_err().to_string();
        assert!(error.contains("broken:3: invalid type: integer `1`"), "{error}");
    }
}
