//! Every version of every file, measured once however many commits hold it.

use std::collections::{HashMap, HashSet};

use gix::ObjectId;
use rayon::prelude::*;
use slopbench_metrics::measurement::{Measures, SkippedFile};
use slopbench_metrics::{FileTally, Refusal, RuleSet};

use crate::history::Progress;
use crate::record::VersionCounts;
use crate::trees::{TreeListing, TreeSource};
use crate::{Error, GitRepository};

/// Versions that one thread measures with one reader, so that the deltas git stores them as are followed from one to the
/// next.
const RUN: usize = 16;

/// The listings' versions with their figures.
pub(crate) struct Measured<'a> {
    numbers: HashMap<Key<'a>, usize>,
    versions: Vec<FileVersion>,
    by_path: bool,
}

/// What a version's figures depend on: bytes, language, and the path if there are rules for certain paths.
type Key<'a> = (ObjectId, &'static str, Option<&'a str>);

struct FileVersion {
    bytes: u64,
    tally: Result<FileTally, Refusal>,
}

impl<'a> Measured<'a> {
    /// Measures what the listings hold. `progress` is called with how many versions there are, then for each.
    pub(crate) fn new(
        repository: &GitRepository,
        listings: &'a [TreeListing],
        rules: &RuleSet,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let by_path = rules.depends_on_path();
        let mut seen = HashSet::new();
        let sources = listings.iter().flat_map(|listing| &listing.sources);
        let mut distinct: Vec<&TreeSource> = sources.filter(|source| seen.insert(key(source, by_path))).collect();
        // Versions of one file are likely deltas of each other. The sort is stable: they stay in the order of the commits.
        distinct.sort_by(|a, b| a.path.cmp(&b.path));
        let numbered = distinct.iter().enumerate().map(|(number, source)| (key(source, by_path), number));
        let numbers = numbered.collect();
        progress.begin(distinct.len());
        let runs = distinct.par_chunks(RUN).map(|run| {
            let reader = repository.reader();
            let measure = |source: &&TreeSource| {
                let bytes = reader.blob(source.blob)?;
                let length = bytes.len() as u64;
                let tally = FileTally::of(&source.path, bytes, rules);
                progress.step();
                Ok(FileVersion { bytes: length, tally })
            };
            run.iter().map(measure).collect::<Result<Vec<_>, Error>>()
        });
        let versions = runs.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect();
        Ok(Measured { numbers, versions, by_path })
    }

    /// The figures of one listing, and what of it was left out.
    pub(crate) fn total(&self, listing: &TreeListing) -> (Measures, Vec<SkippedFile>) {
        let (mut tallies, mut skipped) = (Vec::new(), listing.skipped.clone());
        for source in &listing.sources {
            let number = self.numbers.get(&key(source, self.by_path));
            match number.and_then(|&number| self.versions.get(number)).map(|version| &version.tally) {
                Some(Ok(tally)) => tallies.push(tally),
                Some(Err(refusal)) => skipped.push(refusal.clone().of_path(&source.path)),
                None => {}
            }
        }
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        (FileTally::total(tallies.into_iter()), skipped)
    }

    pub(crate) fn versions(&self, listings: &[TreeListing]) -> VersionCounts {
        VersionCounts {
            files: listings.iter().map(|listing| listing.sources.len() as u64).sum(),
            distinct: self.versions.len() as u64,
            bytes: self.versions.iter().map(|version| version.bytes).sum(),
        }
    }
}

fn key(source: &TreeSource, by_path: bool) -> Key<'_> {
    (source.blob, source.language, by_path.then_some(source.path.as_str()))
}
