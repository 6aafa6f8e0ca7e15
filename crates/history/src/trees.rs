//! Which blobs of a tree are source, and whether two trees have the same.
//!
//! No function here recurses: a tree may be as deep as whoever wrote it liked.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::objs::tree::EntryRef;
use slopbench_metrics::measurement::SkippedFile;
use slopbench_metrics::{Admission, Refusal, admission, is_cache_tag, may_be_cache_tag};

use crate::Error;
use crate::repository::{Reader, at};

/// The source files of one tree.
#[derive(Default)]
pub(crate) struct TreeListing {
    /// By path.
    pub(crate) sources: Vec<TreeSource>,
    /// What looks like source and is left out.
    pub(crate) skipped: Vec<SkippedFile>,
}

/// One source file of a tree.
pub(crate) struct TreeSource {
    /// Path below the tree. Bytes that are no UTF-8 are replaced, as on disk.
    pub(crate) path: String,
    pub(crate) blob: ObjectId,
    pub(crate) language: &'static str,
}

/// Lists what measuring a checkout of the tree would find. Nothing is in no tree.
///
/// A link is named if its own name is that of source. What else it leads to is not looked at: it may be outside the tree.
pub(crate) fn list(reader: &Reader, tree: Option<ObjectId>) -> Result<TreeListing, Error> {
    let mut listing = TreeListing::default();
    let mut open: Vec<_> = tree.map(|tree| (String::new(), tree)).into_iter().collect();
    while let Some((prefix, id)) = open.pop() {
        let tree = reader.tree(id)?;
        if !prefix.is_empty() && is_cache(reader, &tree)? {
            listing.skipped.push(Refusal::cache().of_path(prefix.trim_end_matches('/')));
            continue;
        }
        for entry in tree.decode().map_err(at(id))?.entries {
            let name = entry.filename.to_string();
            let path = format!("{prefix}{name}");
            match (admission(&name), entry.mode) {
                (Admission::Unmentioned, _) => {}
                (Admission::Excluded, _) => listing.skipped.push(Refusal::excluded().of_path(&path)),
                (_, mode) if mode.is_tree() => open.push((path + "/", entry.oid.to_owned())),
                (_, mode) if mode.is_commit() => listing.skipped.push(Refusal::submodule().of_path(&path)),
                (Admission::Source(_), mode) if mode.is_link() => {
                    listing.skipped.push(Refusal::symbolic_link().of_path(&path));
                }
                (Admission::Source(language), _) => {
                    listing.sources.push(TreeSource { path, blob: entry.oid.to_owned(), language });
                }
                (Admission::Other, _) => {}
            }
        }
    }
    listing.sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(listing)
}

/// Whether a source file is in one tree only, or has other bytes in the other. Looks only where the trees differ, and no
/// further than to the first such file.
pub(crate) fn sources_differ(
    reader: &Reader,
    before: Option<ObjectId>,
    after: Option<ObjectId>,
) -> Result<bool, Error> {
    let mut open = vec![(before, after, true)];
    while let Some((before, after, is_root)) = open.pop() {
        if before == after {
            continue;
        }
        let (before, after) = (measured(reader, before, is_root)?, measured(reader, after, is_root)?);
        let (old, new) = (entries(before.as_ref())?, entries(after.as_ref())?);
        for (old, new) in changes(&old, &new) {
            let Some(entry) = old.or(new) else { continue };
            match admission(&entry.filename.to_string()) {
                Admission::Unmentioned | Admission::Excluded => {}
                _ if entry.mode.is_tree() => open.push((id(old), id(new), false)),
                Admission::Source(_) if blob(old) != blob(new) => return Ok(true),
                Admission::Source(_) | Admission::Other => {}
            }
        }
    }
    Ok(false)
}

/// The tree, if there is one and it is no cache. A root is measured whatever it is.
fn measured<'r>(reader: &'r Reader, id: Option<ObjectId>, is_root: bool) -> Result<Option<gix::Tree<'r>>, Error> {
    let Some(tree) = id.map(|id| reader.tree(id)).transpose()? else {
        return Ok(None);
    };
    Ok((is_root || !is_cache(reader, &tree)?).then_some(tree))
}

/// Whether a tree holds a valid `CACHEDIR.TAG`.
fn is_cache(reader: &Reader, tree: &gix::Tree<'_>) -> Result<bool, Error> {
    for entry in tree.decode().map_err(at(tree.id))?.entries {
        if entry.mode.is_blob() && may_be_cache_tag(&entry.filename.to_string()) {
            return Ok(is_cache_tag(&reader.blob(entry.oid.to_owned())?));
        }
    }
    Ok(false)
}

fn entries<'a>(tree: Option<&'a gix::Tree<'_>>) -> Result<Vec<EntryRef<'a>>, Error> {
    tree.map_or_else(|| Ok(Vec::new()), |tree| Ok(tree.decode().map_err(at(tree.id))?.entries))
}

/// One entry of either tree under the same name.
type Change<'e, 'a> = (Option<&'e EntryRef<'a>>, Option<&'e EntryRef<'a>>);

/// The entries that are not the same in both. Git sorts a tree's entries by name, with a `/` after that of a tree, so that the
/// two of a change are both trees or neither is.
fn changes<'e, 'a>(old: &'e [EntryRef<'a>], new: &'e [EntryRef<'a>]) -> Vec<Change<'e, 'a>> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut changes = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(old), Some(new)) => old.cmp(new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return changes,
        };
        let change = match order {
            Ordering::Less => (old.next(), None),
            Ordering::Greater => (None, new.next()),
            Ordering::Equal => (old.next(), new.next()),
        };
        if change.0 != change.1 {
            changes.push(change);
        }
    }
}

fn id(entry: Option<&EntryRef<'_>>) -> Option<ObjectId> {
    entry.map(|entry| entry.oid.to_owned())
}

fn blob(entry: Option<&EntryRef<'_>>) -> Option<ObjectId> {
    id(entry.filter(|entry| entry.mode.is_blob()))
}
