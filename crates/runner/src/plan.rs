//! What is to be done, written down before the first stage.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use slopbench_digest::{Sha256, canonical};

use crate::{
    Error, Instrument, RunStore,
    files::{PART, write},
};

/// What `format` says in a plan of this version.
pub const PLAN_FORMAT: &str = "slopbench.plan/3";

const PLAN: &str = "plan.json";

/// `plan.json`: a study's design, and what it is carried out with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<D> {
    /// [`PLAN_FORMAT`].
    pub format: String,
    /// The study, by name.
    pub study: String,
    /// What results are made with, from the first to the last.
    pub instrument: Instrument,
    /// Where parts of the instrument come from, where that is no part of what they are.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub origins: BTreeMap<String, String>,
    /// What the study does, in its own format.
    pub design: D,
}

impl<D: Clone + Serialize> Plan<D> {
    /// The plan of `study` for `design`; with which instrument is still to be said.
    pub fn new(study: &str, design: D) -> Self {
        let (format, study) = (PLAN_FORMAT.to_owned(), study.to_owned());
        Self { format, study, instrument: Instrument::default(), origins: BTreeMap::new(), design }
    }

    /// What is asked for, as one digest: the same wherever and with whatever it is carried out.
    ///
    /// # Errors
    ///
    /// [`Error::Json`] if the design is no JSON: a bug.
    pub fn digest(&self) -> Result<Sha256, Error> {
        let asked = Self { instrument: Instrument::default(), origins: BTreeMap::new(), ..self.clone() };
        Ok(Sha256::of(&canonical::to_vec(&asked)?))
    }
}

/// A run on the disk: its plan, and what is done of it.
#[derive(Debug)]
pub struct RunFolder<D> {
    /// What is to be done.
    pub plan: Plan<D>,
    /// What is done.
    pub store: RunStore,
}

impl<D: Clone + PartialEq + Serialize + DeserializeOwned> RunFolder<D> {
    /// Writes `plan` into the folder `root`, which is new or holds this very plan.
    ///
    /// # Errors
    ///
    /// [`Error::Occupied`] if something else is there, and the errors of [`Self::open`] and of writing.
    pub fn create(root: &Path, plan: Plan<D>) -> Result<Self, Error> {
        let path = root.join(PLAN);
        if path.exists() {
            let there = Self::open(root, &plan.study)?;
            // With which instrument is looked at when the work begins.
            let (instrument, origins) = (there.plan.instrument.clone(), there.plan.origins.clone());
            let plan = Plan { instrument, origins, ..plan };
            return match there.plan == plan {
                true => Ok(there),
                false => Err(occupied(root, "holds another plan")),
            };
        }
        // A plan that was not written to its end is no one's.
        let is_ours = |entry: &fs::DirEntry| entry.file_name() == Path::new(PLAN).with_extension(PART).as_os_str();
        if fs::read_dir(root).is_ok_and(|entries| entries.flatten().any(|entry| !is_ours(&entry))) {
            return Err(occupied(root, "is not empty and holds no plan.json"));
        }
        write(&path, &canonical::to_vec(&plan)?)?;
        Self::open(root, &plan.study)
    }

    /// The run of `study` in the folder `root`.
    ///
    /// # Errors
    ///
    /// [`Error::NoRun`] if there is none, [`Error::Format`] if it is another study's or version's, [`Error::Edited`] if its
    /// plan is none.
    pub fn open(root: &Path, study: &str) -> Result<Self, Error> {
        let bytes = read_plan(root)?;
        check(root, &bytes, study)?;
        let path = root.join(PLAN);
        let plan: Plan<D> = serde_json::from_slice(&bytes).map_err(|error| Error::edited(&path, error.to_string()))?;
        let root = root.canonicalize().map_err(|source| Error::Write { path: root.to_path_buf(), source })?;
        let store = RunStore::new(root, Sha256::of(&bytes), plan.instrument.clone());
        Ok(Self { plan, store })
    }
}

/// What every plan says, whatever its design.
#[derive(Deserialize)]
struct PlanHeader {
    format: String,
    #[serde(default)]
    study: String,
}

fn read_plan(root: &Path) -> Result<Vec<u8>, Error> {
    fs::read(root.join(PLAN)).map_err(|source| Error::NoRun { root: root.to_path_buf(), source })
}

fn header(root: &Path, plan: &[u8]) -> Result<PlanHeader, Error> {
    serde_json::from_slice(plan).map_err(|error| Error::edited(&root.join(PLAN), error.to_string()))
}

fn check(root: &Path, plan: &[u8], study: &str) -> Result<(), Error> {
    let header = header(root, plan)?;
    let rows = [("format", PLAN_FORMAT, header.format), ("study", study, header.study)];
    for (what, expected, found) in rows {
        if found != expected {
            return Err(Error::Format { path: root.join(PLAN), what, expected: expected.to_owned(), found });
        }
    }
    Ok(())
}

fn occupied(root: &Path, what: &'static str) -> Error {
    Error::Occupied { root: PathBuf::from(root), what }
}
