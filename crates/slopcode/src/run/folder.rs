//! A run's folder, in which nothing is ever half done.
//!
//! ```text
//! plan.json                                   what is to be done, written first
//! trees/<tree id>/                            a workspace as a checkpoint left it, once however often it occurs
//! trajectories/<id>/checkpoint_<n>/session/   the agent's part: session.json, prompt.md, trajectory.json (ATIF), events,
//!                                             stderr, gateway.jsonl, cassette.jsonl
//! trajectories/<id>/checkpoint_<n>/grade/     ours: verdicts.json, quality.json, usage.json (times)
//! trajectories/<id>/checkpoint_<n>/attempts/  sessions that say nothing of the agent, since a provider failed
//! ended/<id>/checkpoint_<n>/                  a session that has ended and is not settled yet: `session` and `workspace`
//! scratch/<a digest of the id>/               what is being done; worthless to whoever comes after a kill, and closed
//! accepted.json                               in what the instruments of some steps differ from the planned one, if they do
//! summary.json                                all of it, a pure function of what is above
//! ```
//!
//! A step is prepared in `scratch` and renamed into its place: it is there whole or not at all, so that whoever resumes
//! begins with the first step that is not there. Each has a `seal.json` with the digests of its files and of the plan, and
//! a tree's name is its digest: what somebody changed later is noticed when it is read. A session that has ended is moved to
//! `ended` as it is before anything is made of it: what is paid is not lost, whatever the worker left.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use slopbench_digest::{Listing, ListingDifference, Sha256, TreeId, canonical, tree_id};

use super::{
    instrument::{Instrument, InstrumentDifference},
    plan::{PLAN_FORMAT, Plan},
    record::Record,
};
use crate::Error;

const PLAN: &str = "plan.json";
const SEAL: &str = "seal.json";
const ENDED: &str = "ended";
const ACCEPTED: &str = "accepted.json";
const ACCEPTED_FORMAT: &str = "slopbench.accepted/1";
const SCRATCH: &str = "scratch";
/// What a file's name ends with while it is written.
const PART: &str = "part";
const SEAL_FORMAT: &str = "slopbench.seal/2";

/// A run on the disk.
#[derive(Debug)]
pub struct RunFolder {
    /// Absolute: processes are started with paths below it.
    pub root: PathBuf,
    /// What is to be done.
    pub plan: Plan,
    digest: Sha256,
}

/// Whose part of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The agent's.
    Session,
    /// Ours.
    Grade,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    format: String,
    /// The step's place in the run's folder.
    step: String,
    plan: Sha256,
    /// What the step was done with.
    instrument: Instrument,
    files: Listing,
}

/// `accepted.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    format: String,
    differences: BTreeSet<InstrumentDifference>,
}

impl RunFolder {
    /// Writes `plan` into the folder `root`, which is new or holds this very plan.
    pub fn create(root: &Path, plan: Plan) -> Result<Self, Error> {
        let bytes = canonical::to_vec(&plan)?;
        let path = root.join(PLAN);
        if path.exists() {
            let there = Self::open(root)?;
            // With which instrument is looked at when the work begins.
            let plan = Plan { instrument: there.plan.instrument.clone(), ..plan };
            return match there.plan == plan {
                true => Ok(there),
                false => Err(Error::Plan(format!("{} holds another plan; name another folder", root.display()))),
            };
        }
        // A plan that was not written to its end is no one's.
        let is_ours = |entry: &fs::DirEntry| entry.file_name() == Path::new(PLAN).with_extension(PART).as_os_str();
        if fs::read_dir(root).is_ok_and(|entries| entries.flatten().any(|entry| !is_ours(&entry))) {
            let message = format!("{} is not empty and holds no plan.json; name another folder", root.display());
            return Err(Error::Plan(message));
        }
        write(&path, &bytes)?;
        Self::open(root)
    }

    /// The run in the folder `root`.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let path = root.join(PLAN);
        let bytes = fs::read(&path).map_err(|error| {
            Error::Plan(format!("{} is no run's folder: {PLAN} cannot be read: {error}", root.display()))
        })?;
        let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| edited(&path, &error.to_string()))?;
        if plan.format != PLAN_FORMAT {
            let message = format!("{}: this version reads format \"{PLAN_FORMAT}\"", path.display());
            return Err(Error::Plan(message));
        }
        let root = root.canonicalize().map_err(|source| Error::Write { path: root.to_path_buf(), source })?;
        Ok(Self { root, plan, digest: Sha256::of(&bytes) })
    }

    /// Makes this process the only one that works on the run. The lock ends with the process, however that ends.
    pub fn lock(&self) -> Result<File, Error> {
        let path = self.root.join("lock");
        let failed = |source| Error::Write { path: path.clone(), source };
        let file = File::create(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(Error::Plan(format!("another process works on {}; wait for its end", self.root.display())))
            }
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Takes up work with `instrument`. Where it is not the planned one, each difference has to be accepted, once, and is
    /// then part of the run's results.
    pub(crate) fn admit(&self, instrument: &Instrument, accept: bool) -> Result<(), Error> {
        let mut accepted = self.accepted()?;
        let mut differences = self.plan.instrument.differences(instrument);
        differences.retain(|difference| !accepted.contains(difference));
        match (differences.is_empty(), accept) {
            (true, _) => Ok(()),
            (false, false) => Err(Error::Instrument { root: self.root.clone(), differences }),
            (false, true) => {
                accepted.extend(differences);
                let accepted = Accepted { format: ACCEPTED_FORMAT.to_owned(), differences: accepted };
                write(&self.root.join(ACCEPTED), &canonical::to_vec(&accepted)?)
            }
        }
    }

    /// In what the instruments of some steps differ from the planned one.
    pub(crate) fn accepted(&self) -> Result<BTreeSet<InstrumentDifference>, Error> {
        let path = self.root.join(ACCEPTED);
        if !path.exists() {
            return Ok(BTreeSet::new());
        }
        let accepted: Accepted = read_json(&path)?;
        match accepted.format == ACCEPTED_FORMAT {
            true => Ok(accepted.differences),
            false => Err(edited(&path, &format!("its format is not \"{ACCEPTED_FORMAT}\""))),
        }
    }

    /// The plan's digest.
    pub(crate) fn digest(&self) -> Sha256 {
        self.digest
    }

    /// An empty folder for a trajectory's work, in place of what an earlier process may have left there.
    pub(crate) fn scratch(&self, trajectory: &str) -> Result<PathBuf, Error> {
        let path = self.scratch_path(trajectory);
        remove(&path)?;
        make_private(&self.root.join(SCRATCH))?;
        make_private(&path)?;
        Ok(path)
    }

    /// Removes what was only for the work.
    pub(crate) fn tidy(&self) -> Result<(), Error> {
        let ended = self.root.join(ENDED);
        for trajectory in fs::read_dir(&ended).into_iter().flatten().flatten() {
            // What is not empty holds a session that is still to be settled.
            let _ = fs::remove_dir(trajectory.path());
        }
        let _ = fs::remove_dir(ended);
        remove(&self.root.join(SCRATCH))
    }

    /// An agent finds the path of what it is shown in its table of mounts: that names neither problem nor worker.
    fn scratch_path(&self, trajectory: &str) -> PathBuf {
        let name = Sha256::of(format!("{} {trajectory}", self.digest).as_bytes()).short();
        self.root.join(SCRATCH).join(name)
    }

    /// Keeps a session that has ended, and its workspace, as they are.
    pub(crate) fn keep_ended(&self, prepared: &Path, trajectory: &str, checkpoint: u32) -> Result<(), Error> {
        make_private(&self.root.join(ENDED))?;
        rename(prepared, &self.ended_dir(trajectory, checkpoint))
    }

    /// Where a session is kept that has ended and is not settled; `None` if there is none.
    pub(crate) fn ended(&self, trajectory: &str, checkpoint: u32) -> Option<PathBuf> {
        Some(self.ended_dir(trajectory, checkpoint)).filter(|path| path.join("session").is_dir())
    }

    /// Removes what is left of a session that is settled: its workspace as it was.
    pub(crate) fn discard_ended(&self, trajectory: &str, checkpoint: u32) -> Result<(), Error> {
        remove(&self.ended_dir(trajectory, checkpoint))
    }

    fn ended_dir(&self, trajectory: &str, checkpoint: u32) -> PathBuf {
        self.root.join(format!("{ENDED}/{trajectory}/checkpoint_{checkpoint}"))
    }

    /// The files of a step that is done; `None` where it is not.
    pub(crate) fn step(&self, trajectory: &str, checkpoint: u32, part: Part) -> Result<Option<PathBuf>, Error> {
        let place = place(trajectory, checkpoint, part);
        let path = self.root.join(&place);
        if !path.is_dir() {
            return Ok(None);
        }
        let found: Seal = read_json(&path.join(SEAL))?;
        let mut files = Listing::of_dir(&path, "")?;
        files.0.remove(SEAL);
        if let Some((file, difference)) = found.files.differences(&files).into_iter().next() {
            let what = match difference {
                ListingDifference::Missing => "it was removed",
                ListingDifference::Added => "it was added",
                ListingDifference::Changed => "it was changed",
            };
            return Err(edited(&path.join(file), what));
        }
        let instrument = found.instrument.clone();
        let expected = Seal { format: SEAL_FORMAT.to_owned(), step: place, plan: self.digest, instrument, files };
        match found == expected {
            true => Ok(Some(path)),
            false => Err(edited(&path, "it is of another plan or another checkpoint")),
        }
    }

    /// How a session ended, if it did.
    pub fn record(&self, trajectory: &str, checkpoint: u32) -> Result<Option<Record>, Error> {
        let step = self.step(trajectory, checkpoint, Part::Session)?;
        step.map(|path| read_json(&path.join("session.json"))).transpose()
    }

    /// Puts what `prepared` holds in the place of a step that was done with `instrument`.
    pub(crate) fn keep(
        &self,
        prepared: &Path,
        (trajectory, checkpoint, part): (&str, u32, Part),
        instrument: &Instrument,
    ) -> Result<(), Error> {
        let place = place(trajectory, checkpoint, part);
        let (files, instrument) = (Listing::of_dir(prepared, "")?, instrument.clone());
        let seal = Seal { format: SEAL_FORMAT.to_owned(), step: place.clone(), plan: self.digest, instrument, files };
        write(&prepared.join(SEAL), &canonical::to_vec(&seal)?)?;
        rename(prepared, &self.root.join(place))
    }

    /// Takes a step out of its place, so that it is done again.
    pub(crate) fn discard(&self, trajectory: &str, checkpoint: u32, part: Part) -> Result<(), Error> {
        // Beside its place first: a kill must not leave half a step.
        let path = self.root.join(place(trajectory, checkpoint, part));
        let gone = self.scratch_path(trajectory).with_extension("discarded");
        remove(&gone)?;
        if path.is_dir() {
            rename(&path, &gone)?;
        }
        remove(&gone)
    }

    /// Keeps a session that says nothing of the agent, beside those of the same checkpoint.
    pub(crate) fn keep_attempt(&self, prepared: &Path, trajectory: &str, checkpoint: u32) -> Result<(), Error> {
        let attempts = self.attempts(trajectory, checkpoint)?.len();
        rename(prepared, &self.attempts_dir(trajectory, checkpoint).join((attempts + 1).to_string()))
    }

    /// The sessions of a checkpoint that say nothing of the agent, in order.
    pub(crate) fn attempts(&self, trajectory: &str, checkpoint: u32) -> Result<Vec<PathBuf>, Error> {
        let dir = self.attempts_dir(trajectory, checkpoint);
        let there = (1_u32..).map(|number| dir.join(number.to_string())).take_while(|path| path.is_dir());
        Ok(there.collect())
    }

    /// Keeps a workspace under its tree id; `prepared` is gone afterwards.
    pub(crate) fn keep_tree(&self, prepared: &Path) -> Result<TreeId, Error> {
        let id = tree_id(prepared)?;
        let path = self.root.join("trees").join(id.to_string());
        match path.is_dir() {
            true => remove(prepared)?,
            // Another trajectory may have kept the same just now, which is as good.
            false => match rename(prepared, &path) {
                Err(_) if path.is_dir() => remove(prepared)?,
                renamed => renamed?,
            },
        }
        Ok(id)
    }

    /// The workspace with this tree id.
    pub fn tree(&self, id: TreeId) -> Result<PathBuf, Error> {
        let path = self.root.join("trees").join(id.to_string());
        match path.is_dir() && tree_id(&path)? == id {
            true => Ok(path),
            false => Err(edited(&path, "its files are not those that were kept")),
        }
    }

    /// Removes every workspace but these.
    pub(crate) fn keep_trees(&self, ids: &BTreeSet<String>) -> Result<(), Error> {
        let entries = fs::read_dir(self.root.join("trees")).into_iter().flatten().flatten();
        let mut others = entries.filter(|entry| !ids.contains(&*entry.file_name().to_string_lossy()));
        others.try_for_each(|entry| remove(&entry.path()))
    }

    fn attempts_dir(&self, trajectory: &str, checkpoint: u32) -> PathBuf {
        self.root.join(format!("trajectories/{trajectory}/checkpoint_{checkpoint}/attempts"))
    }
}

fn place(trajectory: &str, checkpoint: u32, part: Part) -> String {
    let part = match part {
        Part::Session => "session",
        Part::Grade => "grade",
    };
    format!("trajectories/{trajectory}/checkpoint_{checkpoint}/{part}")
}

/// Reads one of our own files; one that cannot be read was changed by somebody.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let bytes = fs::read(path).map_err(|error| edited(path, &error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| edited(path, &error.to_string()))
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir).map_err(failed)?;
    let part = path.with_extension(PART);
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(failed)
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::rename(from, to)).map_err(|source| Error::Write { path: to.to_path_buf(), source })
}

/// Removes a folder that an agent wrote to, of any shape, or a file; nothing where there is neither.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    slopbench_walk::remove(path).map_err(|source| Error::Write { path: path.to_path_buf(), source })
}

/// Makes a folder into which nobody else finds the way: a program that an agent leaves there could be marked to run as us.
fn make_private(path: &Path) -> Result<(), Error> {
    let made = fs::create_dir_all(path).and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o700)));
    made.map_err(|source| Error::Write { path: path.to_path_buf(), source })
}

fn edited(path: &Path, what: &str) -> Error {
    Error::Edited { path: path.to_path_buf(), what: what.to_owned() }
}
