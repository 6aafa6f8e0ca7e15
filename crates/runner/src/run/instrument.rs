//! What makes a result, beside the problem and the worker: another instrument may well find something else in the same code.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use slopbench_gateway::catalogue::Identity;
use slopbench_sandbox::{End, Limits, Task};
use slopbench_tests::Engine;

use crate::{Error, results::Tool};

/// Everything that sessions are held and results are made with. A plan names it, and so does the seal of every step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrument {
    /// The program and its version.
    pub tool: String,
    /// The digest of the rules behind verbosity.
    pub rules: String,
    /// Where solutions run: the name of a back end.
    pub back_end: String,
    /// What solutions find there in place of the machine's own system; absent where that is the machine's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// The interpreter of solutions, as it names itself.
    pub interpreter: String,
    /// The image that a worker's sessions are in, by what the worker is called in tables; none where that is the machine.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session_images: BTreeMap<String, String>,
    /// The catalogue's entries that sessions are held with, as in `agent codex`, `lock codex@0.65.0`, `model gpt-5.4`,
    /// `provider openai` and `price gpt-5.4`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub catalogue: BTreeMap<String, Identity>,
}

/// One thing in which an instrument differs from the planned one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstrumentDifference {
    /// What differs, as in `interpreter`.
    pub part: String,
    /// As planned; absent where nothing was.
    pub planned: Option<String>,
    /// As it is now; absent where there is nothing.
    pub found: Option<String>,
}

impl Instrument {
    /// This version with these parts, and the interpreter that `engine` shows solutions.
    ///
    /// # Errors
    ///
    /// [`Error::Sandbox`] if there is no sandbox to be had, [`Error::Plan`] if there is no interpreter in it.
    pub fn of(engine: &Engine<'_>, rules: &str, back_end: &str, image: Option<String>) -> Result<Self, Error> {
        Ok(Self {
            tool: Tool::THIS.to_string(),
            rules: rules.to_owned(),
            back_end: back_end.to_owned(),
            image,
            interpreter: interpreter(engine)?,
            session_images: BTreeMap::new(),
            catalogue: BTreeMap::new(),
        })
    }

    /// In what `now` differs from this, part by part.
    pub fn differences(&self, now: &Self) -> Vec<InstrumentDifference> {
        let (planned, found) = (self.parts(), now.parts());
        let names: BTreeSet<_> = planned.keys().chain(found.keys()).collect();
        let of = |name: &String| InstrumentDifference {
            part: name.clone(),
            planned: planned.get(name).cloned(),
            found: found.get(name).cloned(),
        };
        names.into_iter().map(of).filter(|difference| difference.planned != difference.found).collect()
    }

    fn parts(&self) -> BTreeMap<String, String> {
        let Self { tool, rules, back_end, image, interpreter, session_images, catalogue } = self;
        let named = [("tool", tool), ("rules", rules), ("back end", back_end), ("interpreter", interpreter)];
        let named = named.into_iter().chain(image.iter().map(|image| ("image", image)));
        let sessions = session_images.iter().map(|(worker, image)| (format!("image of {worker}"), image.clone()));
        // The same entry in another file is the same.
        let entries = catalogue.iter().map(|(name, entry)| (name.clone(), entry.digest.to_string()));
        named.map(|(name, value)| (name.to_owned(), value.clone())).chain(sessions).chain(entries).collect()
    }
}

impl std::fmt::Display for InstrumentDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [planned, found] = [&self.planned, &self.found].map(|side| side.as_deref().unwrap_or("none"));
        write!(f, "{} (planned {planned}, now {found})", self.part)
    }
}

/// More than a question takes, on a busy machine too.
const PLENTY: Limits = Limits {
    wall: Duration::from_secs(60),
    cpu: Duration::from_secs(60),
    memory: 512 << 20,
    processes: 16,
    file_size: 1 << 20,
    disk: 1 << 20,
    output: 1 << 20,
};

/// Asks in a sandbox, since that is where it counts.
fn interpreter(engine: &Engine<'_>) -> Result<String, Error> {
    const QUESTION: &str = "import platform; print(platform.python_implementation(), platform.python_version())";
    let nothing = tempfile::tempdir().map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
    let seen = (engine.open)(nothing.path())?.run(&Task::new(["python3", "-I", "-c", QUESTION], PLENTY))?;
    match (seen.end, String::from_utf8(seen.stdout)) {
        (End::Exited(0), Ok(text)) => Ok(text.trim().to_owned()),
        _ => Err(Error::Plan(format!(
            "python3 does not say its version where solutions run: {}",
            String::from_utf8_lossy(&seen.stderr).trim()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_differs_is_named() {
        let planned = Instrument {
            tool: "slopbench 1".to_owned(),
            back_end: "namespaces".to_owned(),
            interpreter: "CPython 3.12.3".to_owned(),
            session_images: [("command".to_owned(), "a".to_owned())].into(),
            ..Instrument::default()
        };
        assert_eq!(planned.differences(&planned), []);
        let now = Instrument {
            back_end: "docker".to_owned(),
            image: Some("slopbench/python".to_owned()),
            rules: "sha256:1".to_owned(),
            tool: "slopbench 2".to_owned(),
            interpreter: "CPython 3.13.5".to_owned(),
            session_images: BTreeMap::new(),
            catalogue: BTreeMap::new(),
        };
        let named: Vec<_> = planned.differences(&now).iter().map(ToString::to_string).collect();
        let expected = [
            "back end (planned namespaces, now docker)",
            "image (planned none, now slopbench/python)",
            "image of command (planned a, now none)",
            "interpreter (planned CPython 3.12.3, now CPython 3.13.5)",
            "rules (planned , now sha256:1)",
            "tool (planned slopbench 1, now slopbench 2)",
        ];
        assert_eq!(named, expected);
    }
}
