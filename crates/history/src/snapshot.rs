//! The source files of one state of some code.

use std::path::Path;

use gix::objs::Kind;
use slopbench_metrics::measurement::SkippedFile;
use slopbench_metrics::{Roots, SourceFile, read_sources};

use crate::{Error, GitRepository, gitignored, trees};

/// The source files of one state of some code, in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceSnapshot {
    /// As it was asked for.
    pub name: String,
    /// Path and bytes, by path.
    pub sources: Vec<SourceFile>,
    /// What looks like source and was left out.
    pub skipped: Vec<SkippedFile>,
    /// Whether it is one file and no folder; its path is then its name, and says nothing about what it was before.
    pub is_file: bool,
}

impl SourceSnapshot {
    /// Reads a folder, or a single source file; with `gitignore`, without what [git ignores](gitignored).
    ///
    /// # Errors
    ///
    /// As [`slopbench_metrics::measure()`].
    pub fn on_disk(path: &Path, gitignore: bool) -> Result<Self, Error> {
        let roots = Roots::one(path)?;
        let roots = if gitignore { roots.without_ignored(gitignored) } else { roots };
        let (sources, skipped) = read_sources(&roots)?;
        Ok(SourceSnapshot { name: path.display().to_string(), sources, skipped, is_file: path.is_file() })
    }

    /// Reads what a revision names: a commit, a tag, or a folder of one, as in `HEAD~1:src`.
    ///
    /// # Errors
    ///
    /// [`Error::Revision`] if it names neither, [`Error::Object`] if the repository is not whole.
    pub fn of_revision(repository: &GitRepository, revision: &str) -> Result<Self, Error> {
        let reader = repository.reader();
        let listing = trees::list(&reader, Some(reader.resolve(revision, Kind::Tree)?))?;
        let sources = listing.sources.into_iter().map(|source| Ok((source.path, reader.blob(source.blob)?)));
        Ok(SourceSnapshot {
            name: revision.to_owned(),
            sources: sources.collect::<Result<_, Error>>()?,
            skipped: listing.skipped,
            is_file: false,
        })
    }
}
