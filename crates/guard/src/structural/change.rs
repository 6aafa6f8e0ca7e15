//! What a turn changed in the structure of a project.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use slopbench_metrics::outline::import_edges;

use super::state::{FileStructure, StructuralState};

/// What is different between two structural states, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuralChange {
    /// Files that are new.
    pub added: Vec<String>,
    /// Files with other bytes than before.
    pub modified: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
    /// Files that are elsewhere, with the same bytes.
    pub renamed: Vec<RenamedFile>,
    /// Signatures for others that changed or are gone: what imports these files may have to change, too.
    pub signatures: Vec<SignatureChange>,
}

/// A file that is elsewhere now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenamedFile {
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

/// A signature that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureChange {
    /// Its file.
    pub path: String,
    /// Its qualified name.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it is; nothing if it is gone.
    pub after: Option<String>,
    /// The files that import its own now, or still do where it is gone.
    pub importers: Vec<String>,
}

impl StructuralChange {
    /// Whether no file changed.
    pub fn is_empty(&self) -> bool {
        self.paths().next().is_none()
    }

    /// The paths of the files that are there and new, changed or elsewhere.
    pub fn present(&self) -> impl Iterator<Item = &str> {
        let moved = self.renamed.iter().map(|file| &file.to);
        self.added.iter().chain(&self.modified).chain(moved).map(String::as_str)
    }

    /// The paths of all files that changed, as they are now or, of those that are gone, were.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.present().chain(self.removed.iter().map(String::as_str))
    }

    pub(super) fn between(before: &StructuralState, after: &StructuralState) -> Self {
        let mut change = Self::default();
        let gone: Vec<_> = before.files.iter().filter(|(path, _)| !after.files.contains_key(*path)).collect();
        let new: Vec<_> = after.files.iter().filter(|(path, _)| !before.files.contains_key(*path)).collect();
        let mut by_blob: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        gone.iter().rev().for_each(|(path, file)| by_blob.entry(&file.blob).or_default().push(path));
        let mut moved = BTreeSet::new();
        for (path, file) in new {
            match by_blob.get_mut(file.blob.as_str()).and_then(Vec::pop) {
                Some(from) => {
                    moved.insert(from);
                    change.renamed.push(RenamedFile { from: from.to_owned(), to: path.clone() });
                }
                None => change.added.push(path.clone()),
            }
        }
        change.removed = gone.iter().map(|(path, _)| (*path).clone()).filter(|path| !moved.contains(&**path)).collect();
        let both = before.files.iter().filter_map(|(path, old)| Some((path, old, after.files.get(path)?)));
        let modified = both.filter(|(_, old, new)| old.blob != new.blob);
        change.modified = modified.map(|(path, ..)| path.clone()).collect();
        change.signatures = signatures(&change, before, after);
        change
    }
}

/// The signatures for others of files that are modified or gone, and are not what they were; of those that are elsewhere, where a
/// file still imports them from where they were.
fn signatures(change: &StructuralChange, before: &StructuralState, after: &StructuralState) -> Vec<SignatureChange> {
    let mut changes = Vec::new();
    let moved: Vec<_> = change.renamed.iter().map(|file| &file.from).collect();
    let gone: Vec<_> = change.removed.iter().chain(moved.iter().copied()).collect();
    let missed = missed(&gone, before, after);
    for path in change.modified.iter().chain(gone) {
        let (old, new) = (by_name(before.files.get(path)), by_name(after.files.get(path)));
        let present = || after.importers(path).into_iter().map(str::to_owned).collect();
        let importers: Vec<String> = missed.get(path.as_str()).cloned().unwrap_or_else(present);
        if importers.is_empty() && moved.contains(&path) {
            continue;
        }
        for (name, texts) in old {
            let now = new.get(name);
            if now != Some(&texts) {
                changes.push(SignatureChange {
                    path: path.clone(),
                    name: name.to_owned(),
                    before: texts.join("; "),
                    after: now.map(|texts| texts.join("; ")),
                    importers: importers.clone(),
                });
            }
        }
    }
    changes.sort_by(|a, b| (&a.path, &a.name).cmp(&(&b.path, &b.name)));
    changes
}

/// Who imports files that are not there any more: those whose imports lead to them if they are put back.
fn missed<'a>(
    gone: &[&'a String],
    before: &'a StructuralState,
    after: &StructuralState,
) -> BTreeMap<&'a str, Vec<String>> {
    let mut importers: BTreeMap<_, _> = gone.iter().map(|path| (path.as_str(), Vec::new())).collect();
    if gone.is_empty() {
        return importers;
    }
    let put_back = gone.iter().filter_map(|path| Some((path.as_str(), &before.files.get(*path)?.outline)));
    let there = after.files.iter().map(|(path, file)| (path.as_str(), &file.outline));
    for edge in import_edges(there.chain(put_back)) {
        if let Some(importers) = importers.get_mut(edge.to.as_str())
            && after.files.contains_key(&edge.from)
        {
            importers.push(edge.from);
        }
    }
    importers
}

/// The texts of a file's signatures for others; one name may have several, as a property has.
fn by_name(file: Option<&FileStructure>) -> BTreeMap<&str, Vec<&str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let signatures = file.into_iter().flat_map(|file| &file.outline.signatures).filter(|signature| signature.public);
    signatures.for_each(|signature| names.entry(&signature.name).or_default().push(&signature.text));
    names
}
