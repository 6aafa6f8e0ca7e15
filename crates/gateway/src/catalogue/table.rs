//! Entries by name, each with where it comes from and the digest of what it says.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use slopbench_digest::{Sha256, canonical};

/// Where an entry comes from. Written without a folder: results are the same wherever the file lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// This program.
    BuiltIn,
    /// The user's configuration folder.
    User,
    /// The `slopbench.toml` of the repository that a command is called in.
    Repository,
    /// A file that a command names: its name without a folder.
    File(String),
}

/// Names of origins but [`Origin::File`].
const ORIGINS: [(&str, Origin); 3] =
    [("built-in", Origin::BuiltIn), ("user", Origin::User), ("repository", Origin::Repository)];

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(name) => write!(f, "file:{name}"),
            other => f.write_str(ORIGINS.iter().find(|(_, origin)| origin == other).map_or("", |(name, _)| name)),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some(name) = text.strip_prefix("file:") {
            return Ok(Self::File(name.to_owned()));
        }
        let known = ORIGINS.into_iter().find(|(name, _)| *name == text).map(|(_, origin)| origin);
        known.ok_or_else(|| de::Error::custom(format!("\"{text}\" is no origin of a catalogue's entry")))
    }
}

/// An entry's identity: what a plan keeps of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryIdentity {
    /// Where it comes from.
    pub origin: Origin,
    /// Of what it says, whatever the order and layout: the digest of its canonical JSON.
    pub digest: Sha256,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueEntry<T> {
    /// What it says.
    pub value: T,
    /// Where it comes from, and the digest of what it says.
    pub identity: EntryIdentity,
}

/// A name that a catalogue lacks.
#[derive(Debug, thiserror::Error)]
#[error("there is no {what} \"{name}\"; there are {known}")]
pub struct UnknownName {
    /// What was looked for, as in `model`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// What there is.
    pub known: String,
}

/// Entries of one kind, in the order in which their names came first.
#[derive(Clone, Debug)]
pub struct CatalogueTable<T> {
    what: &'static str,
    entries: Vec<(String, CatalogueEntry<T>)>,
}

impl<T> CatalogueTable<T> {
    /// A table without entries; `what` is what errors call one of them.
    pub fn new(what: &'static str) -> Self {
        Self { what, entries: Vec::new() }
    }

    /// The entry `name`.
    ///
    /// # Errors
    ///
    /// [`UnknownName`] if there is none, with the names that there are.
    pub fn get(&self, name: &str) -> Result<&CatalogueEntry<T>, UnknownName> {
        let known = || self.entries.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        self.find(name).ok_or_else(|| UnknownName { what: self.what, name: name.to_owned(), known: known() })
    }

    /// The entry `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<&CatalogueEntry<T>> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, entry)| entry)
    }

    /// Every entry with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &CatalogueEntry<T>)> {
        self.entries.iter().map(|(name, entry)| (name.as_str(), entry))
    }
}

impl<T: Serialize> CatalogueTable<T> {
    /// Adds an entry, or puts it in the place of the one with this name.
    ///
    /// # Errors
    ///
    /// If the value cannot be said in JSON: a bug.
    pub fn put(&mut self, name: &str, value: T, origin: Origin) -> Result<(), serde_json::Error> {
        let digest = Sha256::of(&canonical::to_vec(&value)?);
        let entry = CatalogueEntry { value, identity: EntryIdentity { origin, digest } };
        match self.entries.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = entry,
            None => self.entries.push((name.to_owned(), entry)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_survives_being_written_and_read() {
        for origin in ORIGINS.map(|(_, origin)| origin).into_iter().chain([Origin::File("own.toml".to_owned())]) {
            let text = serde_json::to_string(&origin).unwrap();
            assert_eq!(serde_json::from_str::<Origin>(&text).unwrap(), origin, "{text}");
        }
        assert!(serde_json::from_str::<Origin>("\"elsewhere\"").is_err());
    }

    #[test]
    fn a_later_entry_takes_the_place_of_the_one_with_its_name() {
        let mut table = CatalogueTable::new("colour");
        table.put("red", 1, Origin::BuiltIn).unwrap();
        table.put("blue", 2, Origin::BuiltIn).unwrap();
        table.put("red", 3, Origin::User).unwrap();
        let entries: Vec<_> = table.iter().map(|(name, entry)| (name, entry.value, &entry.identity.origin)).collect();
        assert_eq!(entries, [("red", 3, &Origin::User), ("blue", 2, &Origin::BuiltIn)]);
        assert_eq!(table.get("green").unwrap_err().to_string(), "there is no colour \"green\"; there are red, blue");
    }
}
