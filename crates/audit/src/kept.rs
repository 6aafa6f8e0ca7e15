//! What earlier audits found, by everything that it depends on.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};
use slopbench_digest::{Sha256, canonical};

use crate::Error;

/// The findings on one problem. An entry's name ends in the digest of what it depends on, so that nothing in here is
/// ever
/// wrong, only in the way: the folder may be removed at any time.
pub(crate) struct Kept {
    folder: Option<PathBuf>,
    /// The digest of the instrument.
    instrument: Sha256,
}

impl Kept {
    pub(crate) fn new(folder: Option<PathBuf>, instrument: &impl Serialize) -> Result<Self, Error> {
        Ok(Self { folder, instrument: Sha256::of(&canonical::to_vec(instrument)?) })
    }

    /// What is kept of `what` with `key`, which says what else it depends on, or what `make` gives, and whether it was kept.
    pub(crate) fn or_make<T: Serialize + DeserializeOwned>(
        &self,
        what: &str,
        key: &impl Serialize,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<(T, bool), Error> {
        let Some(path) = self.path(what, &(&self.instrument, key), "json")? else { return Ok((make()?, false)) };
        // What cannot be read was not written by this version.
        let found = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(found) = found {
            return Ok((found, true));
        }
        let made = make()?;
        slopbench_runner::write(&path, &canonical::to_vec(&made)?)?;
        Ok((made, false))
    }

    /// The journal of `what` with `key`, which goes on when the problem's files change: its entries' names say what they depend on.
    pub(crate) fn journal<T: Serialize + DeserializeOwned>(
        &self,
        what: &str,
        key: &impl Serialize,
    ) -> Result<Journal<T>, Error> {
        let Some(path) = self.path(what, &(&self.instrument, key), "jsonl")? else {
            return Ok(Journal { known: Mutex::default(), file: None });
        };
        let text = fs::read_to_string(&path).unwrap_or_default();
        // A line that was being written when the audit was killed is not one.
        let known = text.lines().filter_map(|line| serde_json::from_str::<(String, T)>(line).ok()).collect();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::file(folder))?;
        }
        let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(Error::file(&path))?;
        if !(text.is_empty() || text.ends_with('\n')) {
            file.write_all(b"\n").map_err(Error::file(&path))?;
        }
        Ok(Journal { known: Mutex::new(known), file: Some((path, Mutex::new(file))) })
    }

    fn path(&self, what: &str, key: &impl Serialize, ending: &str) -> Result<Option<PathBuf>, Error> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let digest = Sha256::of(&canonical::to_vec(&(what, key))?);
        Ok(Some(folder.join(format!("{what}-{}.{ending}", digest.short()))))
    }
}

/// Findings that are kept one by one, each as soon as it is there.
pub(crate) struct Journal<T> {
    known: Mutex<BTreeMap<String, T>>,
    file: Option<(PathBuf, Mutex<File>)>,
}

impl<T: Serialize + Clone> Journal<T> {
    /// What is known of `name`.
    pub(crate) fn get(&self, name: &str) -> Option<T> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Keeps what was found of `name`.
    pub(crate) fn keep(&self, name: &str, found: T) -> Result<T, Error> {
        if let Some((path, file)) = &self.file {
            let line = serde_json::to_string(&(name, &found))? + "\n";
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(line.as_bytes()).map_err(Error::file(path))?;
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), found.clone());
        Ok(found)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_by_all_it_depends_on() {
        let dir = tempfile::tempdir().unwrap();
        let kept = |instrument: &str| Kept::new(Some(dir.path().to_path_buf()), &instrument).unwrap();
        let ask =
            |instrument: &str, key: u32, answer: u32| kept(instrument).or_make("check", &key, || Ok(answer)).unwrap();
        assert_eq!(ask("a", 1, 10), (10, false));
        assert_eq!(ask("a", 1, 11), (10, true));
        assert_eq!(ask("a", 2, 12), (12, false));
        assert_eq!(ask("b", 1, 13), (13, false));
    }

    #[test]
    fn a_journal_goes_on_behind_a_line_that_was_cut() {
        let dir = tempfile::tempdir().unwrap();
        let journal = |instrument: &str| {
            let kept = Kept::new(Some(dir.path().to_path_buf()), &instrument).unwrap();
            kept.journal::<u32>("plays", &1).unwrap()
        };
        assert_eq!(journal("tool").keep("x", 1).unwrap(), 1);
        let path = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}[\"y\",")).unwrap();
        let again = journal("tool");
        assert_eq!((again.get("x"), again.get("y")), (Some(1), None));
        again.keep("y", 3).unwrap();
        assert_eq!(again.get("y"), Some(3));
        assert_eq!(journal("tool").get("y"), Some(3));
        assert_eq!(journal("another tool").get("y"), None);
    }
}
