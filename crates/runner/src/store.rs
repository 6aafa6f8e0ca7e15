//! What is done of a run: a content-addressed folder in which nothing is ever half done.
//!
//! ```text
//! plan.json                    what is to be done, written first
//! trees/<tree id>/             a workspace as a stage left it, once however often it occurs
//! units/<unit>/<stage>/        what a stage consists of, with its seal.json
//! attempts/<unit>/<stage>/<n>/ stages that say nothing of who worked, since a provider failed
//! ended/<unit>/<stage>/        a stage that has ended and is not settled yet, with its ended.json
//! scratch/<digest>/            what is being done; worthless to whoever comes after a kill, and closed to others
//! leases/, lock                who does what (`lease.rs`)
//! accepted.json                in what the instruments of some stages differ from the planned one, if they do
//! ```
//!
//! A stage is prepared in `scratch` and renamed into its place: it is there whole or not at all. Its seal has the digests of
//! its files and of the plan, and a tree's name is its digest: what somebody changed later is noticed when it is read.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, ListingDifference, Sha256, TreeId, canonical, tree_id};
use tempfile::TempDir;

use crate::{
    Coordinator, EndedStage, Error, Instrument, Lease, Seal, SettledStage, Spent,
    files::{make_private, read_json, remove, rename, unwrite, write},
    lease::Locks,
    seal::{SEAL, SEAL_FORMAT},
};

pub(crate) const UNITS: &str = "units";
pub(crate) const ATTEMPTS: &str = "attempts";
const ENDED: &str = "ended";
const SCRATCH: &str = "scratch";
const TREES: &str = "trees";
const ENDED_FILE: &str = "ended.json";
const ENDED_FORMAT: &str = "slopbench.ended/1";

/// What is done of a run.
#[derive(Debug)]
pub struct RunStore {
    /// The run's folder. Absolute: processes are started with paths below it.
    pub root: PathBuf,
    plan: Sha256,
    pub(crate) planned: Instrument,
}

/// A folder that is gone at the end of this; see [`RunStore::temporary`].
#[derive(Debug)]
pub struct Temporary {
    folder: TempDir,
    _active: File,
}

impl Temporary {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// `ended.json`: what is known of a stage before it is settled.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndedRecord {
    format: String,
    instrument: Instrument,
    spent: Spent,
    /// Which attempt it is if it says nothing of who worked; from 1.
    attempt: usize,
}

impl RunStore {
    pub(crate) fn new(root: PathBuf, plan: Sha256, planned: Instrument) -> Self {
        Self { root, plan, planned }
    }

    /// The plan's digest.
    pub fn plan(&self) -> Sha256 {
        self.plan
    }

    /// Makes this process the run's coordinator.
    ///
    /// # Errors
    ///
    /// [`Error::Coordinated`] if there is one.
    pub fn coordinate(&self) -> Result<Coordinator, Error> {
        Locks(&self.root).coordinate()
    }

    /// Makes this process the one that does `unit`; [`Error::Leased`] if there is one.
    pub(crate) fn lease(&self, unit: &str) -> Result<Lease, Error> {
        Locks(&self.root).lease(unit)
    }

    /// Waits until no other stage of the run that needs this machine for itself goes on.
    pub(crate) fn have_machine(&self) -> Result<File, Error> {
        Locks(&self.root).have_machine()
    }

    /// The folder of a stage that is done, and as it was kept.
    ///
    /// # Errors
    ///
    /// [`Error::Edited`] if it is there in another state.
    pub fn stage(&self, unit: &str, stage: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.seal(unit, stage)?.map(|_| self.place(UNITS, unit, stage)))
    }

    /// The seal of such a stage.
    ///
    /// # Errors
    ///
    /// [`Error::Edited`] if the stage is not as it was kept.
    pub fn seal(&self, unit: &str, stage: &str) -> Result<Option<Seal>, Error> {
        let path = self.place(UNITS, unit, stage);
        if !path.is_dir() {
            return Ok(None);
        }
        let seal: Seal = read_json(&path.join(SEAL))?;
        let mut files = Listing::of_dir(&path, "")?;
        files.0.remove(SEAL);
        if let Some((name, difference)) = seal.files.differences(&files).into_iter().next() {
            let what = match difference {
                ListingDifference::Missing => "the file is missing",
                ListingDifference::Added => "the file was added",
                ListingDifference::Changed => "the file was changed",
            };
            return Err(Error::edited(&path.join(name), what));
        }
        let is_its_own =
            seal.format == SEAL_FORMAT && seal.unit == unit && seal.stage == stage && seal.plan == self.plan;
        match is_its_own {
            true => Ok(Some(seal)),
            false => Err(Error::edited(&path, "it is of another plan or another stage")),
        }
    }

    /// Takes a stage out of its place, so that it is done again.
    pub(crate) fn discard(&self, _: &Lease, unit: &str, stage: &str) -> Result<(), Error> {
        // Beside its place first: a kill must not leave half a stage.
        let path = self.place(UNITS, unit, stage);
        let gone = self.scratch_path(unit).with_extension("discarded");
        remove(&gone)?;
        if path.is_dir() {
            rename(&path, &gone)?;
        }
        remove(&gone)
    }

    /// The sessions of a stage that say nothing of who worked, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Name`] if unit or stage are no names.
    pub fn attempts(&self, unit: &str, stage: &str) -> Result<Vec<PathBuf>, Error> {
        check_name(stage)?;
        Ok((1..).map(|number| self.attempt(unit, stage, number)).take_while(|path| path.is_dir()).collect())
    }

    /// The workspace with this tree id.
    ///
    /// # Errors
    ///
    /// [`Error::Edited`] if its files are not those that were kept.
    pub fn tree(&self, id: TreeId) -> Result<PathBuf, Error> {
        let path = self.root.join(TREES).join(id.to_string());
        match path.is_dir() && tree_id(&path)? == id {
            true => Ok(path),
            false => Err(Error::edited(&path, "its files are not those that were kept")),
        }
    }

    /// Keeps a workspace under its tree id; `prepared` is gone afterwards.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] and [`Error::Write`].
    pub fn keep_tree(&self, prepared: &Path) -> Result<TreeId, Error> {
        let id = tree_id(prepared)?;
        let path = self.root.join(TREES).join(id.to_string());
        match path.is_dir() {
            true => remove(prepared)?,
            // Another unit may have kept the same just now, which is as good.
            false => match rename(prepared, &path) {
                Err(_) if path.is_dir() => remove(prepared)?,
                renamed => renamed?,
            },
        }
        Ok(id)
    }

    /// An empty folder for a unit's work, in place of what an earlier process may have left there.
    pub(crate) fn scratch(&self, _: &Lease, unit: &str) -> Result<PathBuf, Error> {
        let path = self.scratch_path(unit);
        remove(&path)?;
        make_private(&self.root.join(SCRATCH))?;
        make_private(&path)?;
        Ok(path)
    }

    /// An empty folder for a moment's work before a stage. Garbage is not collected meanwhile, and takes it where a kill left it.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if it cannot be made.
    pub fn temporary(&self) -> Result<Temporary, Error> {
        let active = Locks(&self.root).be_active()?;
        let scratch = self.root.join(SCRATCH);
        make_private(&scratch)?;
        let folder = tempfile::tempdir_in(&scratch).map_err(|source| Error::Write { path: scratch, source })?;
        Ok(Temporary { folder, _active: active })
    }

    /// Removes what was only for the work.
    pub(crate) fn discard_scratch(&self, _: &Lease, unit: &str) -> Result<(), Error> {
        remove(&self.scratch_path(unit))
    }

    /// Keeps what a stage left as it is.
    pub(crate) fn keep_ended(
        &self,
        ended: &EndedStage,
        unit: &str,
        stage: &str,
        instrument: &Instrument,
    ) -> Result<(), Error> {
        let place = self.place(ENDED, unit, stage);
        let (format, instrument) = (ENDED_FORMAT.to_owned(), instrument.clone());
        let attempt = self.attempts(unit, stage)?.len() + 1;
        let record = EndedRecord { format, instrument, spent: ended.spent, attempt };
        write(&ended.folder.join(ENDED_FILE), &canonical::to_vec(&record)?)?;
        self.discard_ended(unit, stage)?;
        rename(&ended.folder, &place)
    }

    /// What a stage left that is not kept yet.
    pub(crate) fn ended(&self, unit: &str, stage: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.ended_record(unit, stage)?.map(|_| self.place(ENDED, unit, stage)))
    }

    fn ended_record(&self, unit: &str, stage: &str) -> Result<Option<EndedRecord>, Error> {
        let path = self.place(ENDED, unit, stage).join(ENDED_FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let record: EndedRecord = read_json(&path)?;
        let is_kept = self.place(UNITS, unit, stage).is_dir() || self.attempt(unit, stage, record.attempt).is_dir();
        Ok((!is_kept).then_some(record))
    }

    /// Puts a settled stage into its place, or among the attempts; what it left besides is gone.
    pub(crate) fn keep(&self, settled: &SettledStage, unit: &str, stage: &str) -> Result<(), Error> {
        let ended = self.place(ENDED, unit, stage);
        let EndedRecord { instrument, spent, attempt, .. } = read_json(&ended.join(ENDED_FILE))?;
        // That of a process that was killed before it could rename the folder is none of the stage's files.
        unwrite(&settled.files.join(SEAL))?;
        let seal = Seal {
            format: SEAL_FORMAT.to_owned(),
            unit: unit.to_owned(),
            stage: stage.to_owned(),
            plan: self.plan,
            instrument,
            trees: settled.trees.clone(),
            spent,
            files: Listing::of_dir(&settled.files, "")?,
        };
        write(&settled.files.join(SEAL), &canonical::to_vec(&seal)?)?;
        let place = match &settled.unanswered {
            None => self.place(UNITS, unit, stage),
            Some(_) => self.attempt(unit, stage, attempt),
        };
        rename(&settled.files, &place)?;
        self.discard_ended(unit, stage)
    }

    /// Removes what a stage left that is settled.
    pub(crate) fn discard_ended(&self, unit: &str, stage: &str) -> Result<(), Error> {
        let path = self.place(ENDED, unit, stage);
        if !path.exists() {
            return Ok(());
        }
        // Beside its place first: what is in `ended` is whole.
        let gone = self.scratch_path(unit).with_extension("settled");
        remove(&gone)?;
        make_private(&self.root.join(SCRATCH))?;
        rename(&path, &gone)?;
        remove(&gone)?;
        // What is not empty holds another stage that is still to be settled. The folder of all units is others', too.
        let ended = self.root.join(ENDED);
        let above = path.ancestors().skip(1).take_while(|above| *above != ended);
        let _ = above.map(fs::remove_dir).take_while(Result::is_ok).count();
        Ok(())
    }

    /// What all stages cost that have ended, those among them that say nothing or are not settled.
    pub(crate) fn spent(&self) -> Result<Spent, Error> {
        let mut total = Spent::default();
        for seal in self.seals()? {
            total += seal.spent;
        }
        for (unit, stage) in self.all_ended() {
            match self.ended_record(&unit, &stage) {
                Ok(record) => record.into_iter().for_each(|record| total += record.spent),
                // Whoever does the unit settled it meanwhile.
                Err(_) if !self.place(ENDED, &unit, &stage).exists() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(total)
    }

    /// The stages that have something in `ended`, by unit and name.
    fn all_ended(&self) -> Vec<(String, String)> {
        let root = self.root.join(ENDED);
        let name = |path: &Path| {
            let name = path.parent()?.strip_prefix(&root).ok()?.to_str()?;
            name.split_once('/').map(|(unit, stage)| (unit.to_owned(), stage.to_owned()))
        };
        find(&root, ENDED_FILE).iter().filter_map(|path| name(path)).collect()
    }

    /// Removes all that no stage names; nothing while somebody is at work.
    pub(crate) fn collect_garbage(&self) -> Result<(), Error> {
        let Some(_quiet) = Locks(&self.root).quiet()? else { return Ok(()) };
        for (unit, stage) in self.all_ended() {
            if self.ended(&unit, &stage)?.is_none() {
                self.discard_ended(&unit, &stage)?;
            }
        }
        prune(&self.root.join(ENDED));
        let named: BTreeSet<_> =
            self.seals()?.into_iter().flat_map(|seal| seal.trees).map(|id| id.to_string()).collect();
        let trees = fs::read_dir(self.root.join(TREES)).into_iter().flatten().flatten();
        let mut others = trees.filter(|tree| !named.contains(&*tree.file_name().to_string_lossy()));
        others.try_for_each(|tree| remove(&tree.path()))?;
        remove(&self.root.join(SCRATCH))
    }

    fn seals(&self) -> Result<Vec<Seal>, Error> {
        let paths = [UNITS, ATTEMPTS].into_iter().flat_map(|place| find(&self.root.join(place), SEAL));
        paths.map(|path| read_json(&path)).collect()
    }

    /// An agent finds the path of what it is shown in its table of mounts: that names neither unit nor stage.
    fn scratch_path(&self, unit: &str) -> PathBuf {
        let name = Sha256::of(format!("{} {unit}", self.plan).as_bytes()).short();
        self.root.join(SCRATCH).join(name)
    }

    fn attempt(&self, unit: &str, stage: &str, number: usize) -> PathBuf {
        self.place(ATTEMPTS, unit, stage).join(number.to_string())
    }

    fn place(&self, kind: &str, unit: &str, stage: &str) -> PathBuf {
        self.root.join(kind).join(unit).join(stage)
    }
}

/// Removes a folder of `ended` and those in it, as far as no stage is in them.
fn prune(folder: &Path) {
    if folder.join(ENDED_FILE).is_file() {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.for_each(|entry| prune(&entry.path()));
    // Fails where something is in it.
    let _ = fs::remove_dir(folder);
}

/// Every file called `name` below `folder`, at most as deep as stages lie. A stage's own folders are not looked into.
pub(crate) fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let file = folder.join(name);
        if file.is_file() {
            found.push(file);
            continue;
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(inner.map(|entry| entry.path()));
    }
    found
}

/// Refuses a name of a stage that is no path of plain names: it has to stay below the folder that it is joined to.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@+".contains(c);
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain);
    match name.split('/').all(is_name) {
        true => Ok(()),
        false => Err(Error::Name(name.to_owned())),
    }
}
