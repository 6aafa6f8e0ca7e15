//! From a repository to its history.

use std::num::NonZeroUsize;

use gix::date::time::format::ISO8601_STRICT;
use rayon::prelude::*;
use slopbench_metrics::measurement::{Measures, RulesId};
use slopbench_metrics::{RuleSet, known_names};
use slopbench_stats::{line, trend};

use crate::commits::{self, Commit};
use crate::measured::Measured;
use crate::record::{History, HistoryFormat, Point, Trend, Trends};
use crate::repository::at;
use crate::trees::{self, TreeListing};
use crate::{Error, GitRepository};

/// Which history to measure.
#[derive(Debug, Clone)]
pub struct HistoryOptions {
    /// The revision whose history is measured.
    pub revision: String,
    /// How many commits to sample at most.
    pub commits: NonZeroUsize,
    /// The folder to measure, relative to the root of the repository, with `/`; `.` is the root.
    pub below: String,
}

/// Hears how far the measuring is.
pub trait Progress: Sync {
    /// So many versions of files will be measured.
    fn begin(&self, versions: usize);
    /// One of them was.
    fn step(&self);
}

/// Measures commits sampled from those on the first-parent line of a revision that change source files.
///
/// The first-parent line is the sequence of states that the branch itself had: each differs from the one before by one
/// commit or one merge. Of these, the ones that leave all source files as they were are passed over, and up to
/// [`HistoryOptions::commits`] are taken at even distances, the first and the last always among them.
///
/// Every version of a file is measured once, in parallel; the result does not depend on how many threads there are.
///
/// # Errors
///
/// [`Error::Revision`] if the revision is no commit, [`Error::NoSource`] if no commit has a source file, and
/// [`Error::Object`] if the repository is not whole. A file that cannot be measured is named in its [`Point::skipped`].
pub fn history(
    repository: &GitRepository,
    options: &HistoryOptions,
    rules: &RuleSet,
    progress: &dyn Progress,
) -> Result<History, Error> {
    let line = commits::first_parents(repository, &options.revision, &options.below)?;
    let touching = commits::touching(repository, &line.commits)?;
    if touching.is_empty() {
        let (revision, below) = (options.revision.clone(), options.below.clone());
        return Err(Error::NoSource { revision, below, known: known_names() });
    }
    let places = commits::evenly(touching.len(), options.commits.get());
    let sampled: Vec<(usize, Commit)> = places.into_iter().map(|place| (place, touching[place])).collect();
    let listings: Vec<TreeListing> = sampled
        .par_iter()
        .map_init(|| repository.reader(), |reader, (_, commit)| trees::list(reader, commit.tree))
        .collect::<Result<_, Error>>()?;
    let measured = Measured::new(repository, &listings, rules, progress)?;
    let points: Vec<Point> = sampled
        .par_iter()
        .zip(&listings)
        .map(|(&(place, commit), listing)| point(repository, place, commit, listing, &measured))
        .collect::<Result<_, Error>>()?;
    Ok(History {
        format: HistoryFormat::V2,
        rules: RulesId { count: rules.ids().len(), digest: rules.digest().to_owned() },
        revision: options.revision.clone(),
        below: options.below.clone(),
        shallow: line.shallow,
        commits: line.commits.len() as u64,
        touching: touching.len() as u64,
        versions: measured.versions(&listings),
        trends: Trends {
            erosion: trend_of(&points, |total| total.erosion),
            verbosity: trend_of(&points, |total| total.verbosity),
        },
        points,
    })
}

fn point(
    repository: &GitRepository,
    place: usize,
    commit: Commit,
    listing: &TreeListing,
    measured: &Measured<'_>,
) -> Result<Point, Error> {
    let reader = repository.reader();
    let object = reader.commit(commit.id)?;
    let message = object.message_raw().map_err(at(commit.id))?.to_string();
    let (total, skipped) = measured.total(listing);
    Ok(Point {
        commit: commit.id.to_string(),
        time: object.time().map_err(at(commit.id))?.format_or_unix(ISO8601_STRICT),
        subject: message.lines().next().unwrap_or_default().to_owned(),
        place: place as u64 + 1,
        total,
        skipped,
    })
}

fn trend_of(points: &[Point], measure: impl Fn(&Measures) -> f64) -> Trend {
    let values: Vec<f64> = points.iter().map(|point| measure(&point.total)).collect();
    let places: Vec<f64> = points.iter().map(|point| point.place as f64).collect();
    let (first, last) = (places.first().copied().unwrap_or(0.0), places.last().copied().unwrap_or(0.0));
    let progress: Vec<f64> = places.iter().map(|place| (place - first) / (last - first).max(1.0)).collect();
    Trend {
        first: values.first().copied().unwrap_or(0.0),
        last: values.last().copied().unwrap_or(0.0),
        growth: trend::growth(&values).ok(),
        slope: line::fit(&progress, &values).ok().map(|line| line.slope),
        rising: trend::rising_share(&values).ok(),
    }
}
