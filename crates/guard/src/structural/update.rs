//! Bringing a structural state up to date.

use std::collections::HashMap;

use rayon::prelude::*;
use slopbench_metrics::measurement::SkippedFile;
use slopbench_metrics::outline::{FileOutline, outline};
use slopbench_metrics::{Admission, Refusal, admission};

use super::change::StructuralChange;
use super::source_tree::{ListedSource, SourceListing, SourceTree};
use super::state::{FileStructure, StructuralState};
use crate::Error;

/// What came of one file: unchanged or moved ones keep their outline.
type Outlined = (String, String, Result<FileOutline, Refusal>);

impl StructuralState {
    /// Brings the state up to date with `tree`, and says what changed.
    ///
    /// # Errors
    ///
    /// [`Error::History`] if the tree cannot be listed or read. A file that cannot be parsed is no error, but named in
    /// [`StructuralState::unread`].
    pub fn update(&mut self, tree: &SourceTree) -> Result<StructuralChange, Error> {
        let SourceListing { sources, skipped, revision } = tree.list()?;
        let known = KnownOutlines::of(self);
        let (mut outlined, mut unknown) = (Vec::new(), Vec::new());
        for source in sources {
            match known.find(&source) {
                Some(outline) => outlined.push((source.path, source.blob, Ok(outline.clone()))),
                None => {
                    let bytes = source.content.read(revision.as_ref())?;
                    unknown.push((source.path, source.blob, bytes));
                }
            }
        }
        outlined.par_extend(unknown.into_par_iter().filter_map(|(path, blob, bytes)| {
            let outline = outline(&path, bytes)?;
            Some((path, blob, outline))
        }));
        let next = Self::assemble(outlined, skipped);
        let change = StructuralChange::between(self, &next);
        *self = next;
        Ok(change)
    }

    fn assemble(outlined: Vec<Outlined>, skipped: Vec<SkippedFile>) -> Self {
        let mut state = Self { unread: skipped, ..Self::default() };
        for (path, blob, outlined) in outlined {
            match outlined {
                Ok(outline) => drop(state.files.insert(path, FileStructure { blob, outline, imports: Vec::new() })),
                Err(refusal) => state.unread.push(refusal.of_path(&path)),
            }
        }
        state.unread.sort_by(|a, b| a.path.cmp(&b.path));
        state.link();
        state
    }
}

/// The outlines of a state: a file that only moved is not parsed again.
struct KnownOutlines<'a> {
    state: &'a StructuralState,
    /// By blob and language.
    by_blob: HashMap<(&'a str, &'a str), &'a FileOutline>,
}

impl<'a> KnownOutlines<'a> {
    fn of(state: &'a StructuralState) -> Self {
        let entry = |file: &'a FileStructure| ((&*file.blob, &*file.outline.language), &file.outline);
        Self { state, by_blob: state.files.values().map(entry).collect() }
    }

    fn find(&self, source: &ListedSource) -> Option<&'a FileOutline> {
        if self.state.is_outdated {
            return None;
        }
        let here = self.state.files.get(&source.path).filter(|file| file.blob == source.blob);
        let name = source.path.rsplit('/').next().unwrap_or_default();
        let Admission::Source(language) = admission(name) else { return None };
        here.map(|file| &file.outline).or_else(|| self.by_blob.get(&(&*source.blob, language)).copied())
    }
}
