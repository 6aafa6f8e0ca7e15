use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path},
};

use serde::{Deserialize, Serialize};
use walkdir::{DirEntry, WalkDir};

use crate::{Exclusion, ReadError, Sha256};

/// The digest of every file below a folder, by its path with `/` separators.
///
/// A symbolic link counts as a file that holds its target. What is [`Exclusion::Derived`] does not count: everything else
/// may be something that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Listing(pub BTreeMap<String, Sha256>);

/// How one path differs between two listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingDifference {
    /// Listed before, not there now.
    Missing,
    /// There now, not listed before.
    Added,
    /// There with other content.
    Changed,
}

impl Listing {
    /// Lists `dir`, each path prefixed by `prefix` (which may be empty).
    pub fn of_dir(dir: &Path, prefix: &str) -> Result<Self, ReadError> {
        let mut listing = BTreeMap::new();
        let entries = WalkDir::new(dir).min_depth(1).into_iter().filter_entry(|entry| !is_ignored(entry));
        for entry in entries {
            let entry = entry.map_err(|error| walk_error(dir, error))?;
            if !entry.file_type().is_dir() {
                let path = relative_posix(dir, entry.path())?;
                let path = if prefix.is_empty() { path } else { format!("{prefix}/{path}") };
                listing.insert(path, digest_entry(&entry)?);
            }
        }
        Ok(Self(listing))
    }

    /// Adds everything in `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// One digest for the whole: over each path and its digest, a line each, sorted by path.
    pub fn digest(&self) -> Sha256 {
        let text: String = self.0.iter().map(|(path, digest)| format!("{digest}  {path}\n")).collect();
        Sha256::of(text.as_bytes())
    }

    /// Every path in which `now` differs from `self`, sorted by path.
    pub fn differences(&self, now: &Self) -> BTreeMap<String, ListingDifference> {
        let gone_or_changed = self.0.iter().filter_map(|(path, digest)| match now.0.get(path) {
            None => Some((path.clone(), ListingDifference::Missing)),
            Some(other) if other != digest => Some((path.clone(), ListingDifference::Changed)),
            Some(_) => None,
        });
        let added = now.0.keys().filter(|path| !self.0.contains_key(*path));
        gone_or_changed.chain(added.map(|path| (path.clone(), ListingDifference::Added))).collect()
    }
}

fn is_ignored(entry: &DirEntry) -> bool {
    entry.depth() > 0 && Exclusion::of_name(entry.file_name().as_encoded_bytes()) == Some(Exclusion::Derived)
}

fn digest_entry(entry: &DirEntry) -> Result<Sha256, ReadError> {
    if entry.path_is_symlink() {
        let target = fs::read_link(entry.path()).map_err(|source| ReadError::new(entry.path(), source))?;
        return Ok(Sha256::of(target.as_os_str().as_encoded_bytes()));
    }
    if !entry.file_type().is_file() {
        return Err(ReadError::special_file(entry.path()));
    }
    Sha256::of_file(entry.path())
}

fn walk_error(dir: &Path, error: walkdir::Error) -> ReadError {
    let path = error.path().unwrap_or(dir).to_path_buf();
    ReadError::new(path, io::Error::from(error))
}

fn relative_posix(dir: &Path, path: &Path) -> Result<String, ReadError> {
    let relative = path.strip_prefix(dir).unwrap_or(path);
    let parts: Option<Vec<&str>> = relative
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let not_utf8 = || io::Error::new(io::ErrorKind::InvalidData, "the file's name is not valid UTF-8; rename it");
    parts.map(|parts| parts.join("/")).ok_or_else(|| ReadError::new(path, not_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/__pycache__")).unwrap();
        for (name, content) in [("a/x.py", "1"), ("a/__pycache__/x.pyc", "?"), ("b.toml", "2"), ("c", "3")] {
            fs::write(dir.path().join(name), content).unwrap();
        }
        let before = Listing::of_dir(dir.path(), "p").unwrap();
        assert_eq!(before.0.keys().collect::<Vec<_>>(), ["p/a/x.py", "p/b.toml", "p/c"]);

        fs::write(dir.path().join("a/x.py"), "9").unwrap();
        fs::remove_file(dir.path().join("b.toml")).unwrap();
        fs::write(dir.path().join("d"), "4").unwrap();
        let after = Listing::of_dir(dir.path(), "p").unwrap();
        let expected = [
            ("p/a/x.py", ListingDifference::Changed),
            ("p/b.toml", ListingDifference::Missing),
            ("p/d", ListingDifference::Added),
        ];
        assert_eq!(before.differences(&after), expected.map(|(path, kind)| (path.to_owned(), kind)).into());
        assert_ne!(before.digest(), after.digest());
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_it() {
        let error = Listing::of_dir(Path::new("no/such/folder"), "").unwrap_err();
        assert!(error.to_string().contains("no/such/folder"), "{error}");
    }
}
