use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_walk::{FileType, Walk, WalkStep};

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
    ///
    /// # Errors
    ///
    /// [`ReadError`] names what could not be read.
    pub fn of_dir(dir: &Path, prefix: &str) -> Result<Self, ReadError> {
        let mut listing = BTreeMap::new();
        let mut walk = walk(dir)?;
        while let Some(step) = walk.step().map_err(|source| ReadError::new(dir, source))? {
            let WalkStep::Found(kind) = step else { continue };
            let failed = |walk: &Walk, source| ReadError::new(dir.join(walk.path()), source);
            if is_derived(&walk) {
                continue;
            }
            if kind.is_dir() {
                walk.enter().map_err(|source| failed(&walk, source))?;
                continue;
            }
            let path = walk.path().to_str().ok_or_else(|| failed(&walk, not_utf8()))?;
            let path = if prefix.is_empty() { path.to_owned() } else { format!("{prefix}/{path}") };
            listing.insert(path, digest(&walk, kind).map_err(|source| failed(&walk, source))?);
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

/// A walk through `dir`, which may be named by a symbolic link.
pub(crate) fn walk(dir: &Path) -> Result<Walk, ReadError> {
    let open = || dir.canonicalize().and_then(|real| slopbench_walk::open(&real)).and_then(Walk::new);
    open().map_err(|source| ReadError::new(dir, source))
}

fn is_derived(walk: &Walk) -> bool {
    Exclusion::of_name(walk.name().to_bytes()) == Some(Exclusion::Derived)
}

fn digest(walk: &Walk, kind: FileType) -> io::Result<Sha256> {
    match kind {
        FileType::Symlink => Ok(Sha256::of(walk.target()?.as_encoded_bytes())),
        FileType::RegularFile => Sha256::of_content(walk.file()?),
        _ => Err(special_file()),
    }
}

/// A pipe, socket or device: reading it could block for ever, and it has no content to digest.
pub(crate) fn special_file() -> io::Error {
    let message = "expected a file, folder or symbolic link, found a pipe, socket or device; remove it";
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn not_utf8() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file's name is not valid UTF-8; rename it")
}

#[cfg(test)]
mod tests {
    use std::fs;

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
